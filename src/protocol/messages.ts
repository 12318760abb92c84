/**
 * The messages of the protocol (*The Tool process protocol*, R26): writing them as canonical JSON and reading their
 * envelopes exactly. Members that a later minor version may add are ignored; what an envelope carries stays the text
 * it is until somebody knows its type.
 */
import { asFlowError } from "../json/errors.ts";
import { DEFAULT_LIMITS } from "../json/limits.ts";
import { exceedsUtf8, isWellFormed } from "../json/text.ts";
import { writeString } from "../json/write.ts";
import type { CallIds } from "./binding.ts";
import { malformed, type Reply } from "./outcome.ts";
import { isJsonText, memberSpans, type Span, stringAt, uniqueMembers } from "./spans.ts";

/** A message that was read. Texts are JSON texts. */
export type Message =
  | ({ readonly kind: "call" } & CallIds & CallParts)
  /** A call whose ids can be read and that cannot be made. */
  | ({ readonly kind: "bad-call"; readonly reason: string } & CallIds)
  | ({ readonly kind: "reply"; readonly reply: Reply } & CallIds)
  | ({ readonly kind: "cancel" } & CallIds)
  | { readonly kind: "request"; readonly id: string; readonly method: string; readonly params: string | undefined }
  | { readonly kind: "response"; readonly id: string; readonly result: string | undefined; readonly error: string | undefined }
  | { readonly kind: "notification"; readonly method: string; readonly params: string | undefined }
  /** `isJson` tells a text that is no JSON (-32700) from JSON that is no message (-32600). */
  | { readonly kind: "malformed"; readonly detail: string; readonly isJson: boolean };

/** What a call carries beside its ids. */
export interface CallParts {
  /** The identity of the declaration, as the caller has it. */
  readonly tool: string;
  /** JSON text of the arguments by parameter name. */
  readonly args: string;
  /** JSON text of the success type's schema, for a generic call. */
  readonly schema?: string;
  /** JSON text of the types view, for a generic call. */
  readonly types?: string;
}

/** A request; its params and result are JSON texts. */
export function requestText(id: string | number, method: string, params: string): string {
  const written = typeof id === "string" ? quote(id) : String(id);
  return `{"id":${written},"jsonrpc":"2.0","method":${quote(method)},"params":${params}}`;
}

export function describeText(id: number, data: string): string {
  return requestText(id, "describe", `{"data":${quote(data)}}`);
}

export function notificationText(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":${quote(method)},"params":${params}}`;
}

/** @throws FlowError `lone-surrogate` or `limit` for ids that cannot be written */
export function callText({ run, call, tool, args, schema, types }: CallIds & CallParts): string {
  const views = { schema: schema === undefined ? "" : `"schema":${schema},`, types: types === undefined ? "" : `,"types":${types}` };
  return notificationText(
    "call",
    `{"args":${args},"call":${quote(call)},"run":${quote(run)},${views.schema}"tool":${quote(tool)}${views.types}}`,
  );
}

/**
 * What a Worker posts first: that it takes messages now (row 7 of docs/outcomes.md).
 * @param lock The name of a Web Lock that it holds for as long as it lives; empty where there are none.
 */
export function readyText(lock: string): string {
  return notificationText("ready", `{"lock":${quote(lock)}}`);
}

/** The name of the lock in a message that is a Worker's first; undefined for any other message. */
export function readReady(text: string): string | undefined {
  const message = readMessage(text);
  if (message.kind !== "notification" || message.method !== "ready" || message.params === undefined) return undefined;
  return (
    stringAt(
      message.params,
      memberSpans(message.params)?.find(({ name }) => name === "lock"),
    ) ?? ""
  );
}

/** @param outcome The outcome's JSON text. */
export function replyText({ run, call }: CallIds, outcome: string): string {
  return notificationText("reply", `{"call":${quote(call)},"outcome":${outcome},"run":${quote(run)}}`);
}

export function cancelText({ run, call }: CallIds): string {
  return notificationText("cancel", `{"call":${quote(call)},"run":${quote(run)}}`);
}

/** @param id The request's id as the JSON text it came as. */
export function responseText(id: string, result: string): string {
  return `{"id":${id},"jsonrpc":"2.0","result":${result}}`;
}

export function errorText(id: string, code: number, message: string): string {
  return `{"error":{"code":${code},"message":${quote(sendable(message))}},"id":${id},"jsonrpc":"2.0"}`;
}

/** The JSON text of an outcome that carries a reason. */
export function reasonText(tag: "NotRun" | "Unknown", reason: string): string {
  return `{"${tag}":${quote(sendable(reason))}}`;
}

/** Reasons come from anywhere; none must keep a message from being sent. */
export function sendable(reason: string): string {
  return reason.slice(0, LONGEST_REASON).replace(LONE_SURROGATES, "\ufffd");
}

const LONGEST_REASON = 100_000;
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function quote(text: string): string {
  try {
    return writeString(text, DEFAULT_LIMITS);
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/** Reads one message. Never throws. */
export function readMessage(text: string): Message {
  if (!isJsonText(text)) return { kind: "malformed", detail: `no JSON: ${shown(text)}`, isJson: false };
  const spans = memberSpans(text);
  const members = spans === undefined ? undefined : uniqueMembers(spans);
  if (members === undefined) return notAMessage(text, spans === undefined ? "not an object" : "a member twice");
  if (stringAt(text, members.get("jsonrpc")) !== "2.0") return notAMessage(text, 'no "jsonrpc":"2.0"');
  const id = slice(text, members.get("id"));
  const methodSpan = members.get("method");
  if (methodSpan === undefined) return readResponse(text, id, members);
  const method = stringAt(text, methodSpan);
  if (method === undefined) return notAMessage(text, "a method that is no string");
  const params = slice(text, members.get("params"));
  if (id !== undefined) return isId(id) ? { kind: "request", id, method, params } : notAMessage(text, "an id that is no string or number");
  if (method !== "call" && method !== "reply" && method !== "cancel") return { kind: "notification", method, params };
  return readCorrelated(text, method, members.get("params"));
}

function readResponse(text: string, id: string | undefined, members: ReadonlyMap<string, Span>): Message {
  const result = slice(text, members.get("result"));
  const error = slice(text, members.get("error"));
  if (id === undefined || !isId(id)) return notAMessage(text, "neither a method nor an id");
  if ((result === undefined) === (error === undefined)) return notAMessage(text, "a response has either a result or an error");
  return { kind: "response", id, result, error };
}

function readCorrelated(text: string, method: "call" | "reply" | "cancel", span: Span | undefined): Message {
  const spans = span === undefined ? undefined : memberSpans(text, span.start);
  const params = spans === undefined ? undefined : uniqueMembers(spans);
  if (params === undefined) return notAMessage(text, `a ${method} whose params are no object with each member once`);
  const ids = idsOf(stringAt(text, params.get("run")), stringAt(text, params.get("call")));
  if (ids === undefined) return notAMessage(text, `a ${method} without run and call, strings of 1 to 256 bytes`);
  switch (method) {
    case "cancel":
      return { kind: method, ...ids };
    case "reply":
      return { kind: method, ...ids, reply: readOutcomeAt(text, params.get("outcome")) };
    case "call": {
      const tool = stringAt(text, params.get("tool"));
      const args = slice(text, params.get("args"));
      if (tool === undefined) return { kind: "bad-call", ...ids, reason: "the call names no Tool" };
      if (args === undefined) return { kind: "bad-call", ...ids, reason: "the call has no args" };
      const schema = slice(text, params.get("schema"));
      const types = slice(text, params.get("types"));
      return { kind: method, ...ids, tool, args, ...(schema === undefined ? {} : { schema }), ...(types === undefined ? {} : { types }) };
    }
  }
}

/** Ids that are strings of 1 to 256 bytes (R26). */
export function idsOf(run: string | undefined, call: string | undefined): CallIds | undefined {
  return isCallId(run) && isCallId(call) ? { run, call } : undefined;
}

function isCallId(id: string | undefined): id is string {
  return id !== undefined && id !== "" && !exceedsUtf8(id, 256) && isWellFormed(id);
}

/** The reply in an outcome's JSON text: an object with exactly one of the four members (R26). */
export function readOutcomeText(text: string): Reply {
  return isJsonText(text) ? readOutcomeAt(text, { start: 0, end: text.length }) : malformed(`an outcome that is no JSON: ${shown(text)}`);
}

function readOutcomeAt(text: string, span: Omit<Span, "name"> | undefined): Reply {
  if (span === undefined) return malformed("an outcome is an object, met none");
  const spans = memberSpans(text, span.start);
  if (spans === undefined) return malformed(`an outcome is an object, met ${shown(text.slice(span.start, span.end))}`);
  const [only] = spans;
  if (only === undefined || spans.length > 1) return malformed(`an outcome has exactly one member, met ${spans.length}`);
  const { name } = only;
  if (name === "Ok" || name === "Failed") return { tag: name, text: text.slice(only.start, only.end) };
  if (name !== "NotRun" && name !== "Unknown") {
    return malformed(`an outcome is Ok, Failed, NotRun or Unknown, met ${JSON.stringify(name.slice(0, 40))}`);
  }
  const reason = stringAt(text, only);
  if (reason === undefined) return malformed(`${name} carries its reason as a string, met ${shown(text.slice(only.start, only.end))}`);
  if (!isWellFormed(reason)) return malformed(`the reason of ${name} is no text of Unicode scalar values (lone-surrogate)`);
  if (exceedsUtf8(reason, DEFAULT_LIMITS.string)) return malformed(`the reason of ${name} is past the limit of a string (limit)`);
  return { tag: name, reason, from: "tool" };
}

function isId(id: string): boolean {
  const first = id.charCodeAt(0);
  // A string, a number or null.
  return first === 34 || first === 45 || (first >= 48 && first <= 57) || id === "null";
}

function slice(text: string, span: Span | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

function notAMessage(text: string, why: string): Message {
  return { kind: "malformed", detail: `no message, ${why}: ${shown(text)}`, isJson: true };
}

/** The beginning of a text, for a log. */
export function shown(text: string): string {
  return JSON.stringify(text.length <= 120 ? text : `${text.slice(0, 110)}…`);
}
