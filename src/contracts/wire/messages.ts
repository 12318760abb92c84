/**
 * Calls as JSON-RPC 2.0 messages (*Values and errors*): a request for each, answered by a response with the same id.
 * A consumer that does not wait any longer says so in a notification, `$/cancelRequest` with the request's id, as other
 * protocols over JSON-RPC do; the request is answered all the same.
 */
import { isFlowError } from "../../json/errors.ts";
import { errorText, notificationText, responseText, sendable } from "../../protocol/messages.ts";
import { memberSpans, uniqueMembers } from "../../protocol/spans.ts";
import type { CallAnswer } from "../call.ts";
import type { CallCode } from "../codes.ts";
import { callFailure, stoppedBy } from "../failure.ts";
import { canonicalJson1, readJson1 } from "../json1.ts";
import { isObject, JSON1_LIMITS, Json1Text, type Json1Value } from "../model.ts";

export const CANCEL = "$/cancelRequest";

/** The most bytes of one message by default: the largest JSON/1 document, and the envelope around it. */
export const MESSAGE_BYTES: number = JSON1_LIMITS.bytes + 131_072;

/** @param id The request's id as JSON text. */
export function cancelRequestText(id: string): string {
  return notificationText(CANCEL, `{"id":${id}}`);
}

/** The id that a cancel notification names, as JSON text. */
export function cancelledId(params: string | undefined): string | undefined {
  const span = params === undefined ? undefined : memberSpans(params)?.find(({ name }) => name === "id");
  return span === undefined ? undefined : params?.slice(span.start, span.end);
}

/**
 * Params as the calls take them: the input unread, so that a number outside of JSON/1 is refused and not rounded.
 * @param params The JSON text of the params.
 * @returns `undefined` where they are no object, or have a member twice: params that no call takes.
 */
export function readParams(params: string | undefined): unknown {
  const spans = params === undefined ? undefined : memberSpans(params);
  if (params === undefined || spans === undefined || uniqueMembers(spans) === undefined) return undefined;
  const read = Object.create(null) as Record<string, unknown>;
  for (const { name, start, end } of spans) {
    const text = params.slice(start, end);
    read[name] = name === "input" ? new Json1Text(text) : JSON.parse(text);
  }
  return read;
}

/** @param id The request's id as JSON text. */
export function answerText(id: string, { result, error }: CallAnswer): string {
  if (error === undefined) return responseText(id, canonicalJson1(result as unknown as Json1Value));
  if (error.data === undefined) return errorText(id, error.code, error.message);
  const data = canonicalJson1(error.data as unknown as Json1Value);
  return `{"error":{"code":${error.code},"data":${data},"message":${canonicalJson1(sendable(error.message))}},"id":${id},"jsonrpc":"2.0"}`;
}

/** What a provider elsewhere may answer for itself. That its owner is gone, or its id another call's, is not the caller's affair. */
const PASSED_ON: ReadonlySet<string> = new Set<CallCode>([
  "CANCELLED",
  "DEADLINE_EXCEEDED",
  "UNAVAILABLE",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "INVALID_INPUT",
  "INVALID_RESULT",
  "UNCERTAIN",
  "EXECUTION_FAILED",
]);

/**
 * The failure in an error response.
 * @param text The JSON text of its `error`.
 * @param signal The caller's: whoever has stopped hears why it did, not that the other side heard of it.
 */
export function failureIn(text: string, signal: AbortSignal): Error {
  let error: Json1Value;
  try {
    error = readJson1(text);
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    return callFailure("INVALID_RESULT", `an error that is no JSON/1 value: ${caught.message}`);
  }
  const code = isObject(error) ? error["code"] : undefined;
  const message = isObject(error) ? error["message"] : undefined;
  if (!isObject(error) || typeof code !== "number" || typeof message !== "string") {
    return callFailure("INVALID_RESULT", "an error without a code and a message");
  }
  // Both are said before anything is dispatched.
  if (code === -32601) return callFailure("UNAVAILABLE", message, { code });
  if (code === -32602) return callFailure("INVALID_INPUT", message, { code });
  const data = isObject(error["data"]) ? error["data"] : {};
  const named = data["code"];
  if (code !== -32000 || typeof named !== "string") return callFailure("EXECUTION_FAILED", message, { code });
  if (signal.aborted && (named === "CANCELLED" || named === "DEADLINE_EXCEEDED")) return stoppedBy(signal);
  if (PASSED_ON.has(named)) return callFailure(named as CallCode, message, data["details"]);
  // An owner that ends may do so in the midst of the work; a conflict is found before any.
  const known = named === "OWNER_CLOSED" ? "UNCERTAIN" : named === "OPERATION_CONFLICT" ? "UNAVAILABLE" : "EXECUTION_FAILED";
  return callFailure(known, message, { code: named });
}
