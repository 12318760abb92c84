/**
 * A service behind `fetch` as a Tool: one message for each POST, its answer in the response. The fetcher may be the
 * platform's `fetch` or an edge worker's service binding.
 */
import { FlowError } from "../json/errors.ts";
import { type Limits, resolveLimits } from "../json/limits.ts";
import type { Binding, BindingEvents, CallIds, CallMessage } from "../protocol/binding.ts";
import type { Description } from "../protocol/description.ts";
import { Listeners } from "../protocol/events.ts";
import { callText, cancelText, describeText, readMessage } from "../protocol/messages.ts";
import { malformed, notRun, type Reply, reasonOf, unknown } from "../protocol/outcome.ts";
import { type PendingCall, PendingCalls } from "../protocol/pending.ts";
import { type Came, type Fetcher, Poster, type PostOptions } from "../protocol/post.ts";
import { readDescribed } from "../protocol/restarting.ts";

export type { Fetcher, FetchFunction } from "../protocol/post.ts";

export interface FetchOptions extends PostOptions {
  /** What one message may hold (R13); only `bytes` counts here, the rest is the host's. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** What it is called in a transcript; `fetch` and the address by default. */
  readonly title?: string;
}

/**
 * Binds a service that serves a toolset with `serveFetch`.
 * @param url Where it is, in full; in a page also relative to it.
 */
export function bindFetch(fetcher: Fetcher, url: string | URL, options: FetchOptions = {}): Binding {
  return new FetchBinding(fetcher, String(url), options);
}

class FetchBinding implements Binding {
  readonly title: string;
  readonly concurrency: number | undefined;
  private readonly poster: Poster;
  private readonly listeners = new Listeners();
  private readonly calls = new PendingCalls(this.listeners);
  private readonly aborts = new Map<PendingCall, AbortController>();

  constructor(fetcher: Fetcher, url: string, options: FetchOptions) {
    this.poster = new Poster(fetcher, url, options, resolveLimits(options.limits).bytes);
    this.title = options.title ?? `fetch ${url}`;
    this.concurrency = options.concurrency;
  }

  async describe(data: string, signal: AbortSignal): Promise<Description> {
    const response = await this.poster.post(describeText(1, data), signal);
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
    void this.poster.post(cancelText(ids), this.poster.ended).catch(() => {});
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
    this.poster.close();
    for (const controller of this.aborts.values()) controller.abort();
  }

  private async send(call: PendingCall, message: CallMessage): Promise<void> {
    const controller = new AbortController();
    this.aborts.set(call, controller);
    call.owner = this;
    try {
      const response = await this.poster.post(callText(message), controller.signal, () => {
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
}

function shownKind(message: ReturnType<typeof readMessage>): string {
  return message.kind === "malformed" ? message.detail : `a message of another kind (${message.kind})`;
}
