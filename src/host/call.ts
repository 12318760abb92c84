/** The life of one call: queued, sent, perhaps cancelled, closed exactly once (R29, R45). */
import { isFlowError } from "../json/errors.ts";
import type { CallMessage } from "../protocol/binding.ts";
import { notRun, type Outcome, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import type { Dispatcher, Waiting } from "./dispatch.ts";
import { wellFormed } from "./history.ts";
import type { GuardedHooks } from "./hooks.ts";
import type { CallTypes } from "./types.ts";

export interface CallSettings {
  /** How long a reply is waited for after a cancel. */
  readonly graceMs: number;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** Whether the call is sent again after a resume, so that it may have happened already (R45). */
  readonly resent: boolean;
  /** Told of a reply that comes after the call was closed. */
  readonly hooks: GuardedHooks;
}

type State = "new" | "queued" | "sent" | "closed";

/** One call. `done` resolves exactly once and never rejects. */
export class OpenCall implements Waiting {
  readonly done: Promise<Outcome>;
  readonly message: CallMessage;
  private readonly dispatcher: Dispatcher;
  private readonly types: CallTypes;
  private readonly settings: CallSettings;
  private state: State = "new";
  private cancelled: string | undefined;
  private aborted: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private grace: ReturnType<typeof setTimeout> | undefined;
  private resolve: (outcome: Outcome) => void = () => {};
  private free: () => void = () => {};

  constructor(message: CallMessage, dispatcher: Dispatcher, types: CallTypes, settings: CallSettings) {
    this.message = message;
    this.dispatcher = dispatcher;
    this.types = types;
    this.settings = settings;
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** Hands the call to its binding's queue. */
  start(): void {
    const { signal, timeoutMs } = this.settings;
    this.state = "queued";
    if (signal?.aborted === true) {
      this.cancel(abortReason(signal));
      return;
    }
    if (signal !== undefined) {
      this.aborted = () => this.cancel(abortReason(signal));
      signal.addEventListener("abort", this.aborted);
    }
    if (timeoutMs !== undefined) this.timer = setTimeout(() => this.cancel(`the call timed out after ${timeoutMs} ms`), timeoutMs);
    this.dispatcher.submit(this);
  }

  /** The dispatcher's word that there is a place: the call goes out now. */
  send(free: () => void): void {
    this.state = "sent";
    this.free = free;
    this.dispatcher.binding.call(this.message).then(
      (reply) => this.answered(reply),
      // A binding never rejects; should one do so all the same, nobody knows whether the call happened.
      (thrown: unknown) => this.answered(unknown(`the way to the Tool failed: ${reasonOf(thrown)}`)),
    );
  }

  private answered(reply: Reply): void {
    this.free();
    if (this.state !== "closed") this.close(reply);
    // What a binding itself says of a call that was given up is no late reply.
    else if (!("from" in reply && reply.from === "host")) this.late();
  }

  /** Asks to stop. What is still queued never happened; what was sent has the grace time to answer. */
  cancel(reason: string): void {
    if (this.cancelled !== undefined || this.state === "closed") return;
    this.cancelled = reason;
    if (this.state !== "sent") {
      this.dispatcher.withdraw(this);
      this.close(notRun(`${reason} before it was sent`));
      return;
    }
    const { graceMs } = this.settings;
    const { binding } = this.dispatcher;
    binding.cancel(this.message);
    this.grace = setTimeout(() => {
      if (this.state === "closed") return;
      this.close(unknown(`${reason}; no reply came within ${graceMs} ms`));
      binding.abandon(this.message);
      this.free();
    }, graceMs);
  }

  private late(): void {
    const { run, call } = this.message;
    const { title } = this.dispatcher.binding;
    this.settings.hooks.drop({ why: "late", ids: { run, call }, binding: title, detail: "a reply after the call was closed" });
  }

  private close(reply: Reply): void {
    this.state = "closed";
    clearTimeout(this.timer);
    clearTimeout(this.grace);
    if (this.aborted !== undefined) this.settings.signal?.removeEventListener("abort", this.aborted);
    this.resolve(admitted(this.outcomeOf(reply)));
  }

  private outcomeOf(reply: Reply): Outcome {
    switch (reply.tag) {
      case "Ok":
      case "Failed":
        try {
          const codec = reply.tag === "Ok" ? this.types.ok : this.types.err;
          return { tag: reply.tag, value: this.types.valueOf(codec, reply) };
        } catch (caught) {
          const why = isFlowError(caught) ? `${caught.code}: ${caught.message}` : reasonOf(caught);
          return { tag: "BadReply", value: `the ${reply.tag === "Ok" ? "success" : "error"} value does not decode, ${why}` };
        }
      case "Malformed":
        return { tag: "BadReply", value: reply.reason };
      case "NotRun":
        if (this.settings.resent && reply.from === "host") {
          return { tag: "Unknown", value: `the call was sent before and may have happened; this time it did not: ${reply.reason}` };
        }
        return { tag: "NotRun", value: reply.reason };
      case "Unknown":
        return { tag: "Unknown", value: reply.reason };
    }
  }
}

/** Reasons are Texts of the program, and of its history, whatever somebody threw. */
function admitted(outcome: Outcome): Outcome {
  const { tag, value } = outcome;
  return tag === "Ok" || tag === "Failed" ? outcome : { tag, value: wellFormed(value) };
}

function abortReason(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  const plain = reason instanceof DOMException && reason.name === "AbortError";
  return plain || reason === undefined ? "the call was cancelled" : `the call was cancelled (${reasonOf(reason)})`;
}
