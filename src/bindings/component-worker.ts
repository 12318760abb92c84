/** An instance of a component in a Worker of its own, seen from the host's side. What crosses is text and compiled modules. */
import { FlowError } from "../json/errors.ts";
import { type Reply, reasonOf } from "../protocol/outcome.ts";
import { listenToWorker, type WorkerLike } from "../protocol/worker.ts";
import type { CallRecord, DescriptionRecord, GetCoreModule } from "./component-instance.ts";
import { type Cell, endedUnder } from "./component-keeper.ts";
import type { FromWorker, ToWorker } from "./component-server.ts";
import type { WasiGrants } from "./component-wasi.ts";

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
    listenToWorker(worker, {
      message: (message) => this.take(message as FromWorker),
      unreadable: () => this.end("a message of its Worker cannot be read"),
      // Whatever of it went wrong went wrong between calls or in the one call there is.
      failed: (why) => this.end(`its Worker failed: ${why}`),
      ended: (why) => this.end(`its Worker stopped: ${why}`),
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
