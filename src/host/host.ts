/** The host: it starts runs of programs over bindings, and takes them up again from their histories. */
import { FlowError, isFlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { childPointer } from "../json/pointer.ts";
import type { Binding } from "../protocol/binding.ts";
import { DATA_VERSION } from "../signature/dataversion.ts";
import { Binder, type Bindings, type Configured, refused } from "./binder.ts";
import type { OpenCall } from "./call.ts";
import type { Dispatcher } from "./dispatch.ts";
import { baseLine, type CallEntry, type Entry, entryLine, type History, readHistory, recordedBase, servedLine } from "./history.ts";
import { GuardedHooks, type Hooks } from "./hooks.ts";
import { launch, type StartedRun } from "./launch.ts";
import { decodeInput, type Input, type Program, programTools } from "./program.ts";
import { type ReplayReport, replayHistory } from "./replay.ts";
import { Run, type RunShared } from "./run.ts";
import { randomRunId } from "./runid.ts";
import { LiveSource, type OutcomeSource, Playback } from "./source.ts";
import type { HistoryLog, HistoryStore } from "./store.ts";

export interface HostOptions extends Hooks {
  /** Implementations by declaration identity; they come before every other binding. */
  readonly bindings?: Bindings;
  /** The binding of a declaration without an override, such as its `flow.toml` names. */
  readonly configured?: Configured;
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

interface RunOptions<P extends Program> {
  /** What is run. */
  readonly program: P;
  /** Bindings of this run alone; they come before the host's. */
  readonly bindings?: Bindings;
}

/** How a run is started. */
export interface StartOptions<P extends Program = Program> extends RunOptions<P> {
  /** The run's input: JSON text of an object by parameter name, or the values themselves. Empty by default. */
  readonly input?: Input;
  /** The run's id, 1 to 256 bytes; a random one by default. */
  readonly run?: string;
  /** Where the history is written, line by line, before each outcome is given to the program. Not recorded by default. */
  readonly history?: HistoryStore;
  /** Where the program's local sources lie. Kept in the host's own record, so that a resume finds the same manifests. */
  readonly base?: string;
}

/** How a run is resumed. */
export interface ResumeOptions<P extends Program = Program> extends RunOptions<P> {
  /** The history, which is read and then written on. */
  readonly history: HistoryStore;
}

/** How a run is forked. */
export interface ForkOptions<P extends Program = Program> extends RunOptions<P> {
  /** The history to fork; it is only read. */
  readonly from: HistoryStore;
  /** The call to fork at: everything recorded before it is replayed. */
  readonly at: string;
  /** JSON text of that call's arguments by parameter name, decoded strictly, in place of the program's own. */
  readonly args?: string | Uint8Array;
  /** Where the new run's history is written. Not recorded by default. */
  readonly history?: HistoryStore;
  /** The new run's id; a random one by default. */
  readonly run?: string;
}

/** What a program's result resolves to. */
export type ResultOf<P extends Program> = Awaited<ReturnType<P["run"]>>;

/** Makes a host. It holds the queues of its bindings; disposing of it ends their implementations. */
export function createHost(options: HostOptions = {}): Host {
  return new Host(options);
}

/** Starts runs, and resumes, forks and replays them from their histories. Made by {@link createHost}. */
export class Host {
  private readonly options: HostOptions;
  private readonly limits: Limits;
  private readonly hooks: GuardedHooks;
  private readonly binder: Binder;
  private readonly listening: Map<Binding, () => void> = new Map();

  /** @internal Use {@link createHost}. */
  constructor(options: HostOptions) {
    this.options = options;
    this.limits = resolveLimits(options.limits);
    this.hooks = new GuardedHooks(options);
    const { describeMs = 10_000, mayStart, configured } = options;
    this.binder = new Binder({ describeMs, mayStart, configured, using: (binding) => this.listen(binding) });
  }

  /**
   * Starts a run: every Tool the program can reach is bound and described, and its input decoded, before anything is
   * recorded or the program's first line runs.
   * @throws FlowError (as a rejection) `refused` with every reason in `errors`; `usage` for an unusable run id;
   *   `history` where the store holds one already, `locked` where it is being written.
   */
  async start<P extends Program>(options: StartOptions<P>): Promise<StartedRun<ResultOf<P>>> {
    const { program, input = {}, run = randomRunId(), base } = options;
    requireRunId(run);
    const dispatchers = await this.bind(program, options.bindings, base);
    const { values, text } = this.decodeInput(program, input);
    return this.opened(options.history, async (log) => {
      requireEmpty(log);
      const live = new LiveSource(log);
      if (base !== undefined) await log?.note(baseLine(base));
      await live.append({ kind: "start", data: DATA_VERSION, run, input: text, tools: fingerprints(program) });
      const shared = this.shared({ id: run, source: live, dispatchers, log });
      return launch({ shared, tools: programTools(program, this.limits), live, log, playback: undefined }, (started) =>
        program.run(started, values),
      ) as StartedRun<ResultOf<P>>;
    });
  }

  /**
   * Answers a program from a history, with nothing bound and nothing to dispatch to.
   * @returns Whether the program did the same again, and the first divergence with both sides where it did not.
   * @throws FlowError (as a rejection) `history` for a damaged history, `version` for one of another data version
   */
  async replay<P extends Program>(options: ResumeOptions<P>): Promise<ReplayReport<ResultOf<P>>> {
    const { program } = options;
    const history = readHistory(await options.history.read());
    requireSameTools(history, program);
    const { values } = this.decodeInput(program, history.start.input);
    return replayHistory(history, {
      tools: programTools(program, this.limits),
      shared: (source) => this.shared({ id: history.start.run, source, dispatchers: undefined, log: undefined }),
      program: (run) => program.run(run, values) as ResultOf<P>,
    });
  }

  /**
   * Takes a run up where its history ends: what is settled is replayed, open calls are sent again under the same ids,
   * perhaps to other implementations that fit, and the program goes on.
   * @throws FlowError (as a rejection) as {@link start} and {@link replay} do; `ended` for a run that has its end.
   */
  async resume<P extends Program>(options: ResumeOptions<P>): Promise<StartedRun<ResultOf<P>>> {
    const { program } = options;
    return this.opened(options.history, async (log) => {
      const history = readHistory((log as HistoryLog).text);
      if (history.entries.some(({ kind }) => kind === "end"))
        throw new FlowError("ended", "the run has ended; it can be replayed or forked");
      requireSameTools(history, program);
      const dispatchers = await this.bind(program, options.bindings, recordedBase(await options.history.notes()));
      const { values } = this.decodeInput(program, history.start.input);
      const live = new LiveSource(log);
      const playback = new Playback(history.entries, live);
      const shared = this.shared({ id: history.start.run, source: playback, dispatchers, log });
      return launch({ shared, tools: programTools(program, this.limits), live, log, playback }, (run) =>
        program.run(run, values),
      ) as StartedRun<ResultOf<P>>;
    });
  }

  /**
   * Starts a new run that does what a recorded one did up to a call, and from there on goes its own way, perhaps with
   * other arguments for that call. Calls that were open at that point are made anew.
   * @throws FlowError (as a rejection) as {@link start} and {@link replay} do; `history` where it has no such call.
   */
  async fork<P extends Program>(options: ForkOptions<P>): Promise<StartedRun<ResultOf<P>>> {
    const { program, from, at, args, run = randomRunId() } = options;
    requireRunId(run);
    const history = readHistory(await from.read());
    requireSameTools(history, program);
    const { kept, call } = forkPoint(history, at);
    const tools = programTools(program, this.limits);
    const supplied =
      args === undefined
        ? undefined
        : (tools.get(call.tool) as NonNullable<ReturnType<typeof tools.get>>).typesOf(call).decodeArguments(args);
    const base = recordedBase(await from.notes());
    const dispatchers = await this.bind(program, options.bindings, base);
    const { values } = this.decodeInput(program, history.start.input);
    return this.opened(options.history, async (log) => {
      requireEmpty(log);
      if (base !== undefined) await log?.note(baseLine(base));
      for (const entry of [{ ...history.start, run }, ...kept]) await log?.append(entryLine(entry));
      const live = new LiveSource(log);
      const playback = new Playback(kept, live);
      const shared = this.shared({
        id: run,
        source: playback,
        dispatchers,
        log,
        ...(supplied === undefined ? {} : { supplied: new Map([[at, supplied]]) }),
      });
      return launch({ shared, tools, live, log, playback }, (started) => program.run(started, values)) as StartedRun<ResultOf<P>>;
    });
  }

  /** Ends the implementations of every binding this host has used. */
  async [Symbol.asyncDispose](): Promise<void> {
    const bindings = [...this.listening];
    this.listening.clear();
    await Promise.all(
      bindings.map(async ([binding, stopListening]) => {
        await binding[Symbol.asyncDispose]();
        stopListening();
      }),
    );
  }

  /** Opens a store for as long as a run lasts; a run that does not start lets go of it. */
  private async opened<T>(store: HistoryStore | undefined, begin: (log: HistoryLog | undefined) => Promise<T>): Promise<T> {
    const log = await store?.open();
    try {
      return await begin(log);
    } catch (caught) {
      await log?.close();
      throw caught;
    }
  }

  private async bind(program: Program, own: Bindings | undefined, base: string | undefined): Promise<ReadonlyMap<string, Dispatcher>> {
    const overrides = new Map([...entriesOf(this.options.bindings), ...entriesOf(own)]);
    return this.binder.bind(program.tools.tools, overrides, base);
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

  private shared(parts: {
    id: string;
    source: OutcomeSource;
    dispatchers: ReadonlyMap<string, Dispatcher> | undefined;
    log: HistoryLog | undefined;
    supplied?: RunShared["supplied"];
  }): RunShared {
    const { graceMs = 5_000, now = () => performance.now() } = this.options;
    const { id, source, dispatchers, log, supplied = new Map() } = parts;
    return {
      id,
      limits: this.limits,
      graceMs,
      now,
      hooks: this.hooks,
      source,
      open: new Set<OpenCall>(),
      pending: new Set(),
      dispatchers,
      supplied,
      served: (call, binding) => log?.note(servedLine(call, binding)),
      nest: (outer, prefix, program: Program, input: Input) => this.nest(outer, prefix, program, input),
      life: { stopped: undefined },
    };
  }

  /** A nested run shares everything with the outer one but its program (R46). */
  private async nest(outer: RunShared, prefix: string, program: Program, input: Input): Promise<unknown> {
    const { values } = this.decodeInput(program, input);
    const dispatchers = await this.nestedDispatchers(outer, program);
    const shared: RunShared = { ...outer, dispatchers };
    return program.run(new Run(shared, programTools(program, this.limits), prefix), values);
  }

  private async nestedDispatchers({ dispatchers }: RunShared, program: Program): Promise<ReadonlyMap<string, Dispatcher> | undefined> {
    if (dispatchers === undefined) return undefined;
    const missing = program.tools.tools.filter(({ tool }) => !dispatchers.has(tool));
    if (missing.length === 0) return dispatchers;
    return new Map([
      ...dispatchers,
      ...(await this.bind({ ...program, tools: { ...program.tools, tools: missing } }, undefined, undefined)),
    ]);
  }
}

/** What a fork keeps of a history: what was settled before a call, in recorded order; and that call. */
function forkPoint(history: History, at: string): { kept: readonly Entry[]; call: CallEntry } {
  const index = history.entries.findIndex((entry) => entry.kind === "call" && entry.call === at);
  if (index < 0) throw new FlowError("history", `the history has no call ${JSON.stringify(at)}`);
  const before = history.entries.slice(0, index);
  const settled = new Set(before.flatMap((entry) => (entry.kind === "outcome" ? [entry.call] : [])));
  const kept = before.filter((entry) => (entry.kind === "call" || entry.kind === "outcome") && settled.has(entry.call));
  return { kept, call: history.entries[index] as CallEntry };
}

function fingerprints(program: Program): readonly (readonly [string, string])[] {
  return program.tools.tools.map(({ tool, fingerprint }) => [tool, fingerprint] as const);
}

/** @throws FlowError `divergence` where a program declares a Tool of its history otherwise, or not at all */
function requireSameTools(history: History, program: Program): void {
  const declared = new Map(fingerprints(program));
  for (const [tool, fingerprint] of history.start.tools) {
    if (declared.get(tool) === fingerprint) continue;
    const now = declared.has(tool) ? `it declares ${declared.get(tool)}` : "it does not declare it";
    throw new FlowError("divergence", `the history was made with ${tool} of ${fingerprint}, and the program differs: ${now}`, { tool });
  }
}

function requireEmpty(log: HistoryLog | undefined): void {
  if (log !== undefined && log.text !== "") throw new FlowError("history", "the store holds a history already; resume, replay or fork it");
}

function entriesOf(bindings: Bindings | undefined): Iterable<readonly [string, Binding]> {
  if (bindings === undefined) return [];
  return bindings instanceof Map ? bindings : Object.entries(bindings as Readonly<Record<string, Binding>>);
}

function requireRunId(run: string): void {
  if (run === "" || new TextEncoder().encode(run).length > 256) throw new FlowError("usage", "a run id is a string of 1 to 256 bytes");
}
