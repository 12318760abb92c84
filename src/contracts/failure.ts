/** Failures of a call on their way from whoever noticed them to the JSON-RPC error (*Values and errors*). */
import { FlowError } from "../json/errors.ts";
import type { CallCode } from "./codes.ts";
import type { Json1Value } from "./model.ts";

/** What a failure says beside its code, carried as the error's cause. */
class FailureDetails {
  readonly value: Json1Value;

  constructor(value: Json1Value) {
    this.value = value;
  }
}

/**
 * What a provider rejects with to say why it could not answer.
 * @param details Stands in the `data` of the JSON-RPC error beside the code.
 */
export function callFailure(code: CallCode, message: string, details?: Json1Value): FlowError {
  return new FlowError(code, message, details === undefined ? {} : { cause: new FailureDetails(details) });
}

/** What {@link callFailure} was told beside the code. */
export function detailsOf(failure: FlowError): Json1Value | undefined {
  return failure.cause instanceof FailureDetails ? failure.cause.value : undefined;
}

/** The failure of a call whose signal has fired: its time is over, or it was cancelled. */
export function stoppedBy(signal: AbortSignal): FlowError {
  const reason: unknown = signal.reason;
  const late = typeof reason === "object" && reason !== null && (reason as { name?: unknown }).name === "TimeoutError";
  return late ? callFailure("DEADLINE_EXCEEDED", "the deadline has passed") : callFailure("CANCELLED", "the call was cancelled");
}
