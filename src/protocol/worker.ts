/** Workers as every runtime has them: what is used of one, and how it is listened to. */
import { reasonOf } from "./outcome.ts";

/** What is used of a Worker: one of a page, of Deno or Bun, or one of Node's `worker_threads`. */
export interface WorkerLike {
  /** Sends a text. */
  postMessage(message: unknown): void;
  /** Ends it at once. */
  terminate(): unknown;
  /** How Workers of pages, Deno and Bun are listened to. */
  // biome-ignore lint/suspicious/noExplicitAny: each runtime types its events in its own way, and all of them must fit
  addEventListener?(type: string, listener: (event: any) => void): void;
  /** How those of Node's `worker_threads` are. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  on?(type: string, listener: (value: any) => void): unknown;
}

export interface WorkerListener {
  message(value: unknown): void;
  /** Something came that cannot be read. */
  unreadable(): void;
  /** An error that nobody caught. It ends a Worker of Node, and one of a page only where it came before its script ran. */
  failed(why: string): void;
  /** It has ended. Only Node says so. */
  ended(why: string): void;
}

/** Listens to a Worker in the way it has. */
export function listenToWorker(worker: WorkerLike, to: WorkerListener): void {
  if (worker.on !== undefined) {
    worker.on("message", (value: unknown) => to.message(value));
    worker.on("messageerror", () => to.unreadable());
    worker.on("error", (error: unknown) => to.failed(reasonOf(error)));
    worker.on("exit", (status: unknown) => to.ended(`it ended with status ${String(status)}`));
    return;
  }
  worker.addEventListener?.("message", (event: { readonly data: unknown }) => to.message(event.data));
  worker.addEventListener?.("messageerror", () => to.unreadable());
  worker.addEventListener?.("error", (event: { readonly message?: string; preventDefault?(): void }) => {
    // Deno takes an error that nobody prevents for its own.
    event.preventDefault?.();
    to.failed(event.message ?? "its script could not be loaded");
  });
}
