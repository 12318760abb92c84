/** Serving a toolset in a Worker: a page's module Worker, one of Deno or Bun, or one of Node's `worker_threads`. */
import { readyText } from "../../protocol/messages.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { Answering } from "./answering.ts";

/** What is used of the Worker's own side: its global object in a page, `parentPort` on Node. */
export interface WorkerPort {
  postMessage(message: string): void;
  addEventListener?(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  on?(type: "message", listener: (data: never) => void): unknown;
}

/**
 * Serves a toolset for as long as the Worker lives.
 * @param port The Worker's global object by default; `parentPort` of `node:worker_threads` on Node.
 */
export function serveWorker(toolset: Toolset, port: WorkerPort = globalThis as unknown as WorkerPort): void {
  const answering = new Answering(toolset, (method) => (method === "ping" ? "{}" : undefined));
  const take = (data: unknown): void => {
    if (typeof data !== "string") return;
    void answering.answer(data).then((text) => {
      if (text !== undefined) port.postMessage(text);
    });
  };
  if (port.on !== undefined) port.on("message", take);
  else port.addEventListener?.("message", ({ data }) => take(data));
  void holdLock().then((lock) => port.postMessage(readyText(lock)));
}

/** Takes a lock that the platform frees when the Worker ends, however it ends: a page is told of that in no other way. */
async function holdLock(): Promise<string> {
  const { locks } = (globalThis as { navigator?: { locks?: LockManager } }).navigator ?? {};
  if (locks === undefined) return "";
  const name = `flow-host worker ${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    const held = locks.request(name, () => {
      resolve(name);
      return new Promise(() => {});
    });
    // Not every page may use locks.
    held.catch(() => resolve(""));
  });
}
