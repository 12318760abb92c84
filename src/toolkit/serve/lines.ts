/** Serving a toolset over two streams of bytes, one message a line: the Tool's side of a child process. */
import { DEFAULT_LIMITS } from "../../json/limits.ts";
import { type ByteSink, type ByteSource, serveMessageLines } from "../../protocol/serving.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { Answering } from "./answering.ts";

export type { ByteSink, ByteSource, NodeSink } from "../../protocol/serving.ts";

/** How a toolset is served over lines. */
export interface ServeLinesOptions {
  /** The most bytes of one message that is taken; a larger call is answered NotRun. */
  readonly bodyLimit?: number;
}

/**
 * Serves a toolset until its input ends and every call that came is answered.
 * @param input Its bytes, such as `process.stdin`.
 * @param output Where replies go, such as `process.stdout`. Nothing else may be printed there.
 */
export async function serveLines(toolset: Toolset, input: ByteSource, output: ByteSink, options: ServeLinesOptions = {}): Promise<void> {
  await serveMessageLines(new Answering(toolset), input, output, options.bodyLimit ?? DEFAULT_LIMITS.bytes);
}
