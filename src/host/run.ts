/** One run of a program: its calls, their numbers, their end. */
import type { Codec } from "../codec/codec.ts";
import { FlowError } from "../json/errors.ts";
import type { Limits } from "../json/limits.ts";
import { canonicalText } from "../json/write.ts";
import type { CallMessage } from "../protocol/binding.ts";
import { type Outcome, outcomeText } from "../protocol/outcome.ts";
import { type GenericTypes, writeCallViews } from "../signature/writeview.ts";
import { OpenCall } from "./call.ts";
import type { Dispatcher } from "./dispatch.ts";
import { type CallEntry, type OutcomeEntry, wellFormed } from "./history.ts";
import type { GuardedHooks } from "./hooks.ts";
import type { ProgramTool } from "./program.ts";
import type { MadeCall, OutcomeSource } from "./source.ts";
import type { CallTypes } from "./types.ts";

/** How one call is made. */
export interface CallOptions {
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which the call is cancelled. */
  readonly timeoutMs?: number;
  /** For a generic Tool: the type of each of its parameters, and the templates those name. */
  readonly types?: GenericTypes;
}

/** Whether a run takes calls; one object for the run and all that is nested in it. */
export interface Life {
  /** Why it takes no more. */
  stopped: FlowError | undefined;
}

/** What a run and its nested runs share. */
export interface RunShared {
  readonly id: string;
  readonly limits: Limits;
  readonly graceMs: number;
  readonly now: () => number;
  readonly hooks: GuardedHooks;
  readonly source: OutcomeSource;
  /** Calls that are out or queued. */
  readonly open: Set<OpenCall>;
  /** Every call that the program has made and that is not yet answered and recorded. */
  readonly pending: Set<Promise<Outcome>>;
  /** The dispatcher of each Tool of the run; `undefined` while a history is replayed, which binds nothing. */
  readonly dispatchers: ReadonlyMap<string, Dispatcher> | undefined;
  /** Arguments that a fork supplies, by call id, in place of the program's own. */
  readonly supplied: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Told which implementation a call goes to; what it returns settles once that is kept. */
  readonly served: (call: string, binding: string) => void | Promise<void>;
  /** Starts a nested run. */
  readonly nest: Nest;
  readonly life: Life;
}

// biome-ignore lint/suspicious/noExplicitAny: the host closes the circle of programs and runs
export type Nest = (shared: RunShared, prefix: string, program: any, input: any) => Promise<unknown>;

/** The calls of one run, or of one nested run. */
export class Run {
  private readonly shared: RunShared;
  private readonly tools: ReadonlyMap<string, ProgramTool>;
  /** What stands before this run's own call numbers: nothing, or the outer call's path and a point (R30). */
  private readonly prefix: string;
  private made = 0;

  /** @internal */
  constructor(shared: RunShared, tools: ReadonlyMap<string, ProgramTool>, prefix: string) {
    this.shared = shared;
    this.tools = tools;
    this.prefix = prefix;
  }

  /** The run's id, which its nested runs share. */
  get id(): string {
    return this.shared.id;
  }

  /**
   * Calls a Tool. Whatever happens to the call, its outcome is what the promise resolves to.
   * @param tool The declaration's identity, as the program's `tools` lists it.
   * @param args The arguments by parameter name.
   * @throws FlowError (as a rejection), before anything is recorded or sent: `unknown-tool` for one that is not
   *   listed, a code of R35 for arguments that are no values of their types. Later, only when the run itself stops:
   *   `recorder`, `divergence`, `ended`.
   */
  async call(tool: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Outcome> {
    const { shared } = this;
    if (shared.life.stopped !== undefined) throw shared.life.stopped;
    const declared = this.tools.get(tool);
    if (declared === undefined) throw new FlowError("unknown-tool", `the program does not list a Tool ${JSON.stringify(tool)}`, { tool });
    const views = declared.isGeneric || options.types !== undefined ? writeCallViews(declared.entry.spec, options.types) : NO_VIEWS;
    const types = declared.typesOf(views);
    const own = this.argumentsText(tool, types, args);
    const call = `${this.prefix}${++this.made}`;
    const supplied = shared.supplied.get(call);
    const text = supplied === undefined ? own : this.argumentsText(tool, types, supplied);
    const entry: CallEntry =
      views.types === undefined
        ? { kind: "call", call, tool, args: text }
        : { kind: "call", call, tool, args: text, schema: views.schema, types: views.types };
    const outcome = shared.source.outcomeOf(this.madeCall(entry, declared, types, supplied ?? args, options));
    shared.pending.add(outcome);
    try {
      return await outcome;
    } catch (caught) {
      throw this.stop(caught);
    } finally {
      shared.pending.delete(outcome);
    }
  }

  /**
   * Runs another program inside this run: it takes one call number, shares run id, bindings and history, and is
   * cancelled with this run (R46).
   * @returns What the program returned.
   */
  async nested<P extends NestedProgram>(program: P, input: Parameters<P["run"]>[1]): Promise<Awaited<ReturnType<P["run"]>>> {
    if (this.shared.life.stopped !== undefined) throw this.shared.life.stopped;
    const prefix = `${this.prefix}${++this.made}.`;
    return (await this.shared.nest(this.shared, prefix, program, input)) as Awaited<ReturnType<P["run"]>>;
  }

  /** The text of checked arguments; empty where neither a history nor the binding nor a hook wants it. */
  private argumentsText(tool: string, types: CallTypes, args: Readonly<Record<string, unknown>>): string {
    const { source, hooks, dispatchers } = this.shared;
    if (source.wantsText || hooks.wants("onCall") || dispatchers?.get(tool)?.binding.takesValues !== true)
      return types.encodeArguments(args);
    types.checkArguments(args);
    return "";
  }

  private madeCall(
    entry: CallEntry,
    declared: ProgramTool,
    types: CallTypes,
    values: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): MadeCall {
    return {
      entry,
      send: (resent) => this.send(entry, declared, types, values, options, resent),
      rebuild: (recorded) => rebuilt(recorded, types),
      record: (outcome) => recordedOutcome(entry.call, outcome, types),
    };
  }

  private async send(
    entry: CallEntry,
    declared: ProgramTool,
    types: CallTypes,
    values: Readonly<Record<string, unknown>>,
    options: CallOptions,
    resent: boolean,
  ): Promise<Outcome> {
    const { shared } = this;
    const { hooks, id: run, now } = shared;
    const { call, tool, args } = entry;
    const dispatcher = shared.dispatchers?.get(tool) as Dispatcher;
    const binding = dispatcher.binding.title;
    const noted = shared.served(call, binding);
    if (noted !== undefined) await noted;
    const message = messageOf(entry, run, declared.entry.fingerprint, values);
    const open = new OpenCall(message, dispatcher, types, {
      graceMs: shared.graceMs,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      resent,
      hooks,
    });
    if (hooks.wants("onCall")) hooks.call({ run, call, tool, binding, args, at: now() });
    shared.open.add(open);
    open.start();
    const outcome = await open.done;
    shared.open.delete(open);
    if (hooks.wants("onSettle")) {
      const text = () => {
        const { tag, content } = recordedOutcome(call, outcome, types);
        return outcomeText(tag, content);
      };
      hooks.settle({ run, call, tool, outcome, text, at: now() });
    }
    return outcome;
  }

  /** A fault of the run itself ends it: no further call is made, and those that are open are cancelled. */
  private stop(caught: unknown): unknown {
    const { shared } = this;
    if (caught instanceof FlowError && shared.life.stopped === undefined) {
      shared.life.stopped = caught;
      shared.source.abort(caught);
      for (const open of shared.open) open.cancel("the run stopped");
    }
    return caught;
  }
}

/** What a nested run takes; the same as a program, named here so that rooms stay in order. */
export interface NestedProgram {
  /** Makes the calls, given the nested run and its input. What it returns or throws is the result. */
  // biome-ignore lint/suspicious/noExplicitAny: any input
  run(run: Run, input: any): unknown;
}

const NO_VIEWS: { readonly schema?: undefined; readonly types?: undefined } = {};

/** Written out member by member: spreading the entry into it took a third of the time of a whole call in process. */
function messageOf(entry: CallEntry, run: string, fingerprint: string, values: Readonly<Record<string, unknown>>): CallMessage {
  const { call, tool, args, schema, types } = entry;
  if (schema === undefined || types === undefined) return { run, call, tool, fingerprint, values, args };
  return { run, call, tool, fingerprint, values, args, schema, types };
}

function recordedOutcome(call: string, outcome: Outcome, types: CallTypes): OutcomeEntry {
  const { tag } = outcome;
  const codec = codecOf(tag, types);
  const content = codec === undefined ? canonicalText(wellFormed(outcome.value as string)) : codec.encode(outcome.value);
  return { kind: "outcome", call, tag, content };
}

/** Rebuilding is not decoding: opaque types and host tokens are made again, as the program had them (R14). */
function rebuilt({ tag, content }: OutcomeEntry, types: CallTypes): Outcome {
  const codec = codecOf(tag, types);
  if (codec !== undefined) return { tag, value: codec.decode(content, { mode: "lenient", grant: "all" }) } as Outcome;
  return { tag, value: JSON.parse(content) as string } as Outcome;
}

function codecOf(tag: Outcome["tag"], types: CallTypes): Codec | undefined {
  return tag === "Ok" ? types.ok : tag === "Failed" ? types.err : undefined;
}
