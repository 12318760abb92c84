/** The readers of messages, outcomes and descriptions: they never throw, and what they cut out is what JSON.parse sees. */
import { parseJson } from "../../../src/json/read.ts";
import { isJsonObject } from "../../../src/json/value.ts";
import { readDescription } from "../../../src/protocol/description.ts";
import { callText, cancelText, type Message, readMessage, readOutcomeText, readReady } from "../../../src/protocol/messages.ts";
import { readOutcome } from "../../../src/protocol/outcome.ts";
import { isJsonText, itemSpans, memberSpans } from "../../../src/protocol/spans.ts";
import { mutateJson } from "../json-text.ts";
import { attempt, require, requireSame, type Target, TEXT_CODES } from "../target.ts";
import { requirePlace } from "./json.ts";

export const MESSAGES: readonly string[] = [
  '{"jsonrpc":"2.0","id":1,"method":"describe","params":{"data":"0.1"}}',
  '{"jsonrpc":"2.0","method":"call","params":{"run":"r","call":"3.1","tool":"a.flow.b","args":{"x":[1e5,"\\""]}}}',
  '{"jsonrpc":"2.0","method":"call","params":{"args":{},"call":"1","run":"r\u{1f600}","schema":{},"tool":"a.flow.b","types":{"ok":"Int"}}}',
  '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":{"Ok":{"a":1.50}}}}',
  '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":{"Unknown":"why\\n"}}}',
  ' { "params" : { "outcome":{"params":{"run":"no","call":"no"}}, "run" : "r" , "call" : "1" } , "method":"reply", "jsonrpc":"2.0" } ',
  '{"jsonrpc":"2.0","method":"cancel","params":{"run":"r","call":"\\u0031\\ud83d\\ude00"}}',
  '{"jsonrpc":"2.0","id":"i","result":{"data":"0.1","tools":[]}}',
  '{"jsonrpc":"2.0","id":-1.5e+3,"error":{"code":-32700,"message":"no"}}',
  '{"jsonrpc":"2.0","method":"ready","params":{"lock":"l"}}',
  '{"Failed":{"tag":"x"}}',
  '{"NotRun":"no"}',
  `{"data":"0.1","tools":[{"tool":"a.flow.b","fingerprint":"sha256:${"0".repeat(64)}","signature":{}}]}`,
];

export const MESSAGE_WORDS: readonly string[] = [
  ...'"jsonrpc"|"2.0"|"jsonrpc":"2.0",|"method"|"reply"|"call"|"cancel"|"params"|"run"|"id"|"id":1,|"result":{},|"error":{},'.split("|"),
  ...'"outcome"|"Ok"|"Failed"|"NotRun"|"Unknown"|"BadReply"|"tool"|"args"|"data"|"tools"|"0.1"|"1.0"|"fingerprint"|"signature"'.split("|"),
];

const DESCRIPTION_CODES: ReadonlySet<string> = new Set(["shape", "version"]);

export const messages: Target = {
  name: "messages",
  seeds: MESSAGES,
  mutate: (input, random, other) => mutateJson(input, random, MESSAGE_WORDS, other),
  check(text) {
    const message = readMessage(text);
    requireSame(message.kind === "malformed" && !message.isJson, !isJsonText(text), "a text that is no JSON");
    readReady(text);
    if (isJsonText(text)) requireSpans(text);
    requireParts(message);
    requireOutcome(text);
    const json = attempt(() => parseJson(text), TEXT_CODES);
    if (json.refused !== undefined) return;
    const { refused } = attempt(() => readDescription(json.value), DESCRIPTION_CODES);
    if (refused !== undefined) requirePlace(json.value, String(refused.at));
  },
};

/** Members and items, held against what JSON.parse makes of the whole: of a name that comes twice, the last one. */
function requireSpans(text: string): void {
  const plain: unknown = JSON.parse(text);
  const members = memberSpans(text);
  const items = itemSpans(text);
  requireSame(members !== undefined, typeof plain === "object" && plain !== null && !Array.isArray(plain), "an object by its spans");
  requireSame(items !== undefined, Array.isArray(plain), "an array by its spans");
  const cut = ({ start, end }: { readonly start: number; readonly end: number }): unknown => JSON.parse(text.slice(start, end));
  if (items !== undefined) requireSame(JSON.stringify(items.map(cut)), JSON.stringify(plain), "items by their spans");
  if (members === undefined) return;
  const last = Object.create(null) as Record<string, unknown>;
  for (const member of members) last[member.name] = cut(member);
  requireSame(JSON.stringify(last), JSON.stringify(plain), "members by their spans");
}

/** What an envelope carries is JSON by itself; what was read can be written, and is then read the same. */
function requireParts(message: Message): void {
  const texts = Object.entries(message).filter(([name, value]) => typeof value === "string" && CARRIED.has(name));
  for (const [name, text] of texts) require(name === "id" || isJsonText(text as string), `${name} of a message is no JSON`, text);
  if (message.kind !== "call" && message.kind !== "cancel") return;
  const written = attempt(() => (message.kind === "call" ? callText(message) : cancelText(message)), TEXT_CODES);
  if (written.refused !== undefined) return;
  requireSame(JSON.stringify(readMessage(written.value)), JSON.stringify(message), "a message written and read");
}

const CARRIED: ReadonlySet<string> = new Set(["args", "schema", "types", "params", "result", "error"]);

/** The two readers of outcomes, of a text and of exact JSON, agree. */
function requireOutcome(text: string): void {
  const reply = readOutcomeText(text);
  if ("text" in reply) require(isJsonText(reply.text as string), "the value of an outcome is no JSON", reply.text);
  const json = attempt(() => parseJson(text), TEXT_CODES);
  if (json.refused !== undefined) return;
  const other = readOutcome(json.value);
  requireSame(reply.tag, other.tag, "the tag of an outcome");
  if ("reason" in reply && reply.tag !== "Malformed")
    requireSame(reply.reason, (other as { reason: string }).reason, "the reason of an outcome");
  if (reply.tag !== "Malformed") require(isJsonObject(json.value), "an outcome that is no object");
}
