/**
 * A WebAssembly component as a Tool (the WIT world `flow:tool/tool-component`). It is handed over transpiled: the glue's
 * `instantiate` and a function that gives its compiled core modules, so that nothing is compiled or fetched here and
 * it runs where compiling is forbidden.
 *
 * It runs in this thread, or in Workers of its own, where a call that never ends can be ended.
 */
import { FlowError } from "../json/errors.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import type { Description } from "../protocol/description.ts";
import { Listeners } from "../protocol/events.ts";
import { notRun, type Reply } from "../protocol/outcome.ts";
import type { WorkerLike } from "../protocol/worker.ts";
import { ComponentInstance, type GetCoreModule, type Instantiate } from "./component-instance.ts";
import { type Cell, endedUnder, Keeper, type StartCell } from "./component-keeper.ts";
import { grantWasi, type WasiGrants } from "./component-wasi.ts";
import { startWorkerCell } from "./component-worker.ts";

export type { GetCoreModule, Instantiate } from "./component-instance.ts";

interface CommonOptions {
  /** What of WASI it may use; nothing by default. What the grant `log` lets it write goes to the host's log. */
  readonly wasi?: WasiGrants;
  /** Milliseconds that an instance has to start and describe itself (R39); 10,000 by default. */
  readonly startMs?: number;
  /** What it is called in a transcript; `component` by default. */
  readonly title?: string;
}

/** A component in this thread. A call holds the thread until it ends. */
export interface ComponentOptions extends CommonOptions {
  /** In the host's own thread, where a call that loops cannot be ended. */
  readonly in?: "thread";
  /** What the component may import beside, by the name of the interface without its version; everything else refuses the binding. */
  readonly imports?: Readonly<Record<string, unknown>>;
}

/** A component in Workers. */
export interface ComponentWorkerOptions extends CommonOptions {
  /** In Workers, each of which holds one instance and is ended with a call that goes on past its grace time. */
  readonly in: "worker";
  /** How many instances there are at most, each in a Worker of its own and with one call at a time; 1 by default. */
  readonly instances?: number;
}

/** Binds a component in this thread. Instances are made on demand; one that trapped is never used again. */
export function bindComponent(instantiate: Instantiate, getCoreModule: GetCoreModule, options?: ComponentOptions): Binding;
/**
 * Binds a component in Workers: `worker` starts one with the file `worker.js` that `flow-host component build` writes
 * beside the component. A call that is cancelled and goes on past the grace time ends its Worker, and the next one gets
 * another; neighbours are not touched (R41). Where `terminate` does not stop a loop (Deno, Bun), the call is Unknown all the
 * same and the loop goes on: run such a component in a process (`process.js` beside it, for `bindProcess`).
 */
export function bindComponent(worker: () => WorkerLike, getCoreModule: GetCoreModule, options: ComponentWorkerOptions): Binding;
export function bindComponent(
  first: Instantiate | (() => WorkerLike),
  getCoreModule: GetCoreModule,
  options: ComponentOptions | ComponentWorkerOptions = {},
): Binding {
  const listeners = new Listeners();
  const log = (line: string) => listeners.log(line);
  const { wasi = {}, startMs = 10_000, title = "component" } = options;
  const isWorker = options.in === "worker";
  const instances = isWorker ? (options.instances ?? 1) : 1;
  if (!Number.isSafeInteger(instances) || instances < 1) {
    throw new FlowError("usage", `expected a whole number of instances of at least 1, met ${String(instances)}`);
  }
  const start: StartCell = isWorker
    ? (data, signal) => startWorkerCell({ open: first as () => WorkerLike, getCoreModule, wasi, log }, data, signal)
    : async (data) => {
        const imports = { ...grantWasi(wasi, log), ...(options as ComponentOptions).imports };
        return new ThreadCell(await ComponentInstance.start({ instantiate: first as Instantiate, getCoreModule, imports }, data));
      };
  return new ComponentBinding({ title, start, startMs, instances, isWorker, listeners });
}

interface Settings {
  readonly title: string;
  readonly start: StartCell;
  readonly startMs: number;
  readonly instances: number;
  readonly isWorker: boolean;
  readonly listeners: Listeners;
}

/** A call that has a place, or waits for one. */
interface Open {
  readonly ids: CallIds;
  gone: boolean;
  keeper: Keeper | undefined;
}

class ComponentBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly listeners: Listeners;
  private readonly idle: Keeper[];
  private readonly all: readonly Keeper[];
  private readonly waiting: ((keeper: Keeper) => void)[] = [];
  private readonly open = new Set<Open>();
  private data = "";

  constructor({ title, start, startMs, instances, isWorker, listeners }: Settings) {
    this.title = title;
    // In this thread a call has ended before the next one could begin, so there is nothing to queue.
    this.concurrency = isWorker ? instances : undefined;
    this.listeners = listeners;
    const restarted = (reason: string) => listeners.restarted(reason);
    this.all = Array.from({ length: instances }, () => new Keeper({ start, startMs, restarted }));
    this.idle = isWorker ? [...this.all] : [];
  }

  describe(data: string): Promise<Description> {
    this.data = data;
    return (this.all[0] as Keeper).describe(data);
  }

  async call(message: CallMessage): Promise<Reply> {
    if (this.concurrency === undefined) return (this.all[0] as Keeper).call(message, this.data, never);
    const open: Open = { ids: message, gone: false, keeper: undefined };
    this.open.add(open);
    const keeper = this.idle.shift() ?? (await new Promise<Keeper>((resolve) => this.waiting.push(resolve)));
    open.keeper = keeper;
    try {
      if (open.gone) return notRun("the call was cancelled before it was sent");
      return await keeper.call(message, this.data, () => open.gone);
    } finally {
      this.open.delete(open);
      const next = this.waiting.shift();
      // The one used last is the next to be used, so that no more are started than are needed.
      if (next === undefined) this.idle.unshift(keeper);
      else next(keeper);
    }
  }

  /** A component cannot be asked to stop, only be ended; until the grace time is over it may still answer. */
  cancel(_ids: CallIds): void {}

  abandon({ run, call }: CallIds): void {
    for (const open of this.open) {
      if (open.ids.run !== run || open.ids.call !== call) continue;
      open.gone = true;
      open.keeper?.stop("a call was cancelled and did not end within the grace time");
    }
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const keeper of this.all) keeper.end("the binding was closed");
  }
}

function never(): boolean {
  return false;
}

/** An instance in this thread: whoever could end it has to wait until its call has ended. */
class ThreadCell implements Cell {
  private readonly instance: ComponentInstance;

  constructor(instance: ComponentInstance) {
    this.instance = instance;
  }

  get described(): Cell["described"] {
    return this.instance.described;
  }

  get stopped(): string | undefined {
    return this.instance.stopped;
  }

  answer(call: Parameters<Cell["answer"]>[0]): Reply {
    return this.instance.stopped === undefined ? this.instance.answer(call) : endedUnder(this.instance.stopped);
  }

  end(reason: string): void {
    this.instance.stopped ??= reason;
  }
}
