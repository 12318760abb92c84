/**
 * A Worker as a Tool: a page's module Worker, one of Deno or Bun, or one of Node's `worker_threads`. Messages cross as
 * the canonical text they are everywhere else, since Flow values do not survive structured cloning.
 */
import { FlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { exceedsUtf8 } from "../json/text.ts";
import type { Binding, CallIds } from "../protocol/binding.ts";
import { readReady } from "../protocol/messages.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { OversizedReader } from "../protocol/oversized.ts";
import { Pings } from "../protocol/ping.ts";
import { RestartingBinding } from "../protocol/restarting.ts";
import type { Channel, Inlet } from "../protocol/session.ts";
import { listenToWorker, type WorkerLike } from "../protocol/worker.ts";

/** How a Worker is bound. */
export interface WorkerOptions {
  /** What one message may hold (R13); only `bytes` counts here, the rest is the host's. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** Milliseconds to start and describe itself (R39); 10,000 by default. */
  readonly startMs?: number;
  /** Milliseconds in which a Worker that did not heed a cancel has to answer a ping (R41); 5,000 by default. */
  readonly graceMs?: number;
  /** What it is called in a transcript; `worker` by default. */
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
  private readonly pings: Pings;

  constructor(open: () => WorkerLike, options: WorkerOptions) {
    const { bytes: limit } = resolveLimits(options.limits);
    const { startMs = 10_000, concurrency, title = "worker" } = options;
    const uneasy = () => this.ping();
    super({ title, open: (inlet) => new WorkerChannel(open, inlet, { limit, uneasy }), startMs, concurrency });
    this.pings = new Pings(options.graceMs ?? 5_000);
  }

  /** A Worker that is well goes on for its other calls; only one that does not even answer a ping is ended (R41). */
  override abandon(ids: CallIds): void {
    super.abandon(ids);
    this.ping();
  }

  private ping(): void {
    const { live } = this;
    if (live !== undefined) this.pings.ping(live);
  }
}

export interface ChannelParts {
  /** The most bytes of one message. */
  readonly limit: number;
  /** Told when something went wrong in a Worker that may still be well. */
  readonly uneasy: () => void;
}

/** The way to one Worker. */
export class WorkerChannel implements Channel {
  private readonly worker: WorkerLike;
  private readonly inlet: Inlet;
  private readonly parts: ChannelParts;
  private hasStarted = false;
  private hasEnded = false;
  private lastError: string | undefined;

  constructor(open: () => WorkerLike, inlet: Inlet, parts: ChannelParts) {
    this.inlet = inlet;
    this.parts = parts;
    try {
      this.worker = open();
    } catch (cause) {
      throw new FlowError("start", `the Worker could not be made: ${reasonOf(cause)}`, { cause });
    }
    listenToWorker(this.worker, {
      message: (value) => this.take(value),
      unreadable: () => inlet.malformed("a message that cannot be read"),
      failed: (why) => this.failed(why),
      ended: (why) => this.end(this.lastError ?? why),
    });
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

  private take(data: unknown): void {
    if (this.hasEnded) return;
    if (typeof data !== "string") this.inlet.malformed(`a message that is no text but ${typeof data}`);
    else if (exceedsUtf8(data, this.parts.limit)) {
      const reader = new OversizedReader();
      reader.push(new TextEncoder().encode(data));
      this.inlet.oversized(reader.end());
    } else if (!this.isReady(data)) this.inlet.message(data);
  }

  private isReady(text: string): boolean {
    if (this.hasStarted) return false;
    const lock = readReady(text);
    if (lock === undefined) return false;
    this.hasStarted = true;
    if (lock !== "") this.watch(lock);
    this.inlet.ready();
    return true;
  }

  /** A page is not told when a Worker closes itself or is killed; the lock it held until then tells. */
  private watch(lock: string): void {
    const { locks } = (globalThis as { navigator?: { locks?: LockManager } }).navigator ?? {};
    locks?.request(lock, () => this.end("it closed itself, or was ended from outside")).catch(() => {});
  }

  private failed(why: string): void {
    const reason = `it stopped with an error: ${why}`;
    this.lastError = reason;
    if (!this.hasStarted) this.end(reason);
    else {
      // Node says next that it has ended. In a page it goes on, if only it can.
      this.inlet.log(`an error in the Worker that nobody caught: ${why}`);
      this.parts.uneasy();
    }
  }

  private end(reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.inlet.ended(reason);
    this.worker.terminate();
  }
}
