/**
 * A service behind `fetch` as a Tool: one message for each POST, its answer in the response. The fetcher may be the
 * platform's `fetch` or an edge worker's service binding.
 */
import { FlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import { decodeUtf8 } from "../json/text.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import type { Description } from "../protocol/description.ts";
import { Listeners } from "../protocol/events.ts";
import { joined } from "../protocol/lines.ts";
import { callText, cancelText, describeText, readMessage } from "../protocol/messages.ts";
import { malformed, notRun, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import { type Oversized, OversizedReader } from "../protocol/oversized.ts";
import { type PendingCall, PendingCalls } from "../protocol/pending.ts";
import { readDescribed } from "../protocol/restarting.ts";

/** The platform's `fetch`, one like it, or something that has one, such as a service binding. */
export type Fetcher = FetchFunction | { fetch: FetchFunction };

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

export interface FetchOptions {
  /** Headers of each request, such as an authorisation; a function is asked anew for each. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
  /** Whether a page sends its cookies; left to the platform by default. */
  readonly credentials?: RequestCredentials;
  /** What one message may hold (R13); only `bytes` counts here, the rest is the host's. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  readonly title?: string;
}

/**
 * Binds a service that serves a toolset with `serveFetch`.
 * @param url Where it is, in full; in a page also relative to it.
 */
export function bindFetch(fetcher: Fetcher, url: string | URL, options: FetchOptions = {}): Binding {
  return new FetchBinding(fetcher, String(url), options);
}

/** What came back from one request. */
type Came =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "oversized"; readonly message: Oversized }
  | { readonly kind: "failed"; readonly reason: string; readonly begun: boolean };

class FetchBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly fetcher: Fetcher;
  private readonly url: string;
  private readonly options: FetchOptions;
  private readonly limit: number;
  private readonly listeners = new Listeners();
  private readonly calls = new PendingCalls(this.listeners);
  private readonly aborts = new Map<PendingCall, AbortController>();
  private readonly closed = new AbortController();

  constructor(fetcher: Fetcher, url: string, options: FetchOptions) {
    this.fetcher = fetcher;
    this.url = url;
    this.options = options;
    this.limit = resolveLimits(options.limits).bytes;
    this.title = options.title ?? `fetch ${url}`;
    this.concurrency = options.concurrency;
  }

  async describe(data: string, signal: AbortSignal): Promise<Description> {
    const response = await this.post(describeText(1, data), signal);
    if (response.kind === "failed") throw new FlowError("start", `the service did not describe itself: ${response.reason}`);
    if (response.kind === "oversized") throw new FlowError("shape", "a description past the size limit");
    const message = readMessage(response.text);
    if (message.kind !== "response" || message.id !== "1") throw new FlowError("shape", `no response to describe: ${shownKind(message)}`);
    if (message.result === undefined) throw new FlowError("shape", `an error in place of a description: ${message.error}`);
    return readDescribed(message.result);
  }

  call(message: CallMessage): Promise<Reply> {
    const call = this.calls.add(message);
    if (call === undefined) return Promise.resolve(notRun("a call with the same run and call id is out already"));
    void this.send(call, message);
    return call.reply;
  }

  cancel(ids: CallIds): void {
    const call = this.calls.get(ids);
    if (call === undefined) return;
    if (!call.begun) {
      this.calls.close(call, notRun("the call was cancelled before its request was begun"));
      return;
    }
    // It proves nothing, so its answer says nothing either.
    void this.post(cancelText(ids), this.closed.signal).catch(() => {});
  }

  abandon(ids: CallIds): void {
    const call = this.calls.get(ids);
    this.calls.abandon(ids);
    if (call !== undefined) this.aborts.get(call)?.abort();
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed.abort();
    for (const controller of this.aborts.values()) controller.abort();
  }

  private async send(call: PendingCall, message: CallMessage): Promise<void> {
    const controller = new AbortController();
    this.aborts.set(call, controller);
    call.owner = this;
    try {
      const response = await this.post(callText(message), controller.signal, () => {
        if (!this.calls.isOpen(call)) return false;
        call.begun = true;
        return true;
      });
      this.calls.close(call, this.replyIn(response, call));
    } catch (caught) {
      this.calls.close(call, call.begun ? unknown(reasonOf(caught)) : notRun(reasonOf(caught)));
    } finally {
      this.aborts.delete(call);
    }
  }

  /** This call's reply in a response; everything else in it is somebody else's. */
  private replyIn(response: Came, { ids }: PendingCall): Reply {
    if (response.kind === "failed") return response.begun ? unknown(response.reason) : notRun(response.reason);
    if (response.kind === "oversized") {
      const { message } = response;
      const isOwn = message.kind === "reply" && message.ids.run === ids.run && message.ids.call === ids.call;
      return isOwn
        ? malformed("a reply past the size limit (limit bytes)")
        : unknown("the response is past the size limit and not this call's reply");
    }
    const message = readMessage(response.text);
    if (message.kind === "reply") {
      const { run, call, reply } = message;
      if (run === ids.run && call === ids.call) {
        this.calls.answer(ids, reply, this);
        return reply;
      }
      this.calls.drop({ why: "foreign", ids: { run, call }, detail: "a reply to another call than the request's" });
    } else {
      this.calls.drop({ why: "malformed", detail: message.kind === "malformed" ? message.detail : `no reply: ${shownKind(message)}` });
    }
    return unknown("the response holds no reply to the call");
  }

  /** @param begin Told at the last moment before the request is begun; `false` keeps it from being. */
  private async post(text: string, signal: AbortSignal, begin: () => boolean = () => true): Promise<Came> {
    let begun = false;
    try {
      const init = await this.requestInit(text, signal);
      const url = absolute(this.url);
      if (signal.aborted || this.closed.signal.aborted)
        return { kind: "failed", reason: "the request was never begun: it was aborted first", begun };
      if (!begin()) return { kind: "failed", reason: "the request was never begun: the call was closed first", begun };
      begun = true;
      const { fetcher } = this;
      const response = await (typeof fetcher === "function" ? fetcher(url, init) : fetcher.fetch(url, init));
      if (response.status === 200) return await this.body(response);
      void response.body?.cancel().catch(() => {});
      // A redirect that was not followed has status 0 in a page.
      const { status, type } = response;
      const what = type === "opaqueredirect" ? "a redirect, which is not followed" : `status ${status}`;
      return { kind: "failed", reason: `the service answered with ${what}`, begun };
    } catch (caught) {
      const reason = begun ? `the request failed: ${reasonOf(caught)}` : `the request was never begun: ${reasonOf(caught)}`;
      return { kind: "failed", reason, begun };
    }
  }

  private async requestInit(text: string, signal: AbortSignal): Promise<RequestInit> {
    const { headers: given, credentials } = this.options;
    const headers = new Headers(typeof given === "function" ? await given() : given);
    headers.set("content-type", "application/json");
    // A redirect would be another address than the one that was bound (R40a).
    const init: RequestInit = { method: "POST", headers, body: text, redirect: "manual", signal };
    return credentials === undefined ? init : { ...init, credentials };
  }

  /** The body, as bytes and within the limit. What is too large is read for its ids alone (R28). */
  private async body(response: Response): Promise<Came> {
    const reader = response.body?.getReader();
    const held: Uint8Array[] = [];
    let length = 0;
    let oversized: OversizedReader | undefined;
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) break;
      length += value.length;
      if (oversized === undefined && length > this.limit) {
        oversized = new OversizedReader();
        for (const piece of held.splice(0)) oversized.push(piece);
      }
      if (oversized === undefined) held.push(value);
      else oversized.push(value);
    }
    if (oversized !== undefined) return { kind: "oversized", message: oversized.end() };
    const text = decodeUtf8(joined(held, length));
    return text === undefined ? { kind: "failed", reason: "the response is not UTF-8", begun: true } : { kind: "text", text };
  }
}

/** @throws FlowError `start` for what is no address */
function absolute(url: string): string {
  const { location } = globalThis as { location?: { readonly href: string } };
  try {
    return (location === undefined ? new URL(url) : new URL(url, location.href)).href;
  } catch (cause) {
    throw new FlowError("start", `${JSON.stringify(url)} is no address`, { cause });
  }
}

function shownKind(message: ReturnType<typeof readMessage>): string {
  return message.kind === "malformed" ? message.detail : `a message of another kind (${message.kind})`;
}
