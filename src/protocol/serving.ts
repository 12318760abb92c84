/**
 * The serving half of the ways that messages travel: over lines, and over a Worker's port. What is answered, and how
 * it is written, is the business of whoever serves.
 */
import { LineReader } from "./lines.ts";
import { errorText, readyText } from "./messages.ts";
import type { Oversized } from "./oversized.ts";

/** Answers the messages of one other side. */
export interface MessageServer {
  /**
   * Answers one message.
   * @param gone Aborted when whoever sent it does not wait any longer.
   * @returns The message that goes back; undefined where none does. It does not reject.
   */
  answer(text: string, gone?: AbortSignal): Promise<string | undefined>;
  /** Answers a message that was too large to be kept. */
  oversized(message: Oversized): string | undefined;
  /** Asks all that is being worked on to stop: nobody hears its answer any more. */
  stop(reason: string): void;
}

/** The answer to bytes that are no text. */
export const NOT_UTF8: string = errorText("null", -32700, "a message that is not UTF-8");

/** Where lines come from: a Web stream, or anything that gives its chunks one by one, such as `process.stdin`. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Where lines go: a Web stream, or a Node stream such as `process.stdout`. */
export type ByteSink = WritableStream<Uint8Array> | NodeSink;

/** What is used of a Node stream. */
export interface NodeSink {
  /** Writes bytes; `done` is called once they are taken, or with why they are not. */
  write(chunk: Uint8Array, done: (error?: Error | null) => void): unknown;
  /** Tells of a stream that broke. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Answers lines until their source ends and every message that came is answered.
 * @param limit The most bytes of one message that is taken.
 */
export async function serveMessageLines(server: MessageServer, input: ByteSource, output: ByteSink, limit: number): Promise<void> {
  const write = writerOf(output);
  let last = Promise.resolve();
  const working = new Set<Promise<void>>();
  const put = (text: string | undefined): void => {
    if (text === undefined) return;
    const bytes = new TextEncoder().encode(`${text}\n`);
    // Whoever cannot be heard any more has no reason to go on.
    last = last.then(() => write(bytes)).catch(() => server.stop("nobody reads the replies any longer"));
  };
  const lines = new LineReader(limit, {
    line: (text) => {
      const work = server.answer(text).then(put);
      working.add(work);
      void work.finally(() => working.delete(work));
    },
    malformed: () => put(NOT_UTF8),
    oversized: (message) => put(server.oversized(message)),
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

/** What is used of the Worker's own side: its global object in a page, `parentPort` on Node. */
export interface WorkerPort {
  /** Sends a text to whoever made the Worker. */
  postMessage(message: string): void;
  /** How the global object of a Worker is listened to. */
  addEventListener?(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** How `parentPort` of Node is. */
  on?(type: "message", listener: (data: never) => void): unknown;
}

/** Answers the messages of a port for as long as it lives, and says first that it takes them. */
export function serveMessagePort(server: MessageServer, port: WorkerPort): void {
  const take = (data: unknown): void => {
    if (typeof data !== "string") return;
    void server.answer(data).then((text) => {
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
