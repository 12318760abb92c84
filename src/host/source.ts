/** Where the outcomes of a run's calls come from: implementations, a history, or one after the other (R38). */
import { FlowError } from "../json/errors.ts";
import type { Outcome } from "../protocol/outcome.ts";
import { type CallEntry, type Entry, entryLine, type OutcomeEntry } from "./history.ts";
import type { HistoryLog } from "./store.ts";

/** A call as the program made it, with what it takes to answer it. */
export interface MadeCall {
  readonly entry: CallEntry;
  /** Sends it and waits for its outcome. */
  send(resent: boolean): Promise<Outcome>;
  /** The outcome in a recorded entry. @throws FlowError where it does not decode at the declared types */
  rebuild(entry: OutcomeEntry): Outcome;
  /** The entry of an outcome. */
  record(outcome: Outcome): OutcomeEntry;
}

export interface OutcomeSource {
  /** Whether it needs the text of a call's arguments, to record or to compare them. */
  readonly wantsText: boolean;
  /** @throws FlowError (as a rejection) `recorder`, `divergence` */
  outcomeOf(call: MadeCall): Promise<Outcome>;
  /** Ends what waits here for something other than an implementation. */
  abort(why: FlowError): void;
}

/** A source that can also send again what a history holds without an outcome. */
export interface LastSource extends OutcomeSource {
  resend(call: MadeCall): Promise<Outcome>;
}

/** Answers from implementations, and records. Without a log nothing is recorded. */
export class LiveSource implements LastSource {
  readonly wantsText: boolean;
  private readonly log: HistoryLog | undefined;

  constructor(log: HistoryLog | undefined) {
    this.log = log;
    this.wantsText = log !== undefined;
  }

  async outcomeOf(call: MadeCall): Promise<Outcome> {
    const stored = this.append(call.entry);
    if (stored !== undefined) await stored;
    return this.settle(call, false);
  }

  /** Sends again a call that the history holds without an outcome. */
  resend(call: MadeCall): Promise<Outcome> {
    return this.settle(call, true);
  }

  /** Calls that are out close by themselves. */
  abort(): void {}

  private async settle(call: MadeCall, resent: boolean): Promise<Outcome> {
    const outcome = await call.send(resent);
    if (this.log === undefined) return outcome;
    const stored = this.append(call.record(outcome));
    if (stored !== undefined) await stored;
    return outcome;
  }

  /** @throws FlowError `recorder` where the store does not keep the line */
  append(entry: Entry): Promise<void> | undefined {
    if (this.log === undefined) return undefined;
    try {
      return this.log.append(entryLine(entry))?.catch(refuseUnrecorded);
    } catch (cause) {
      return refuseUnrecorded(cause);
    }
  }
}

function refuseUnrecorded(cause: unknown): never {
  throw new FlowError("recorder", "the history could not be written, so the run stops", { cause });
}

interface Waiting {
  readonly deliver: (entry: OutcomeEntry | undefined) => void;
  readonly fail: (why: FlowError) => void;
}

/**
 * Answers from a history: outcomes in recorded order, each only once every call recorded before it was made again. So
 * programs with calls in parallel see what they saw.
 */
export class Playback implements OutcomeSource {
  readonly wantsText = true;
  private readonly entries: readonly Entry[];
  private readonly recorded: ReadonlyMap<string, CallEntry>;
  private readonly waiting = new Map<string, Waiting>();
  private readonly beyond: LastSource;
  private position = 0;
  private readonly made = new Set<string>();

  /**
   * @param entries What follows a history's start.
   * @param beyond Answers the calls that the history does not hold, or holds without an outcome.
   */
  constructor(entries: readonly Entry[], beyond: LastSource) {
    this.entries = entries;
    this.beyond = beyond;
    this.recorded = new Map(entries.flatMap((entry) => (entry.kind === "call" ? [[entry.call, entry]] : [])));
  }

  async outcomeOf(call: MadeCall): Promise<Outcome> {
    const recorded = this.recorded.get(call.entry.call);
    if (recorded === undefined) return this.beyond.outcomeOf(call);
    requireSame(recorded, call.entry);
    const entry = await new Promise<OutcomeEntry | undefined>((deliver, fail) => {
      this.waiting.set(recorded.call, { deliver, fail });
      this.made.add(recorded.call);
      this.advance();
    });
    return entry === undefined ? this.beyond.resend(call) : call.rebuild(entry);
  }

  abort(why: FlowError): void {
    for (const { fail } of this.waiting.values()) fail(why);
    this.waiting.clear();
    this.beyond.abort(why);
  }

  /** The first recorded call that was not made again, once the program has ended. */
  get unmade(): CallEntry | undefined {
    return [...this.recorded.values()].find((entry) => !this.made.has(entry.call));
  }

  /** Delivers every outcome whose turn it is; at the end of the history, what is still open goes on live. */
  private advance(): void {
    for (; this.position < this.entries.length; this.position++) {
      const entry = this.entries[this.position] as Entry;
      if (entry.kind === "call" && !this.made.has(entry.call)) return;
      if (entry.kind === "outcome") {
        this.waiting.get(entry.call)?.deliver(entry);
        this.waiting.delete(entry.call);
      }
    }
    for (const { deliver } of this.waiting.values()) deliver(undefined);
    this.waiting.clear();
  }
}

/** @throws FlowError `divergence` with both sides */
function requireSame(recorded: CallEntry, made: CallEntry): void {
  for (const member of ["tool", "args", "schema", "types"] as const) {
    if (recorded[member] === made[member]) continue;
    throw new FlowError(
      "divergence",
      `call ${recorded.call} differs from the history in its ${member}: recorded ${shown(recorded[member])}, made ${shown(made[member])}`,
      { tool: made.tool },
    );
  }
}

function shown(text: string | undefined): string {
  if (text === undefined) return "none";
  return text.length <= 200 ? text : `${text.slice(0, 190)}…`;
}

/** What a replay does with calls that its history does not answer: it has nothing to dispatch to. */
export class NothingBeyond implements LastSource {
  readonly wantsText = true;
  /** Told when the history ends before an outcome that the program waits for. */
  private readonly ended: () => void;

  constructor(ended: () => void) {
    this.ended = ended;
  }

  outcomeOf(call: MadeCall): Promise<Outcome> {
    const { call: id, tool, args } = call.entry;
    throw new FlowError("divergence", `the program made call ${id} to ${tool} with ${shown(args)}, and the history has no such call`, {
      tool,
    });
  }

  abort(): void {}

  resend(): Promise<Outcome> {
    this.ended();
    return new Promise(() => {});
  }
}
