/**
 * One started implementation that takes and gives messages: its queue outwards, its requests, its end. How messages
 * travel is a channel's business, how a call is written in them a dialect's.
 */
import { FlowError } from "../json/errors.ts";
import type { CallIds, CallMessage } from "./binding.ts";
import type { Description } from "./description.ts";
import type { Listeners } from "./events.ts";
import { errorText, type Message, readMessage, requestText, responseText, shown } from "./messages.ts";
import { malformed, notRun, type Reply, reasonOf, unknown } from "./outcome.ts";
import type { Oversized } from "./oversized.ts";
import type { PendingCall, PendingCalls } from "./pending.ts";

/** The way out. */
export interface Channel {
  /**
   * Begins to hand over one message. The next one follows once the promise has settled, so that at any time at most one
   * message is between here and there; it does not reject.
   */
  send(text: string): Promise<void> | undefined;
  /** Ends the implementation in good order. Resolves once it has ended. */
  close(): Promise<void>;
  /** Ends it at once. Resolves once it has ended. */
  kill(): Promise<void>;
}

/** The way in, which a channel uses. */
export interface Inlet {
  /** The implementation can take messages. */
  ready(): void;
  /** A whole message came. */
  message(text: string): void;
  /** Something came that is no message. */
  malformed(detail: string): void;
  /** A message past the size limit came; what could be read out of it. */
  oversized(message: Oversized): void;
  /** No further message can reach the implementation; what it said before may still come. */
  closing(reason: string): void;
  /** Nothing more will come. */
  ended(reason: string): void;
  /** A line for the host's log. */
  log(line: string): void;
}

/** Starts an implementation, or connects with one. @throws FlowError `start`, or `permission`, where that fails at once */
export type OpenChannel = (inlet: Inlet) => Channel;

/** How calls are written in messages. */
export interface Dialect {
  /** What comes before the first call. */
  describe(session: Session, data: string): Promise<Description>;
  call(message: CallMessage): string;
  cancel(ids: CallIds): string;
  /** The reply in a message, where it is one. */
  replyIn(message: Message): { readonly ids: CallIds; readonly reply: Reply } | undefined;
  /** Whose reply a message past the size limit is. */
  idsIn(message: Oversized): CallIds | undefined;
  /** The result of a request that the implementation makes, as JSON text; undefined for one it may not make. */
  request?(method: string): string | undefined;
  /** A notification; whether it was one that may come. */
  notification?(method: string, params: string | undefined): boolean;
}

export interface SessionSettings {
  readonly open: OpenChannel;
  readonly dialect: Dialect;
  readonly calls: PendingCalls;
  readonly listeners: Listeners;
  /** Milliseconds to start and describe itself (R39). */
  readonly startMs: number;
}

/** So many answers may wait for an implementation that asks and does not read; an honest one has one or two. */
const MOST_UNREAD = 10_000;

interface Outgoing {
  readonly text: string;
  readonly call: PendingCall | undefined;
}

interface Request {
  resolve(result: string): void;
  reject(error: FlowError): void;
}

export class Session implements Inlet {
  /** Rejects with a FlowError `start`, `shape` or `version`. */
  readonly description: Promise<Description>;
  /** The same, once it is there, so that a call need not wait for what is known. */
  described: Description | undefined;
  /** Why it takes no more calls. */
  over: string | undefined;
  private readonly settings: SessionSettings;
  private readonly channel: Channel | undefined;
  private readonly queue = new Map<PendingCall, Outgoing>();
  /** What goes before any call: cancels and the messages of the way itself. */
  private readonly urgent: Outgoing[] = [];
  private readonly requests = new Map<string, Request>();
  private readonly becameReady: Promise<void>;
  private isReady: () => void = () => {};
  private sending = false;
  private hasEnded = false;

  constructor(settings: SessionSettings, data: string) {
    this.settings = settings;
    this.becameReady = new Promise((resolve) => {
      this.isReady = resolve;
    });
    try {
      this.channel = settings.open(this);
    } catch (caught) {
      this.over = reasonOf(caught);
      this.hasEnded = true;
      this.description = Promise.reject(caught);
      this.description.catch(() => {});
      return;
    }
    this.description = this.start(data);
    this.description.catch(() => {});
  }

  private async start(data: string): Promise<Description> {
    const { startMs, dialect } = this.settings;
    const late = setTimeout(() => this.fail(`it did not start and describe itself within ${startMs} ms`), startMs);
    try {
      // Requests of a session that has ended are rejected, so only the ready signal needs a race.
      this.requests.set("ready", { resolve: () => {}, reject: () => this.isReady() });
      await this.becameReady;
      this.requests.delete("ready");
      if (this.over !== undefined) throw new FlowError("start", this.over);
      this.described = await dialect.describe(this, data);
      return this.described;
    } catch (caught) {
      this.fail(reasonOf(caught));
      throw caught;
    } finally {
      clearTimeout(late);
    }
  }

  /** Hands a call to the queue. */
  submit(call: PendingCall, message: CallMessage): void {
    const { calls, dialect } = this.settings;
    if (this.over !== undefined) {
      calls.close(call, notRun(`the implementation ended before the call was sent: ${this.over}`));
      return;
    }
    let text: string;
    try {
      text = dialect.call(message);
    } catch (caught) {
      calls.close(call, notRun(`the call cannot be written: ${reasonOf(caught)}`));
      return;
    }
    call.owner = this;
    this.queue.set(call, { text, call });
    this.pump();
  }

  /** Asks to stop work on a call. What has not gone out yet, never does. */
  cancel(call: PendingCall): void {
    if (call.begun) this.send(this.settings.dialect.cancel(call.ids));
    else {
      this.queue.delete(call);
      this.settings.calls.close(call, notRun("the call was cancelled before it was sent"));
    }
  }

  /** Sends a message that is no call. */
  send(text: string): void {
    if (this.over !== undefined) return;
    this.urgent.push({ text, call: undefined });
    this.pump();
  }

  /**
   * Makes a request.
   * @returns Its result as JSON text.
   * @throws FlowError `start` where the implementation ends first, `shape` for an error response
   */
  request(id: string | number, method: string, params: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.over !== undefined) {
        reject(new FlowError("start", this.over));
        return;
      }
      this.requests.set(JSON.stringify(id), { resolve, reject });
      this.send(requestText(id, method, params));
    });
  }

  /** Forgets a request. What still comes for it is foreign. */
  forget(id: string | number): void {
    this.requests.delete(JSON.stringify(id));
  }

  /** Ends the implementation because it cannot be worked with. */
  fail(reason: string): void {
    if (this.hasEnded) return;
    this.ended(reason);
    void this.channel?.kill();
  }

  /** Ends it in good order; replies that still come count. */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    this.closing("the binding was closed");
    await this.channel?.close();
    this.ended("the binding was closed");
  }

  ready(): void {
    this.isReady();
  }

  message(text: string): void {
    if (this.hasEnded) return;
    const { calls, dialect } = this.settings;
    const message = readMessage(text);
    const answer = dialect.replyIn(message);
    if (answer !== undefined) {
      calls.answer(answer.ids, answer.reply, this);
      return;
    }
    switch (message.kind) {
      case "response":
        this.respond(message.id, message.result, message.error);
        return;
      case "request":
        this.asked(message.id, message.method);
        return;
      case "notification":
        if (dialect.notification?.(message.method, message.params) !== true) {
          this.malformed(`an unknown notification ${shown(message.method)}`);
        }
        return;
      case "malformed":
        this.malformed(message.detail);
        return;
      default:
        this.malformed(`a message that only a host sends: ${message.kind}`);
    }
  }

  malformed(detail: string): void {
    this.settings.calls.drop({ why: "malformed", detail });
  }

  oversized(message: Oversized): void {
    if (this.hasEnded) return;
    const ids = this.settings.dialect.idsIn(message);
    if (ids !== undefined) {
      this.settings.calls.answer(ids, malformed("a reply past the size limit (limit bytes)"), this);
    } else if (message.kind === "response") {
      const request = this.requests.get(message.id);
      this.requests.delete(message.id);
      if (request === undefined) this.malformed("a response past the size limit to no request");
      else request.reject(new FlowError("shape", "a response past the size limit"));
    } else if (message.kind === "unreadable") {
      // One of the open calls may have been answered here, and nobody can say which (R28).
      this.fail(`it sent a message past the size limit that cannot be told apart: ${message.detail}`);
    } else {
      this.malformed(message.kind === "other" ? message.detail : `a ${message.kind} past the size limit`);
    }
  }

  closing(reason: string): void {
    if (this.over !== undefined) return;
    this.over = reason;
    this.urgent.length = 0;
    // Nothing else may follow the message that is on its way now, so those behind it are known not to have gone.
    for (const call of [...this.queue.keys()]) {
      this.settings.calls.close(call, notRun(`the implementation ended before the call was sent: ${reason}`));
    }
    this.queue.clear();
    for (const { reject } of this.requests.values()) reject(new FlowError("start", reason));
    this.requests.clear();
  }

  ended(reason: string): void {
    if (this.hasEnded) return;
    this.closing(reason);
    this.hasEnded = true;
    // How it ended says more than what was noticed of it first.
    this.over = reason;
    this.settings.calls.closeOwned(this, () => unknown(`the implementation ended without a reply: ${reason}`));
    this.isReady();
  }

  log(line: string): void {
    this.settings.listeners.log(line);
  }

  private respond(id: string, result: string | undefined, error: string | undefined): void {
    const request = this.requests.get(id);
    if (request === undefined) {
      this.settings.calls.drop({ why: "foreign", detail: `a response to no request: id ${shown(id)}` });
      return;
    }
    this.requests.delete(id);
    if (result !== undefined) request.resolve(result);
    else request.reject(new FlowError("shape", `an error in place of a result: ${(error as string).slice(0, 400)}`));
  }

  private asked(id: string, method: string): void {
    const { request } = this.settings.dialect;
    // A host that offers nothing to ask for drops what asks (R28).
    if (request === undefined) {
      this.malformed(`a request ${shown(method)}`);
      return;
    }
    if (this.urgent.length >= MOST_UNREAD) {
      this.fail("it asks and does not read the answers");
      return;
    }
    const result = request(method);
    this.send(result === undefined ? errorText(id, -32601, `the method ${shown(method)} is not offered`) : responseText(id, result));
  }

  private pump(): void {
    while (!this.sending && this.over === undefined) {
      const next = this.urgent.shift() ?? this.queue.values().next().value;
      if (next === undefined) return;
      if (next.call !== undefined) {
        this.queue.delete(next.call);
        next.call.begun = true;
      }
      const sent = this.channel?.send(next.text);
      if (sent === undefined) continue;
      this.sending = true;
      void sent.then(() => {
        this.sending = false;
        this.pump();
      });
    }
  }
}
