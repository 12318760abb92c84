/**
 * A provider elsewhere, reached over messages: in a child process, in a Worker, or behind any other channel. It is
 * started for the first call, and again for the next one after it has ended.
 */

import { WorkerChannel } from "../../bindings/worker.ts";
import { FlowError, isFlowError } from "../../json/errors.ts";
import type { BindingEvents, CallIds, CallMessage } from "../../protocol/binding.ts";
import { Listeners } from "../../protocol/events.ts";
import { type Message, requestText } from "../../protocol/messages.ts";
import { notRun, type Reply, reasonOf } from "../../protocol/outcome.ts";
import type { Oversized } from "../../protocol/oversized.ts";
import { type PendingCall, PendingCalls } from "../../protocol/pending.ts";
import { Pings } from "../../protocol/ping.ts";
import { type Dialect, type OpenChannel, Session } from "../../protocol/session.ts";
import type { WorkerLike } from "../../protocol/worker.ts";
import { callFailure, stoppedBy } from "../failure.ts";
import { isLocalName } from "../identity.ts";
import { canonicalJson1 } from "../json1.ts";
import { Json1Text, type Json1Value } from "../model.ts";
import type { EffectProvider, FlowProvider } from "../providers.ts";
import { cancelRequestText, failureIn, MESSAGE_BYTES } from "./messages.ts";

export type { BindingEvents, Dropped } from "../../protocol/binding.ts";
export type { Oversized } from "../../protocol/oversized.ts";
export type { Channel, Inlet, OpenChannel } from "../../protocol/session.ts";
export type { WorkerLike } from "../../protocol/worker.ts";

/** The way to providers that are elsewhere. */
export interface ContractConnection {
  /** The provider of a slot of `effect/call`, by the name that the other side gave it. */
  effect(slot: string): EffectProvider;
  /** The provider of a slot of `flow/call`. */
  flow(slot: string): FlowProvider;
  /** Tells of messages that changed nothing, of restarts, and of what the other side writes to its log. */
  listen(events: BindingEvents): () => void;
  /** Ends the other side, as far as it was started from here. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a provider elsewhere is reached. */
export interface ConnectionOptions {
  /** Milliseconds that the other side has to start and answer a ping; 10,000 by default. */
  readonly startMs?: number;
  /** Milliseconds that a cancelled call has to be answered; 5,000 by default. */
  readonly graceMs?: number;
}

/** Sends one request and brings its result, or the failure. */
export type Exchange = (method: "effect/call" | "flow/call", params: Json1Value, signal: AbortSignal) => Promise<unknown>;

/** The providers of a slot over an exchange. */
export function providersOver(exchange: Exchange): Pick<ContractConnection, "effect" | "flow"> {
  return {
    effect(slot) {
      requireSlot(slot);
      return { call: ({ operationId, method, input, signal }) => exchange("effect/call", { operationId, slot, method, input }, signal) };
    },
    flow(slot) {
      requireSlot(slot);
      return {
        call: ({ operationId, input, intent, signal }) =>
          exchange("flow/call", { operationId, slot, input, ...(intent === undefined ? {} : { intent }) }, signal),
      };
    },
  };
}

function requireSlot(slot: string): void {
  if (!isLocalName(slot)) throw new FlowError("usage", `${JSON.stringify(slot)} cannot be the name of a slot`);
}

/**
 * Connects with a provider behind a channel, such as `openProcess` of `flow-host/node` makes one for a child process
 * that serves with `serveContractLines`.
 */
export function connectChannel(open: OpenChannel, options: ConnectionOptions = {}): ContractConnection {
  return new ChannelConnection(open, options);
}

/**
 * Connects with a provider in a Worker that serves with `serveContractWorker`.
 * @param open Makes the Worker.
 */
export function connectWorker(open: () => WorkerLike, options: ConnectionOptions = {}): ContractConnection {
  const pings = new Pings(options.graceMs ?? 5_000);
  // A Worker that does not heed a cancel may still be well; one that does not even answer a ping is ended.
  const uneasy = (): void => {
    const { live } = connection;
    if (live !== undefined) pings.ping(live);
  };
  const connection: ChannelConnection = new ChannelConnection(
    (inlet) => new WorkerChannel(open, inlet, { limit: MESSAGE_BYTES, uneasy }),
    options,
    uneasy,
  );
  return connection;
}

/** All requests of a connection are one run's to the table of open calls; their ids count from one. */
const RUN = "contract";

const DIALECT: Dialect = {
  /** Any answer will do, also that there is no such method: who answers is there, and was reached before any call. */
  async describe(session) {
    try {
      await session.request("start", "ping", "{}");
    } catch (caught) {
      if (!isFlowError(caught) || caught.code !== "shape") throw caught;
    }
    return { data: "", tools: [] };
  },
  call: ({ call, tool, args }) => requestText(call, tool, args),
  cancel: ({ call }) => cancelRequestText(JSON.stringify(call)),
  replyIn(message: Message) {
    const ids = message.kind === "response" ? idsOf(message.id) : undefined;
    if (ids === undefined || message.kind !== "response") return undefined;
    const { result, error } = message;
    const reply: Reply = result === undefined ? { tag: "Failed", text: error as string } : { tag: "Ok", text: result };
    return { ids, reply };
  },
  idsIn(message: Oversized) {
    return message.kind === "response" ? idsOf(message.id) : undefined;
  },
};

/** The ids of a request of a call; the connection's own are named. */
function idsOf(id: string): CallIds | undefined {
  return /^"[1-9][0-9]*"$/.test(id) ? { run: RUN, call: id.slice(1, -1) } : undefined;
}

class ChannelConnection implements ContractConnection {
  readonly effect: ContractConnection["effect"];
  readonly flow: ContractConnection["flow"];
  private readonly open: OpenChannel;
  private readonly options: ConnectionOptions;
  private readonly unheeded: () => void;
  private readonly listeners = new Listeners();
  private readonly calls = new PendingCalls(this.listeners);
  private session: Session | undefined;
  private made = 0;
  private isClosed = false;

  /** @param unheeded Told of a cancel that was not answered in time. */
  constructor(open: OpenChannel, options: ConnectionOptions, unheeded: () => void = () => {}) {
    this.open = open;
    this.options = options;
    this.unheeded = unheeded;
    const { effect, flow } = providersOver((method, params, signal) => this.exchange(method, params, signal));
    this.effect = effect;
    this.flow = flow;
  }

  /** The session that takes calls at present, where there is one. */
  get live(): Session | undefined {
    return this.session?.over === undefined ? this.session : undefined;
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    const { session } = this;
    this.session = undefined;
    await session?.close();
  }

  private async exchange(method: string, params: Json1Value, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw stoppedBy(signal);
    const ids = { run: RUN, call: String(++this.made) };
    const call = this.calls.add(ids) as PendingCall;
    let grace: ReturnType<typeof setTimeout> | undefined;
    const stop = (): void => {
      grace = this.cancel(call);
    };
    signal.addEventListener("abort", stop);
    void this.send(call, { ...ids, tool: method, fingerprint: "", values: {}, args: canonicalJson1(params) });
    const reply = await call.reply;
    signal.removeEventListener("abort", stop);
    clearTimeout(grace);
    return resultOf(reply, signal);
  }

  private async send(call: PendingCall, message: CallMessage): Promise<void> {
    try {
      if (this.isClosed) throw new Error("the connection was closed");
      const session = this.current();
      if (session.described === undefined) await session.description;
      if (this.calls.isOpen(call)) session.submit(call, message);
    } catch (caught) {
      this.calls.close(call, notRun(`the provider could not be started for the call: ${reasonOf(caught)}`));
    }
  }

  /** Asks to stop work on a call; returns the timer that ends the waiting for its answer. */
  private cancel(call: PendingCall): ReturnType<typeof setTimeout> | undefined {
    if (!(call.owner instanceof Session)) {
      this.calls.close(call, notRun("the call was cancelled before it was sent"));
      return undefined;
    }
    call.owner.cancel(call);
    if (!this.calls.isOpen(call)) return undefined;
    return setTimeout(() => {
      this.calls.abandon(call.ids);
      this.unheeded();
    }, this.options.graceMs ?? 5_000);
  }

  private current(): Session {
    const { live, session: before, calls, listeners, open } = this;
    if (live !== undefined) return live;
    const { startMs = 10_000 } = this.options;
    const session = new Session({ open, dialect: DIALECT, calls, listeners, startMs }, "");
    this.session = session;
    if (before !== undefined) {
      session.description.then(
        () => listeners.restarted(before.over as string),
        () => {},
      );
    }
    return session;
  }
}

/** @throws FlowError why there is no result */
function resultOf(reply: Reply, signal: AbortSignal): unknown {
  if (reply.tag === "Ok" && "text" in reply) return new Json1Text(reply.text);
  if (reply.tag === "Failed" && "text" in reply) throw failureIn(reply.text as string, signal);
  const reason = "reason" in reply ? reply.reason : "";
  if (reply.tag === "Malformed") throw callFailure("INVALID_RESULT", reason);
  // Whoever has stopped knows as much as it wants to.
  if (signal.aborted) throw stoppedBy(signal);
  throw callFailure(reply.tag === "NotRun" ? "UNAVAILABLE" : "UNCERTAIN", reason);
}
