/**
 * The provider's side of calls from elsewhere: requests of a child process, a Worker or a service are answered from
 * the calls of one owner, which judge them as they judge any.
 */

import { errorText, readMessage, responseText } from "../../protocol/messages.ts";
import type { Oversized } from "../../protocol/oversized.ts";
import { messageHandler, type ServeFetchOptions } from "../../protocol/servehttp.ts";
import {
  type ByteSink,
  type ByteSource,
  type MessageServer,
  serveMessageLines,
  serveMessagePort,
  type WorkerPort,
} from "../../protocol/serving.ts";
import type { ContractCalls } from "../call.ts";
import { answerText, CANCEL, cancelledId, MESSAGE_BYTES, readParams } from "./messages.ts";

export type { ServeFetchOptions } from "../../protocol/servehttp.ts";
export type { ByteSink, ByteSource, NodeSink, WorkerPort } from "../../protocol/serving.ts";

/** How calls of a contract are served. */
export interface ServeContractOptions {
  /** The most bytes of one message that is taken; a larger request is `RESOURCE_EXHAUSTED`. */
  readonly bodyLimit?: number;
}

/**
 * Answers calls over two streams of bytes, one message a line, until the input ends: the provider's side of a child
 * process.
 * @param input Its bytes, such as `process.stdin`.
 * @param output Where answers go, such as `process.stdout`. Nothing else may be printed there.
 */
export async function serveContractLines(
  calls: ContractCalls,
  input: ByteSource,
  output: ByteSink,
  options: ServeContractOptions = {},
): Promise<void> {
  await serveMessageLines(new ContractServer(calls), input, output, options.bodyLimit ?? MESSAGE_BYTES);
}

/**
 * Answers calls in a Worker for as long as it lives.
 * @param port The Worker's global object by default; `parentPort` of `node:worker_threads` on Node.
 */
export function serveContractWorker(calls: ContractCalls, port: WorkerPort = globalThis as unknown as WorkerPort): void {
  serveMessagePort(new ContractServer(calls), port);
}

/**
 * Answers calls as a service behind `fetch`, one for each POST.
 * @param calls Those of the one owner there is, or of the owner of a request: operation ids are an owner's own, so two
 *   callers that know nothing of each other need an owner each.
 * @returns A handler: `export default { fetch: serveContractFetch(calls) }`.
 */
export function serveContractFetch(
  calls: ContractCalls | ((request: Request) => ContractCalls | Promise<ContractCalls>),
  options: ServeFetchOptions = {},
): (request: Request) => Promise<Response> {
  const reply = async (text: string, request: Request): Promise<string | undefined> => {
    const owner = typeof calls === "function" ? await calls(request) : calls;
    // Ids are the caller's own, and every caller counts from one.
    return new ContractServer(owner).answer(text, request.signal);
  };
  return messageHandler(reply, options, MESSAGE_BYTES);
}

/** Answers the messages of one consumer. */
class ContractServer implements MessageServer {
  private readonly calls: ContractCalls;
  /** The open requests by their ids as JSON text. */
  private readonly open = new Map<string, AbortController>();

  constructor(calls: ContractCalls) {
    this.calls = calls;
  }

  async answer(text: string, gone?: AbortSignal): Promise<string | undefined> {
    const message = readMessage(text);
    switch (message.kind) {
      case "request":
        return this.requested(message.id, message.method, message.params, gone);
      case "notification":
        if (message.method === CANCEL) this.cancel(message.params);
        return undefined;
      case "malformed":
        return errorText("null", message.isJson ? -32600 : -32700, message.detail);
      default:
        return undefined;
    }
  }

  oversized(message: Oversized): string | undefined {
    if (message.kind === "request") {
      const error = { code: -32000, message: "a message past the size limit", data: { code: "RESOURCE_EXHAUSTED" } } as const;
      return answerText(message.id, { error });
    }
    return message.kind === "unreadable" ? errorText("null", -32700, `a message past the size limit: ${message.detail}`) : undefined;
  }

  stop(reason: string): void {
    for (const controller of this.open.values()) controller.abort(new Error(reason));
  }

  private cancel(params: string | undefined): void {
    const id = cancelledId(params);
    if (id !== undefined) this.open.get(id)?.abort(new Error("the consumer does not wait any longer"));
  }

  private async requested(id: string, method: string, params: string | undefined, gone: AbortSignal | undefined): Promise<string> {
    // Whoever starts a provider asks first whether it is there.
    if (method === "ping") return responseText(id, "{}");
    if (this.open.has(id)) return errorText(id, -32600, "another request with this id is open");
    const controller = new AbortController();
    const leave = (): void => controller.abort(new Error("nobody waits for the answer any longer"));
    if (gone?.aborted === true) leave();
    gone?.addEventListener("abort", leave);
    this.open.set(id, controller);
    try {
      return answerText(id, await this.calls.handle(method, readParams(params), controller.signal));
    } catch {
      return errorText(id, -32603, "the call could not be answered");
    } finally {
      gone?.removeEventListener("abort", leave);
      this.open.delete(id);
    }
  }
}
