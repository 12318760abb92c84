/** What every way of serving does with a message (*The Tool process protocol*, R26), whichever way it came. */
import { parseJson } from "../../json/read.ts";
import { isJsonObject } from "../../json/value.ts";
import type { CallIds } from "../../protocol/binding.ts";
import { errorText, readMessage, reasonText, replyText, responseText, shown } from "../../protocol/messages.ts";
import { reasonOf } from "../../protocol/outcome.ts";
import type { Oversized } from "../../protocol/oversized.ts";
import { keyOf } from "../../protocol/pending.ts";
import type { MessageServer } from "../../protocol/serving.ts";
import type { ServedCall, Toolset } from "../../protocol/toolset.ts";

/** Answers messages for one host. */
export class Answering implements MessageServer {
  private readonly toolset: Toolset;
  private readonly request: (method: string) => string | undefined;
  private readonly open = new Map<string, AbortController>();

  /** @param request The result of a request that belongs to the way itself, as JSON text. */
  constructor(toolset: Toolset, request: (method: string) => string | undefined = () => undefined) {
    this.toolset = toolset;
    this.request = request;
  }

  /**
   * Answers one message.
   * @param gone Aborted when whoever sent it does not wait any longer.
   * @returns The message that goes back; undefined where none does.
   */
  async answer(text: string, gone?: AbortSignal): Promise<string | undefined> {
    const message = readMessage(text);
    switch (message.kind) {
      case "call":
        return this.call(message, gone);
      case "bad-call":
        return replyText(message, reasonText("NotRun", message.reason));
      case "cancel":
        this.cancel(message);
        return undefined;
      case "request":
        return this.requested(message.id, message.method, message.params);
      case "malformed":
        return errorText("null", message.isJson ? -32600 : -32700, message.detail);
      default:
        // Notifications that a later minor version may add, and what only a Tool sends.
        return undefined;
    }
  }

  /** Answers a message that was too large to be kept: the author's code never ran for it. */
  oversized(message: Oversized): string | undefined {
    if (message.kind === "call") return replyText(message.ids, reasonText("NotRun", "the call is past the size limit of the Tool's side"));
    if (message.kind === "unreadable") return errorText("null", -32700, `a message past the size limit: ${message.detail}`);
    return undefined;
  }

  /** Asks every open call to stop: nobody hears its reply any more. */
  stop(reason: string): void {
    for (const controller of this.open.values()) controller.abort(new Error(reason));
  }

  cancel(ids: CallIds): void {
    this.open.get(keyOf(ids))?.abort(new Error("the host asked to stop the call"));
  }

  private requested(id: string, method: string, params: string | undefined): string | Promise<string> {
    if (method === "describe") return this.describe(id, params);
    const result = this.request(method);
    return result === undefined ? errorText(id, -32601, `there is no method ${shown(method)}`) : responseText(id, result);
  }

  private async describe(id: string, params: string | undefined): Promise<string> {
    const data = dataVersionIn(params);
    if (data === undefined) return errorText(id, -32602, "describe needs the host's data version");
    try {
      return responseText(id, await this.toolset.describe(data));
    } catch (thrown) {
      return errorText(id, -32603, `the toolset could not describe itself: ${reasonOf(thrown)}`);
    }
  }

  private async call({ run, call, tool, args, schema, types }: ServedCall, gone: AbortSignal | undefined): Promise<string> {
    const ids = { run, call };
    const controller = new AbortController();
    gone?.addEventListener("abort", () => controller.abort(new Error("nobody waits for the reply any longer")));
    const key = keyOf(ids);
    this.open.set(key, controller);
    const views = { ...(schema === undefined ? {} : { schema }), ...(types === undefined ? {} : { types }) };
    try {
      return replyText(ids, await this.toolset.answer({ run, call, tool, args, ...views }, controller.signal));
    } catch (thrown) {
      return replyText(ids, reasonText("Unknown", `the Tool's code stopped with an error: ${reasonOf(thrown)}`));
    } finally {
      if (this.open.get(key) === controller) this.open.delete(key);
    }
  }
}

function dataVersionIn(params: string | undefined): string | undefined {
  try {
    const json = params === undefined ? undefined : parseJson(params);
    const data = isJsonObject(json) ? json["data"] : undefined;
    return typeof data === "string" ? data : undefined;
  } catch {
    return undefined;
  }
}
