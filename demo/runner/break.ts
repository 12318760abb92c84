/**
 * A Tool that does one thing wrong. The messages really go wrong: between the host and the implementation lies a way
 * that speaks the protocol, and what is said of the outcome is the host's own word.
 */
import {
  type Binding,
  type BindingEvents,
  bindFetch,
  bindWorker,
  type CallIds,
  type CallMessage,
  canonicalText,
  codecFor,
  type Description,
  type Reply,
  type ToolEntry,
  type WorkerLike,
} from "flow-host";
import { describedText } from "./described.ts";
import type { Fault } from "./messages.ts";

/** How long a program waits for a Tool that is switched to be late or silent, and the host after its cancel (R29). */
export const PATIENCE_MS = 500;
export const GRACE_MS = 300;
/** When a late reply comes: after both. */
const LATE_MS = PATIENCE_MS + GRACE_MS + 300;
/** How far a call has come when its Tool crashes or its connection is lost. */
const MIDDLE_MS = 60;

/** A number with more digits than any value may have. */
const TOO_LONG = "1e5000";

export function bindBroken(inner: Binding, entry: ToolEntry, fault: Fault): Binding {
  return new Broken(inner, entry, fault);
}

class Broken implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly inner: Binding;
  private readonly entry: ToolEntry;
  private readonly fault: Fault;
  private readonly way: Binding;
  /** What is out, by ids: the implementation gets the call as the host made it. */
  private readonly out = new Map<string, CallMessage>();

  constructor(inner: Binding, entry: ToolEntry, fault: Fault) {
    this.inner = inner;
    this.entry = entry;
    this.fault = fault;
    this.title = inner.title;
    this.concurrency = inner.concurrency;
    this.way =
      fault === "lost"
        ? bindFetch((_, { body }) => this.fetched(String(body)), "https://service.invalid/")
        : bindWorker(() => new Port((text, post, exit) => void this.posted(text, post, exit)));
  }

  describe(data: string, signal: AbortSignal): Promise<Description> {
    return this.way.describe(data, signal);
  }

  call(message: CallMessage): Promise<Reply> {
    const key = keyOf(message);
    this.out.set(key, message);
    return this.way.call(message).finally(() => this.out.delete(key));
  }

  cancel(ids: CallIds): void {
    this.way.cancel(ids);
  }

  abandon(ids: CallIds): void {
    this.way.abandon(ids);
  }

  listen(events: BindingEvents): () => void {
    const stops = [this.inner.listen(events), this.way.listen(events)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.way[Symbol.asyncDispose]();
    await this.inner[Symbol.asyncDispose]();
  }

  private async posted(text: string, post: (text: string) => void, exit: () => void): Promise<void> {
    const message = JSON.parse(text) as WireMessage;
    if (message.method === "ping") post(responseText(message, "{}"));
    if (message.method === "describe") post(responseText(message, await describedText(this.inner)));
    if (message.method !== "call") return;
    const reply = () => this.reply(message.params as CallIds);
    switch (this.fault) {
      case "never":
        return;
      case "crash":
        setTimeout(exit, MIDDLE_MS);
        return;
      case "late": {
        const late = await reply();
        setTimeout(() => post(late), LATE_MS);
        return;
      }
      case "twice": {
        const twice = await reply();
        post(twice);
        post(twice);
        return;
      }
      default:
        post(await reply());
    }
  }

  private async fetched(text: string): Promise<Response> {
    const message = JSON.parse(text) as WireMessage;
    if (message.method === "describe") return new Response(responseText(message, await describedText(this.inner)));
    await new Promise((resolve) => setTimeout(resolve, MIDDLE_MS));
    throw new TypeError("the connection was lost");
  }

  /** The message that answers a call. */
  private async reply(ids: CallIds): Promise<string> {
    const message = this.out.get(keyOf(ids));
    const outcome = message === undefined ? '{"Unknown":"nobody made this call"}' : await this.outcome(message);
    const { run, call } = ids;
    const params = `{"call":${JSON.stringify(call)},"outcome":${outcome},"run":${JSON.stringify(run)}}`;
    return `{"jsonrpc":"2.0","method":"reply","params":${params}}`;
  }

  private async outcome(message: CallMessage): Promise<string> {
    if (this.fault === "limit") return `{"Ok":${TOO_LONG}}`;
    if (this.fault === "constructor") {
      // Where the error type is no enum, the outcome itself is one, and has no such constructor either.
      return isEnum(this.entry) ? '{"Failed":"NoSuchConstructor"}' : '{"NoSuchConstructor":[]}';
    }
    const reply = await this.inner.call(message);
    switch (reply.tag) {
      case "Ok":
      case "Failed":
        return `{"${reply.tag}":${this.contentOf(reply)}}`;
      case "Malformed":
        return `{"Malformed":${JSON.stringify(reply.reason)}}`;
      default:
        return `{"${reply.tag}":${JSON.stringify(reply.reason)}}`;
    }
  }

  private contentOf(reply: Extract<Reply, { tag: "Ok" | "Failed" }>): string {
    if ("text" in reply) return typeof reply.text === "string" ? reply.text : new TextDecoder().decode(reply.text);
    if ("json" in reply) return canonicalText(reply.json);
    const { ok, err, declarations } = this.entry.spec;
    try {
      return codecFor(reply.tag === "Ok" ? ok : err, declarations).encode(reply.value);
    } catch {
      // What does not encode was wrong before anything was switched; the host says so all the same.
      return '{"not":"a value of the declared type"}';
    }
  }
}

/** The other end of a Worker, in this one. */
class Port implements WorkerLike {
  private readonly take: (text: string, post: (text: string) => void, exit: () => void) => void;
  private readonly listeners = new Map<string, (value: unknown) => void>();
  private ended = false;

  constructor(take: (text: string, post: (text: string) => void, exit: () => void) => void) {
    this.take = take;
    queueMicrotask(() => this.tell("message", '{"jsonrpc":"2.0","method":"ready","params":{}}'));
  }

  on(type: string, listener: (value: never) => void): void {
    this.listeners.set(type, listener as (value: unknown) => void);
  }

  postMessage(message: unknown): void {
    this.take(
      String(message),
      (text) => this.tell("message", text),
      () => {
        this.tell("exit", 1);
        this.ended = true;
      },
    );
  }

  terminate(): void {
    this.ended = true;
  }

  private tell(type: string, value: unknown): void {
    if (!this.ended) this.listeners.get(type)?.(value);
  }
}

interface WireMessage {
  readonly id?: string | number;
  readonly method: string;
  readonly params: unknown;
}

function responseText({ id }: WireMessage, result: string): string {
  return `{"id":${JSON.stringify(id)},"jsonrpc":"2.0","result":${result}}`;
}

function keyOf({ run, call }: CallIds): string {
  return `${call} ${run}`;
}

function isEnum({ spec: { err, declarations } }: ToolEntry): boolean {
  return typeof err === "object" && "Named" in err && declarations.get(err.Named.declaration)?.kind === "enum";
}
