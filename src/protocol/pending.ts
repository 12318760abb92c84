/**
 * The calls that are out over messages, by run and call: the one correlation table there is (*The Tool process
 * protocol*). Each call is closed once; a reply to anything else is dropped, told of, and changes nothing.
 */
import type { CallIds, Dropped } from "./binding.ts";
import type { Listeners } from "./events.ts";
import { type Reply, unknown } from "./outcome.ts";

/** One call that waits for its reply. */
export interface PendingCall {
  readonly ids: CallIds;
  readonly reply: Promise<Reply>;
  /** Whether handing it to the implementation has begun, so that it may have happened. */
  begun: boolean;
  /** Whichever of a binding's implementations it is for; a reply from another one is foreign. */
  owner: unknown;
}

interface Entry extends PendingCall {
  readonly resolve: (reply: Reply) => void;
}

/** How many closed calls are remembered, so that what comes for them is called by its right name. */
const REMEMBERED = 4_096;

export class PendingCalls {
  private readonly listeners: Listeners;
  private readonly open = new Map<string, Entry>();
  /** Closed calls in the order they closed: whether a reply closed them. */
  private readonly closed = new Map<string, boolean>();

  constructor(listeners: Listeners) {
    this.listeners = listeners;
  }

  get size(): number {
    return this.open.size;
  }

  /** Opens a call; undefined where one with the same ids is out, since nobody could tell their replies apart. */
  add(ids: CallIds): PendingCall | undefined {
    const key = keyOf(ids);
    if (this.open.has(key)) return undefined;
    this.closed.delete(key);
    let resolve: (reply: Reply) => void = () => {};
    const reply = new Promise<Reply>((settle) => {
      resolve = settle;
    });
    const { run, call } = ids;
    const entry: Entry = { ids: { run, call }, reply, resolve, begun: false, owner: undefined };
    this.open.set(key, entry);
    return entry;
  }

  get(ids: CallIds): PendingCall | undefined {
    return this.open.get(keyOf(ids));
  }

  isOpen(call: PendingCall): boolean {
    return this.open.get(keyOf(call.ids)) === call;
  }

  /** Takes a reply that came from an implementation. */
  answer(ids: CallIds, reply: Reply, owner: unknown): void {
    const key = keyOf(ids);
    const entry = this.open.get(key);
    if (entry === undefined) {
      const answered = this.closed.get(key);
      const why = answered === undefined ? "foreign" : answered ? "second" : "late";
      this.drop({ why, ids, detail: DETAILS[why] });
    } else if (entry.owner !== owner || !entry.begun) {
      this.drop({ why: "foreign", ids, detail: "a reply from where the call was not sent" });
    } else {
      this.finish(key, entry, reply, true);
    }
  }

  /** Closes a call without a reply. What was closed before stays as it is. */
  close(call: PendingCall, reply: Reply): void {
    const key = keyOf(call.ids);
    const entry = this.open.get(key);
    if (entry === call) this.finish(key, entry, reply, false);
  }

  /** Closes a call nobody waits for any longer. Should its reply come after all, it is late. */
  abandon(ids: CallIds): void {
    const entry = this.get(ids);
    if (entry !== undefined) this.close(entry, unknown("nobody waited for the reply any longer"));
  }

  /** Closes every call of an implementation that ended. */
  closeOwned(owner: unknown, replyFor: (call: PendingCall) => Reply): void {
    for (const entry of [...this.open.values()]) if (entry.owner === owner) this.close(entry, replyFor(entry));
  }

  drop(message: Dropped): void {
    this.listeners.dropped(message);
  }

  private finish(key: string, entry: Entry, reply: Reply, answered: boolean): void {
    this.open.delete(key);
    this.closed.set(key, answered);
    if (this.closed.size > REMEMBERED) this.closed.delete(this.closed.keys().next().value as string);
    entry.resolve(reply);
  }
}

const DETAILS = {
  second: "a second reply for one call",
  late: "a reply after the call was closed",
  foreign: "a reply to no call that is out here",
} as const;

/** A text that no other pair of ids has. */
export function keyOf({ run, call }: CallIds): string {
  return `${run.length}:${run}${call}`;
}
