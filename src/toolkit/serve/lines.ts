/** Serving a toolset over two streams of bytes, one message a line: the Tool's side of a child process. */
import { DEFAULT_LIMITS } from "../../json/limits.ts";
import { LineReader } from "../../protocol/lines.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { Answering, NOT_UTF8 } from "./answering.ts";

/** Where lines come from: a Web stream, or anything that gives its chunks one by one, such as `process.stdin`. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Where lines go: a Web stream, or a Node stream such as `process.stdout`. */
export type ByteSink = WritableStream<Uint8Array> | NodeSink;

/** What is used of a Node stream. */
export interface NodeSink {
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
}

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
  const answering = new Answering(toolset);
  const write = writerOf(output);
  let last = Promise.resolve();
  const working = new Set<Promise<void>>();
  const put = (text: string | undefined): void => {
    if (text === undefined) return;
    const bytes = new TextEncoder().encode(`${text}\n`);
    // Whoever cannot be heard any more has no reason to go on.
    last = last.then(() => write(bytes)).catch(() => answering.stop("nobody reads the replies any longer"));
  };
  const lines = new LineReader(options.bodyLimit ?? DEFAULT_LIMITS.bytes, {
    line: (text) => {
      const work = answering.answer(text).then(put);
      working.add(work);
      void work.finally(() => working.delete(work));
    },
    malformed: () => put(NOT_UTF8),
    oversized: (message) => put(answering.oversized(message)),
  });
  for await (const chunk of chunksOf(input)) {
    lines.push(chunk);
    // A host that does not read is not read from: what it has not been told yet must not pile up.
    await last;
  }
  lines.end();
  await Promise.all(working);
  await last;
}

async function* chunksOf(input: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (Symbol.asyncIterator in input) {
    yield* input as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (input as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

function writerOf(output: ByteSink): (bytes: Uint8Array) => Promise<void> {
  if ("getWriter" in output) {
    const writer = output.getWriter();
    return (bytes) => writer.write(bytes);
  }
  output.on("error", () => {});
  return (bytes) =>
    new Promise((resolve, reject) => {
      output.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
}
