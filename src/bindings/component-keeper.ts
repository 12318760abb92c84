/** Keeps one instance of a component at hand: starts it, judges what it describes, and starts another when it has stopped. */
import { FlowError } from "../json/errors.ts";
import { DEEPEST_LIMIT } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { type JsonValue, jsonObject } from "../json/value.ts";
import type { CallMessage } from "../protocol/binding.ts";
import { type Description, readDescription, requireFit } from "../protocol/description.ts";
import { notRun, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import type { CallRecord, DescriptionRecord } from "./component-instance.ts";

/** A started instance, wherever it runs. */
export interface Cell {
  readonly described: DescriptionRecord;
  /** Why it takes no more calls. */
  readonly stopped: string | undefined;
  /** Called again only once the answer is there. Never rejects. */
  answer(call: CallRecord): Reply | Promise<Reply>;
  /** Ends it at once, whatever it is doing. */
  end(reason: string): void;
}

/**
 * Starts one.
 * @param signal Aborted when nobody waits for it any longer: what can be ended, is.
 * @throws FlowError (as a rejection) `import`, `shape` or `start`
 */
export type StartCell = (data: string, signal: AbortSignal) => Promise<Cell>;

export interface KeeperSettings {
  readonly start: StartCell;
  /** Milliseconds to start and describe itself (R39). */
  readonly startMs: number;
  readonly restarted: (reason: string) => void;
}

interface Kept {
  readonly cell: Cell;
  readonly description: Description;
  /** The fingerprint under which each Tool was called so far: judged once for each instance. */
  readonly fitting: Map<string, string>;
}

/** Calls come one at a time from each of its users, and may meet in its queue. */
export class Keeper {
  private readonly settings: KeeperSettings;
  private kept: Kept | undefined;
  private starting: Promise<Kept> | undefined;
  private giveUp: AbortController | undefined;
  /** Why the instance before ended; set until another has taken its place. */
  private ended: string | undefined;

  constructor(settings: KeeperSettings) {
    this.settings = settings;
  }

  async describe(data: string): Promise<Description> {
    return (this.live ?? (await this.running(data))).description;
  }

  /**
   * Has a call answered, by a new instance where the last one stopped.
   * @param gone Whether nobody waits any longer, asked at the last moment before the call goes out.
   */
  async call(message: CallMessage, data: string, gone: () => boolean): Promise<Reply> {
    let kept: Kept;
    try {
      kept = this.live ?? (await this.running(data));
      // Another call may have met the same instance, and ended it, since.
      while (kept !== this.live) kept = await this.running(data);
      requireKnownFit(kept, message);
    } catch (caught) {
      return notRun(`the component could not be started for the call: ${reasonOf(caught)}`);
    }
    if (gone()) return notRun("the call was cancelled before it was sent");
    const { run, call, tool, args, schema, types } = message;
    const answered = kept.cell.answer({ run, call, tool, args, schema, types });
    const reply = answered instanceof Promise ? await answered : answered;
    if (kept.cell.stopped !== undefined && this.kept === kept) this.forget(kept.cell.stopped);
    return reply;
  }

  /** Ends the instance. The next call gets another. */
  end(reason: string): void {
    const { kept } = this;
    this.kept = undefined;
    this.starting = undefined;
    this.giveUp?.abort();
    kept?.cell.end(reason);
  }

  /** Ends the instance in the middle of a call. */
  stop(reason: string): void {
    const { kept } = this;
    if (kept === undefined) return;
    kept.cell.end(reason);
    this.forget(reason);
  }

  private get live(): Kept | undefined {
    return this.kept?.cell.stopped === undefined ? this.kept : undefined;
  }

  private forget(reason: string): void {
    this.kept = undefined;
    this.ended = reason;
  }

  private running(data: string): Promise<Kept> {
    const { live } = this;
    if (live !== undefined) return Promise.resolve(live);
    if (this.starting === undefined) {
      if (this.kept?.cell.stopped !== undefined) this.forget(this.kept.cell.stopped);
      const starting: Promise<Kept> = this.start(data).then(
        (kept) => {
          if (this.starting === starting) this.take(kept);
          else kept.cell.end("the binding was closed");
          return kept;
        },
        (caught: unknown) => {
          if (this.starting === starting) this.starting = undefined;
          throw caught;
        },
      );
      this.starting = starting;
    }
    return this.starting;
  }

  private take(kept: Kept): void {
    this.starting = undefined;
    this.kept = kept;
    const { ended } = this;
    this.ended = undefined;
    if (ended !== undefined) this.settings.restarted(ended);
  }

  private async start(data: string): Promise<Kept> {
    const { startMs } = this.settings;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new FlowError("start", `it did not start and describe itself within ${startMs} ms`)), startMs);
    });
    const giveUp = new AbortController();
    this.giveUp = giveUp;
    const starting = this.settings.start(data, giveUp.signal);
    try {
      const cell = await Promise.race([starting, late]);
      try {
        return { cell, description: readDescription(descriptionJson(cell.described)), fitting: new Map() };
      } catch (caught) {
        cell.end("its description is not well formed");
        throw caught;
      }
    } catch (caught) {
      giveUp.abort();
      // Should it come up after all, nobody is there to use it.
      starting.then(
        (cell) => cell.end("it started too late"),
        () => {},
      );
      throw caught;
    } finally {
      clearTimeout(timer);
    }
  }
}

function requireKnownFit({ description, fitting }: Kept, { tool, fingerprint }: CallMessage): void {
  if (fitting.get(tool) === fingerprint) return;
  requireFit(description, tool, fingerprint);
  fitting.set(tool, fingerprint);
}

/**
 * The description with its signatures read; what the component wrote as their text must be JSON. Schemas nest deeper than values.
 * @throws FlowError `shape`
 */
export function descriptionJson(described: DescriptionRecord): JsonValue {
  const tools = described.served.map(({ tool, fingerprint, signature }, i) => {
    try {
      return jsonObject({ tool, fingerprint, signature: parseJson(signature, { depth: DEEPEST_LIMIT }) });
    } catch (cause) {
      const at = `/tools/${i}/signature`;
      throw new FlowError("shape", `a description that is not well formed: the signature of ${tool} is no JSON, ${reasonOf(cause)}`, {
        at,
        cause,
      });
    }
  });
  return jsonObject({ data: described.data, tools });
}

/** What a call gets whose instance was ended under it. */
export function endedUnder(reason: string): Reply {
  return unknown(`the component was ended during the call: ${reason}`);
}
