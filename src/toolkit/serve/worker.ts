/** Serving a toolset in a Worker: a page's module Worker, one of Deno or Bun, or one of Node's `worker_threads`. */
import { serveMessagePort, type WorkerPort } from "../../protocol/serving.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { Answering } from "./answering.ts";

export type { WorkerPort } from "../../protocol/serving.ts";

/**
 * Serves a toolset for as long as the Worker lives.
 * @param port The Worker's global object by default; `parentPort` of `node:worker_threads` on Node.
 */
export function serveWorker(toolset: Toolset, port: WorkerPort = globalThis as unknown as WorkerPort): void {
  serveMessagePort(new Answering(toolset, (method) => (method === "ping" ? "{}" : undefined)), port);
}
