/** An instance of a component in a Worker of its own, seen from the host's side. What crosses is text and compiled modules. */
import { FlowError } from "../json/errors.ts";
import { type Reply, reasonOf } from "../protocol/outcome.ts";
import type { CallRecord, DescriptionRecord, GetCoreModule } from "./component-instance.ts";
import { type Cell, endedUnder } from "./component-keeper.ts";
import type { FromWorker, ToWorker } from "./component-server.ts";
import type { WasiGrants } from "./component-wasi.ts";

/** What is used of a Worker: one of a page, of Deno or Bun, or one of Node's `worker_threads`. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each runtime types its events in its own way, and all of them must fit
  addEventListener?(type: string, listener: (event: any) => void): void;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  on?(type: string, listener: (value: any) => void): unknown;
}

export interface WorkerParts {
  readonly open: () => WorkerLike;
  readonly getCoreModule: GetCoreModule;
  readonly wasi: WasiGrants;
  readonly log: (line: string) => void;
}

/**
 * Starts a Worker and an instance in it.
 * @throws FlowError (as a rejection) `import`, `shape` or `start`
 */
export function startWorkerCell(parts: WorkerParts, data: string, signal: AbortSignal): Promise<Cell> {
  return new Promise((resolve, reject) => {
    let worker: WorkerLike;
    try {
      worker = parts.open();
    } catch (cause) {
      reject(new FlowError("start", `the Worker could not be started: ${reasonOf(cause)}`, { cause }));
      return;
    }
    const cell = new WorkerCell(worker, parts, { resolve, reject });
    signal.addEventListener("abort", () => cell.end("nobody waits for it any longer"), { once: true });
    cell.post({ start: data, wasi: { ...parts.wasi } });
  });
}

interface Starting {
  readonly resolve: (cell: Cell) => void;
  readonly reject: (error: FlowError) => void;
}

class WorkerCell implements Cell {
  described: DescriptionRecord = { data: "", served: [] };
  stopped: string | undefined;
  private readonly worker: WorkerLike;
  private readonly parts: WorkerParts;
  private readonly starting: Starting;
  private waiting: ((reply: Reply) => void) | undefined;

  constructor(worker: WorkerLike, parts: WorkerParts, starting: Starting) {
    this.worker = worker;
    this.parts = parts;
    this.starting = starting;
    listen(worker, {
      message: (message) => this.take(message as FromWorker),
      ended: (reason) => this.end(reason),
    });
  }

  post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  answer(call: CallRecord): Promise<Reply> {
    return new Promise((resolve) => {
      if (this.stopped !== undefined) {
        resolve(endedUnder(this.stopped));
        return;
      }
      this.waiting = resolve;
      this.post({ call });
    });
  }

  end(reason: string): void {
    if (this.stopped !== undefined) return;
    this.stopped = reason;
    this.worker.terminate();
    this.starting.reject(new FlowError("start", `the component did not start: ${reason}`));
    this.waiting?.(endedUnder(reason));
    this.waiting = undefined;
  }

  private take(message: FromWorker): void {
    if (this.stopped !== undefined) return;
    if ("log" in message) this.parts.log(message.log);
    else if ("core" in message) void this.give(message.core);
    else if ("described" in message) {
      this.described = message.described;
      this.starting.resolve(this);
    } else if ("fault" in message) {
      const { code, reason } = message.fault;
      this.starting.reject(new FlowError(code, reason));
      this.end(reason);
    } else if ("reply" in message) {
      const { waiting } = this;
      this.waiting = undefined;
      waiting?.(message.reply);
      if (message.stopped !== undefined) this.end(message.stopped);
    }
  }

  /** Compiled modules are shared among threads, so they are compiled once for all instances. */
  private async give(path: string): Promise<void> {
    try {
      this.post({ core: path, module: await this.parts.getCoreModule(path) });
    } catch (caught) {
      this.end(`there is no core module ${path}: ${reasonOf(caught)}`);
    }
  }
}

/** The two ways to hear of a Worker. */
function listen(worker: WorkerLike, to: { message(value: unknown): void; ended(reason: string): void }): void {
  if (worker.on !== undefined) {
    worker.on("message", (value: unknown) => to.message(value));
    worker.on("messageerror", () => to.ended("a message could not be read"));
    worker.on("error", (error: unknown) => to.ended(`the Worker failed: ${reasonOf(error)}`));
    worker.on("exit", (status: unknown) => to.ended(`the Worker ended with status ${String(status)}`));
    return;
  }
  worker.addEventListener?.("message", (event: MessageEvent) => to.message(event.data));
  worker.addEventListener?.("messageerror", () => to.ended("a message could not be read"));
  worker.addEventListener?.("error", (event: ErrorEvent) => {
    // Deno takes an error that nobody prevents for its own.
    event.preventDefault?.();
    to.ended(`the Worker failed: ${event.message ?? "its script could not be run"}`);
  });
}
