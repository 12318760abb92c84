/** Posting messages to a service behind `fetch`: one request for each, its answer in the response (R40a). */
import { FlowError } from "../json/errors.ts";
import { decodeUtf8 } from "../json/text.ts";
import { Gathered } from "./gathered.ts";
import { reasonOf } from "./outcome.ts";
import { type Oversized, OversizedReader } from "./oversized.ts";

/** The platform's `fetch`, one like it, or something that has one, such as a service binding. */
export type Fetcher = FetchFunction | { fetch: FetchFunction };

/** What is used of `fetch`. A rejection is a request that failed. */
export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/** As the platform's own `RequestInit` has them: `HeadersInit` is a global type of pages, not of Node. */
export type RequestHeaders = NonNullable<RequestInit["headers"]>;

/** How requests are made. */
export interface PostOptions {
  /** Headers of each request, such as an authorisation; a function is asked anew for each. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Whether a page sends its cookies; left to the platform by default. */
  readonly credentials?: "include" | "omit" | "same-origin";
}

/** What came back from one request. */
export type Came =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "oversized"; readonly message: Oversized }
  /** `begun`: whether the service may have got the message. `status` where it answered with another one than 200. */
  | { readonly kind: "failed"; readonly reason: string; readonly begun: boolean; readonly status?: number };

export class Poster {
  private readonly fetcher: Fetcher;
  private readonly url: string;
  private readonly options: PostOptions;
  private readonly limit: number;
  private readonly closed = new AbortController();

  /** @param limit The most bytes of a response that are kept. */
  constructor(fetcher: Fetcher, url: string, options: PostOptions, limit: number) {
    this.fetcher = fetcher;
    this.url = url;
    this.options = options;
    this.limit = limit;
  }

  /** Fires once nothing is posted any more. */
  get ended(): AbortSignal {
    return this.closed.signal;
  }

  /** Posts nothing from here on. What is under way, goes on. */
  close(): void {
    this.closed.abort();
  }

  /** @param begin Told at the last moment before the request is begun; `false` keeps it from being. */
  async post(text: string, signal: AbortSignal, begin: () => boolean = () => true): Promise<Came> {
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
      return { kind: "failed", reason: `the service answered with ${what}`, begun, status };
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
    const held = new Gathered();
    let length = 0;
    let oversized: OversizedReader | undefined;
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) break;
      length += value.length;
      if (oversized === undefined && length > this.limit) {
        oversized = new OversizedReader();
        oversized.push(held.take());
      }
      if (oversized === undefined) held.push(value);
      else oversized.push(value);
    }
    if (oversized !== undefined) return { kind: "oversized", message: oversized.end() };
    const text = decodeUtf8(held.take());
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
