/** The host: runs of programs over bindings, and what becomes of their histories. */
import { FlowError, isFlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { childPointer } from "../json/pointer.ts";
import type { Binding } from "../protocol/binding.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import type { ToolEntry } from "../signature/tools.ts";
import { Binder, type Bindings, refused } from "./binder.ts";
import type { OpenCall } from "./call.ts";
import type { Dispatcher } from "./dispatch.ts";
import { GuardedHooks, type Hooks } from "./hooks.ts";
import { decodeInput, type Input, type Program, programTools } from "./program.ts";
import { Run, type RunShared } from "./run.ts";
import { LiveSource, type OutcomeSource } from "./source.ts";
import type { HistoryLog, HistoryStore } from "./store.ts";

export interface HostOptions extends Hooks {
  /** Implementations by declaration identity; they come before every other binding. */
  readonly bindings?: Bindings;
  /** The binding of a declaration without an override, such as its `flow.toml` names. */
  readonly configured?: (tool: ToolEntry) => Binding | undefined | Promise<Binding | undefined>;
  /** Whether an implementation may start. Anything but `true` refuses it, a string with its reason. */
  readonly mayStart?: (tool: string, binding: Binding) => boolean | string | Promise<boolean | string>;
  /** What one message or value may hold (R13). */
  readonly limits?: Partial<Limits>;
  /** Milliseconds that a cancelled call has to answer (R29); 5,000 by default. */
  readonly graceMs?: number;
  /** Milliseconds that an implementation has to start and describe itself (R39); 10,000 by default. */
  readonly describeMs?: number;
  /** The clock of events, in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

export interface StartOptions<P extends Program = Program> {
  readonly program: P;
  /** The run's input: JSON text of an object by parameter name, or the values themselves. Empty by default. */
  readonly input?: Input;
  /** The run's id, 1 to 256 bytes; a random one by default. */
  readonly run?: string;
  /** Where the history is written, line by line, before each outcome is given to the program. Not recorded by default. */
  readonly history?: HistoryStore;
  /** Bindings of this run alone; they come before the host's. */
  readonly bindings?: Bindings;
}

/** A run that has started. */
export interface StartedRun<T = unknown> {
  readonly run: Run;
  /**
   * What the program returned, once every call it left open is closed and the history has its end.
   * Rejects with what the program threw, or with the FlowError that stopped the run.
   */
  readonly result: Promise<T>;
}

export type ResultOf<P extends Program> = Awaited<ReturnType<P["run"]>>;

/** Makes a host. It holds the queues of its bindings; closing it ends their implementations. */
export function createHost(options: HostOptions = {}): Host {
  return new Host(options);
}

export class Host {
  private readonly options: HostOptions;
  private readonly limits: Limits;
  private readonly hooks: GuardedHooks;
  private readonly binder: Binder;
  private readonly listening = new Map<Binding, () => void>();

  /** @internal Use {@link createHost}. */
  constructor(options: HostOptions) {
    this.options = options;
    this.limits = resolveLimits(options.limits);
    this.hooks = new GuardedHooks(options);
    const { describeMs = 10_000, mayStart, configured } = options;
    this.binder = new Binder({ describeMs, mayStart, configured });
  }

  /**
   * Starts a run: every Tool the program can reach is bound and described, and its input decoded, before anything is
   * recorded or the program's first line runs.
   * @throws FlowError (as a rejection) `refused` with every reason in `errors`
   */
  async start<P extends Program>(options: StartOptions<P>): Promise<StartedRun<ResultOf<P>>> {
    const { program, input = {}, run = crypto.randomUUID() } = options;
    requireRunId(run);
    const dispatchers = await this.bind(program, options.bindings);
    const decoded = this.decodeInput(program, input);
    const log = await options.history?.open();
    try {
      if (log !== undefined && log.text !== "") throw new FlowError("history", "the store holds a history already; resume or fork it");
      const live = new LiveSource(log);
      const tools = program.tools.tools.map(({ tool, fingerprint }) => [tool, fingerprint] as const);
      await live.append({ kind: "start", data: DATA_VERSION, run, input: decoded.text, tools });
      return this.launch(program, decoded.values, this.shared(run, live, dispatchers), live, log);
    } catch (caught) {
      await log?.close();
      throw caught;
    }
  }

  /** Ends the implementations of every binding this host has used. */
  async [Symbol.asyncDispose](): Promise<void> {
    const bindings = [...this.listening];
    this.listening.clear();
    await Promise.all(
      bindings.map(async ([binding, stopListening]) => {
        stopListening();
        await binding[Symbol.asyncDispose]();
      }),
    );
  }

  private async bind(program: Program, own: Bindings | undefined): Promise<ReadonlyMap<string, Dispatcher>> {
    const overrides = new Map([...entriesOf(this.options.bindings), ...entriesOf(own)]);
    const dispatchers = await this.binder.bind(program.tools.tools, overrides);
    for (const { binding } of dispatchers.values()) this.listen(binding);
    return dispatchers;
  }

  private listen(binding: Binding): void {
    if (this.listening.has(binding)) return;
    const { hooks } = this;
    const stop = binding.listen({
      dropped: (message) => hooks.drop({ ...message, binding: binding.title }),
      restarted: (reason) => hooks.restart({ binding: binding.title, reason }),
      log: (line) => hooks.log(line),
    });
    this.listening.set(binding, stop);
  }

  private decodeInput(program: Program, input: Input): ReturnType<typeof decodeInput> {
    try {
      return decodeInput(program, input, this.limits);
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const at = `${childPointer("", "input")}${String(caught.at)}`;
      throw refused([new FlowError(caught.code, `the run's input: ${caught.message}`, { at, cause: caught })]);
    }
  }

  private shared(id: string, source: OutcomeSource, dispatchers: ReadonlyMap<string, Dispatcher>): RunShared {
    const { graceMs = 5_000, now = () => performance.now() } = this.options;
    return {
      id,
      limits: this.limits,
      graceMs,
      now,
      hooks: this.hooks,
      source,
      open: new Set<OpenCall>(),
      dispatchers,
      nest: (outer, prefix, program: Program, input: Input) => this.nest(outer, prefix, program, input),
      stopped: undefined,
    };
  }

  private launch<P extends Program>(
    program: P,
    input: Readonly<Record<string, unknown>>,
    shared: RunShared,
    live: LiveSource,
    log: HistoryLog | undefined,
  ): StartedRun<ResultOf<P>> {
    const run = new Run(shared, programTools(program, this.limits), "");
    const result = this.toEnd(() => program.run(run, input) as ResultOf<P>, shared, live, log);
    // Whoever does not look at the result must not have the process ended by its rejection.
    result.catch(() => {});
    return { run, result };
  }

  /** Runs a program to its end, closes what it left open, and records the end. */
  private async toEnd<T>(program: () => T, shared: RunShared, live: LiveSource, log: HistoryLog | undefined): Promise<Awaited<T>> {
    let problem: string | null = null;
    try {
      const value = await program();
      if (shared.stopped !== undefined) throw shared.stopped;
      return value;
    } catch (caught) {
      problem = reasonOf(caught);
      throw shared.stopped ?? caught;
    } finally {
      const stopped = shared.stopped;
      shared.stopped ??= new FlowError("ended", "the run has ended and takes no more calls");
      await closeOpen(shared);
      try {
        // A run that was stopped by a fault of its history has nothing more to write in it.
        if (stopped === undefined) await live.append({ kind: "end", problem });
      } finally {
        await log?.close();
      }
    }
  }

  /** A nested run shares everything with the outer one but its program (R46). */
  private async nest(outer: RunShared, prefix: string, program: Program, input: Input): Promise<unknown> {
    const missing = program.tools.tools.filter(({ tool }) => !outer.dispatchers.has(tool));
    const bound = missing.length === 0 ? [] : await this.binder.bind(missing, new Map(entriesOf(this.options.bindings)));
    const { values } = this.decodeInput(program, input);
    const shared: RunShared = { ...outer, dispatchers: new Map([...outer.dispatchers, ...bound]) };
    return program.run(new Run(shared, programTools(program, this.limits), prefix), values);
  }
}

/** What a program left open when it ended is cancelled and awaited; each call closes by itself within the grace time. */
async function closeOpen(shared: RunShared): Promise<void> {
  const open = [...shared.open];
  for (const call of open) call.cancel("the run ended");
  await Promise.all(open.map((call) => call.done));
}

function entriesOf(bindings: Bindings | undefined): Iterable<readonly [string, Binding]> {
  if (bindings === undefined) return [];
  return bindings instanceof Map ? bindings : Object.entries(bindings as Readonly<Record<string, Binding>>);
}

function requireRunId(run: string): void {
  if (run === "" || new TextEncoder().encode(run).length > 256) throw new FlowError("usage", "a run id is a string of 1 to 256 bytes");
}
