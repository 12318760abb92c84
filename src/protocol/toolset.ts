/**
 * What a served toolset is to the ways of serving it: what it declares, and an answer for each call. The ways know
 * nothing of types, the toolset nothing of messages.
 */
import type { CallIds } from "./binding.ts";
import type { CallParts } from "./messages.ts";
import type { Reply } from "./outcome.ts";

/** A call as it came. `args`, `schema` and `types` are JSON texts that nobody has judged yet. */
export interface ServedCall extends CallIds, CallParts {}

/** A call inside one process: the arguments are the values themselves, which the host has checked. */
export interface InProcessCall extends CallIds {
  /** The identity of the declaration, as the caller has it. */
  readonly tool: string;
  /** The arguments by parameter name. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where a call's signal is found: making one takes longer than most calls do, and most never look. */
export interface Stopping {
  /** Aborted when the host asks to stop. */
  readonly signal: AbortSignal;
}

/** Implementations of some Tools, ready to be served or bound: what `implement` makes. */
export interface Toolset {
  /**
   * The result of a describe response as JSON text: `{"data": …, "tools": […]}`.
   * @param data The host's data version. Whether the two go together, the host decides.
   */
  describe(data: string): string | Promise<string>;
  /**
   * Answers a call.
   * @param signal Aborted when the host asks to stop.
   * @returns The outcome as JSON text. A rejection becomes Unknown: nobody knows how far the author's code came.
   */
  answer(call: ServedCall, signal: AbortSignal): string | Promise<string>;
  /**
   * Answers a call of the same process without any text in between, where the toolset can.
   * @returns The reply; `undefined` where this call has to go the way of texts.
   */
  answerValues?(call: InProcessCall, stopping: Stopping): Promise<Reply | undefined>;
  /**
   * The same as {@link describe}, at once: for where nothing can be waited for, such as inside of a component. The fingerprints are
   * those that it was generated with, since a component has nothing to hash with.
   */
  describeNow?(): string;
  /** The same as {@link answer}, at once. */
  answerNow?(call: ServedCall): string;
}
