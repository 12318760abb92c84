/** The interface of every way to reach an implementation (*Binding*). The host knows nothing more of any of them. */
import type { Description } from "./description.ts";
import type { Reply } from "./outcome.ts";

/** The two ids that name a call, and the only correlation key there is. Strings of 1 to 256 UTF-8 bytes (R26). */
export interface CallIds {
  /** The id of the run. */
  readonly run: string;
  /** The id of the call, unique in its run. */
  readonly call: string;
}

/** A call on its way out. In process its values travel; everywhere else its canonical text does. */
export interface CallMessage extends CallIds {
  /** The declaration, as the program names it. */
  readonly tool: string;
  /** The declaration's fingerprint, by which an implementation that had to be started again is judged. */
  readonly fingerprint: string;
  /** The arguments by parameter name, checked. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Canonical text of the arguments object; empty for a binding that takes values, where nobody else wants it. */
  readonly args: string;
  /** For a generic call: the success type's schema and the types view, both canonical text. */
  readonly schema?: string;
  /** See `schema`. */
  readonly types?: string;
}

/** A message that changes nothing: a second, late or foreign reply, a line that is no message. */
export interface Dropped {
  /** Why it changes nothing: a reply was there before, its call is closed, there is no such call here, or it is no message. */
  readonly why: "second" | "late" | "foreign" | "malformed";
  /** The ids it names, where it names any. */
  readonly ids?: CallIds;
  /** What came, in a sentence for people. */
  readonly detail: string;
}

/** What a binding tells the host beside its answers. */
export interface BindingEvents {
  /** A message came and changes nothing. */
  dropped(message: Dropped): void;
  /** An implementation that had ended, for the reason given, was started again. */
  restarted(reason: string): void;
  /** A line for the host's log: an implementation's standard error, a server's log message. */
  log(line: string): void;
}

/**
 * One implementation, reachable.
 *
 * `call` resolves exactly once and never rejects; it alone knows whether the call reached the other side, so it
 * decides between NotRun and Unknown when something breaks.
 */
export interface Binding {
  /** What kind of implementation it is, for people: `function`, `component`, `process npx …`. */
  readonly title: string;
  /** Whether it takes the values of a call, so that their text need not be written for it. */
  readonly takesValues?: boolean;
  /** How many calls may be out at once; the host queues the rest. Unlimited where absent. */
  readonly concurrency?: number | undefined;
  /**
   * Starts the implementation if need be and asks what it serves.
   * @param data The host's data version.
   * @param signal Aborted when the host waits no longer.
   * @throws FlowError `shape`, `version`, `import` or `start`
   */
  describe(data: string, signal: AbortSignal): Promise<Description>;
  /** Makes a call. Resolves once, with the reply or with what became of the call; never rejects. */
  call(message: CallMessage): Promise<Reply>;
  /** Asks to stop work on a call. Proves nothing. */
  cancel(ids: CallIds): void;
  /** Says that nobody waits for a call any longer, after a cancel that was not heeded: what can be stopped, is. */
  abandon(ids: CallIds): void;
  /** Says that a run has ended, so that what was kept for it may serve another one. */
  finished?(run: string): void;
  /** Connects the binding with a host. A binding that is shared by hosts tells each of them. */
  listen(events: BindingEvents): () => void;
  /** Ends the implementation and whatever it holds. */
  [Symbol.asyncDispose](): Promise<void>;
}
