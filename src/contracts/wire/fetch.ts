/** A provider behind `fetch`: one request for each call. */
import type { BindingEvents } from "../../protocol/binding.ts";
import { Listeners } from "../../protocol/events.ts";
import { readMessage, requestText } from "../../protocol/messages.ts";
import { type Came, type Fetcher, Poster, type PostOptions } from "../../protocol/post.ts";
import { callFailure, stoppedBy } from "../failure.ts";
import { canonicalJson1 } from "../json1.ts";
import { Json1Text, type Json1Value } from "../model.ts";
import { type ContractConnection, providersOver } from "./connection.ts";
import { failureIn, MESSAGE_BYTES } from "./messages.ts";

export type { Fetcher, FetchFunction, PostOptions, RequestHeaders } from "../../protocol/post.ts";

/**
 * Connects with a service that serves with `serveContractFetch`.
 * @param fetcher The platform's `fetch`, one like it, or an edge worker's service binding.
 * @param url Where it is, in full; in a page also relative to it.
 */
export function connectFetch(fetcher: Fetcher, url: string | URL, options: PostOptions = {}): ContractConnection {
  return new FetchConnection(new Poster(fetcher, String(url), options, MESSAGE_BYTES));
}

class FetchConnection implements ContractConnection {
  readonly effect: ContractConnection["effect"];
  readonly flow: ContractConnection["flow"];
  private readonly poster: Poster;
  private readonly listeners = new Listeners();

  constructor(poster: Poster) {
    this.poster = poster;
    const { effect, flow } = providersOver((method, params, signal) => this.exchange(method, params, signal));
    this.effect = effect;
    this.flow = flow;
  }

  listen(events: BindingEvents): () => void {
    return this.listeners.add(events);
  }

  /** The service is its owner's; calls that are out may still be answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.poster.close();
  }

  private async exchange(method: string, params: Json1Value, signal: AbortSignal): Promise<unknown> {
    // Each request is a conversation of its own. That it is given up, the service learns from its connection.
    const came = await this.poster.post(requestText(1, method, canonicalJson1(params)), signal);
    return this.resultIn(came, signal);
  }

  /** @throws FlowError why there is no result */
  private resultIn(came: Came, signal: AbortSignal): unknown {
    if (came.kind === "failed") {
      if (signal.aborted) throw stoppedBy(signal);
      if (came.status === 401 || came.status === 403) throw callFailure("PERMISSION_DENIED", came.reason);
      throw callFailure(came.begun ? "UNCERTAIN" : "UNAVAILABLE", came.reason);
    }
    if (came.kind === "oversized") {
      const { message } = came;
      if (message.kind === "response" && message.id === "1") throw callFailure("INVALID_RESULT", "an answer past the size limit");
      throw callFailure("UNCERTAIN", "a response past the size limit that is no answer");
    }
    const message = readMessage(came.text);
    if (message.kind === "response" && message.id === "1") {
      if (message.error !== undefined) throw failureIn(message.error, signal);
      return new Json1Text(message.result as string);
    }
    const detail = message.kind === "malformed" ? message.detail : `no answer to the request: ${message.kind}`;
    this.listeners.dropped({ why: message.kind === "malformed" ? "malformed" : "foreign", detail });
    throw callFailure("UNCERTAIN", "the response holds no answer to the request");
  }
}
