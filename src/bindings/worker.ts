/**
 * A Worker as a Tool: a page's module Worker, one of Deno or Bun, or one of Node's `worker_threads`. Messages cross as
 * the canonical text they are everywhere else, since Flow values do not survive structured cloning.
 */
import { FlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { exceedsUtf8 } from "../json/text.ts";
import type { Binding, CallIds } from "../protocol/binding.ts";
import { READY_TEXT } from "../protocol/messages.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { OversizedReader } from "../protocol/oversized.ts";
import { RestartingBinding } from "../protocol/restarting.ts";
import type { Channel, Inlet, Session } from "../protocol/session.ts";
import type { WorkerLike } from "../protocol/worker.ts";

export interface WorkerOptions {
  /** What one message may hold (R13); only `bytes` counts here, the rest is the host's. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** Milliseconds to start and describe itself (R39); 10,000 by default. */
  readonly startMs?: number;
  /** Milliseconds in which a Worker that did not heed a cancel has to answer a ping (R41); 5,000 by default. */
  readonly graceMs?: number;
  readonly title?: string;
}

/**
 * Binds a Worker that serves a toolset with `serveWorker`.
 * @param open Makes the Worker. Called when it is first described, and again for the next call after it has ended.
 */
export function bindWorker(open: () => WorkerLike, options: WorkerOptions = {}): Binding {
  return new WorkerBinding(open, options);
}

class WorkerBinding extends RestartingBinding {
  private readonly graceMs: number;
  private pings = 0;
  private pinged: Session | undefined;

  constructor(open: () => WorkerLike, options: WorkerOptions) {
    const { bytes } = resolveLimits(options.limits);
    const { startMs = 10_000, concurrency, title = "worker" } = options;
    super({ title, open: (inlet) => new WorkerChannel(open, inlet, bytes), startMs, concurrency });
    this.graceMs = options.graceMs ?? 5_000;
  }

  /** A Worker that is well goes on for its other calls; only one that does not even answer a ping is ended (R41). */
  override abandon(ids: CallIds): void {
    super.abandon(ids);
    const session = this.live;
    if (session === undefined || session === this.pinged) return;
    this.pinged = session;
    const id = `ping-${++this.pings}`;
    const unanswered = setTimeout(() => {
      session.fail(`it answered neither a cancel nor a ping within ${this.graceMs} ms, and was terminated`);
    }, this.graceMs);
    session
      .request(id, "ping", "{}")
      .catch(() => {})
      .finally(() => {
        clearTimeout(unanswered);
        if (this.pinged === session) this.pinged = undefined;
      });
  }
}

class WorkerChannel implements Channel {
  private readonly worker: WorkerLike;
  private readonly inlet: Inlet;
  private readonly limit: number;
  private hasStarted = false;
  private hasEnded = false;

  constructor(open: () => WorkerLike, inlet: Inlet, limit: number) {
    this.inlet = inlet;
    this.limit = limit;
    try {
      this.worker = open();
    } catch (cause) {
      throw new FlowError("start", `the Worker could not be made: ${reasonOf(cause)}`, { cause });
    }
    this.listen();
  }

  send(text: string): undefined {
    // Posting is all or nothing: what was posted may be read, and what was not never is (row 7 of docs/outcomes.md).
    this.worker.postMessage(text);
  }

  close(): Promise<void> {
    return this.kill();
  }

  async kill(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    // In Deno and Bun a Worker that loops is never stopped; nobody waits for that.
    this.worker.terminate();
  }

  private listen(): void {
    const { worker } = this;
    if (worker.on !== undefined) {
      worker.on("message", (data: unknown) => this.take(data));
      worker.on("messageerror", () => this.inlet.malformed("a message that cannot be read"));
      worker.on("error", (error: unknown) => this.end(`it stopped with an error: ${reasonOf(error)}`));
      worker.on("exit", (status: unknown) => this.end(`it ended with status ${String(status)}`));
      return;
    }
    worker.addEventListener?.("message", (event: { readonly data: unknown }) => this.take(event.data));
    worker.addEventListener?.("messageerror", () => this.inlet.malformed("a message that cannot be read"));
    worker.addEventListener?.("error", (event: { readonly message?: string; preventDefault?(): void }) => {
      event.preventDefault?.();
      const why = event.message ?? "its script could not be loaded";
      // An error that nobody caught does not end a page's Worker once it runs; what it did to its calls, nobody knows yet.
      if (this.hasStarted) this.inlet.log(`an error in the Worker that nobody caught: ${why}`);
      else this.end(`it stopped with an error: ${why}`);
    });
  }

  private take(data: unknown): void {
    if (this.hasEnded) return;
    if (typeof data !== "string") this.inlet.malformed(`a message that is no text but ${typeof data}`);
    else if (data === READY_TEXT) {
      this.hasStarted = true;
      this.inlet.ready();
    } else if (exceedsUtf8(data, this.limit)) {
      const reader = new OversizedReader();
      reader.push(new TextEncoder().encode(data));
      this.inlet.oversized(reader.end());
    } else this.inlet.message(data);
  }

  private end(reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.inlet.ended(reason);
    this.worker.terminate();
  }
}
