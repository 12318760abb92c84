/** The JSON reader, over texts and over bytes: against `JSON.parse`, against itself under limits, and back through canonical text. */
import { codecFor } from "../../../src/codec/codec.ts";
import { Decimal } from "../../../src/json/decimal.ts";
import type { FlowError } from "../../../src/json/errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../src/json/limits.ts";
import { splitPointer } from "../../../src/json/pointer.ts";
import { parseJson } from "../../../src/json/read.ts";
import { decodeUtf8, isWellFormed, utf8Length } from "../../../src/json/text.ts";
import type { JsonValue } from "../../../src/json/value.ts";
import { canonicalText } from "../../../src/json/write.ts";
import { mutateJson, partsOf } from "../json-text.ts";
import { type Attempt, attempt, hashOf, require, requireSame, type Target, TEXT_CODES, verdict } from "../target.ts";
import { asBytes, bytesOf, latin1Of, mutateBytes } from "../text.ts";
import { vectors } from "../vectors.ts";

const seeds: readonly string[] = [
  ...vectors("canonical").flatMap(({ json }) => (json === undefined ? [] : [json as string])),
  ...vectors("decode").map(({ json }) => json as string),
  '{"a":{"b":[1,2.50,-0.0,1e3,{"c":null}]},"d":"\\u00e9\\ud83d\\ude00","e":[true,false,[]],"f":""}',
  ' [ 1 , { "x" : [ ] , "y" : { } } , "z" ] ',
];

const words = ["true", "null", '"a":1,', "[1,2]", '{"a":1}', "1e5", "\\u0041", "\\", '"', "//", "'", "NaN", "Infinity", "undefined"];

const json: Target = {
  name: "json",
  seeds,
  mutate: (input, random, other) => mutateJson(input, random, words, other),
  check(text) {
    const exact = attempt(() => parseJson(text), TEXT_CODES);
    againstPlatform(text, exact);
    requireSame(verdict(attempt(() => codecFor("json.Value").decode(text), TEXT_CODES)), verdict(exact), "json.Value and parseJson");
    if (isWellFormed(text)) overBytes(text, exact);
    underLimits(text, exact);
    if (exact.refused === undefined) comesBack(exact.value);
  },
};

const bytes: Target = {
  name: "bytes",
  seeds: seeds.map((seed) => latin1Of(new TextEncoder().encode(seed))),
  mutate: (input, random, other) =>
    random(2) === 0 ? asBytes(mutateJson(input, random, words, other)) : mutateBytes(input, random, words, other),
  check(input) {
    const source = bytesOf(input);
    const read = attempt(() => parseJson(source), TEXT_CODES);
    const text = decodeUtf8(source);
    requireSame(verdict(attempt(() => codecFor("json.Value").decode(source), TEXT_CODES)), verdict(read), "json.Value and parseJson");
    if (text === undefined) requireSame(read.refused?.code, "syntax", "bytes that are not UTF-8");
    else
      overBytes(
        text,
        attempt(() => parseJson(text), TEXT_CODES),
      );
  },
};

export const jsonTargets: readonly Target[] = [json, bytes];

/** Both accept, or both find it to be no JSON; what this reader refuses beside that, its code says. */
function againstPlatform(text: string, exact: Attempt<JsonValue>): void {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    require(exact.refused !== undefined, "accepted what JSON.parse refuses");
    requireOffset(text, exact.refused);
    return;
  }
  if (exact.refused === undefined) requireEqual(exact.value, plain);
  else {
    require(exact.refused.code !== "syntax", "refused the syntax of what JSON.parse accepts", exact.refused.message);
    requireOffset(text, exact.refused);
    // JSON.parse keeps the last of several members of one name; the place is in whichever came first.
    if (partsOf(text).names.length === namesIn(plain)) requirePlace(plain, String(exact.refused.at));
  }
}

function namesIn(plain: unknown): number {
  if (typeof plain !== "object" || plain === null) return 0;
  const inner = Object.values(plain).reduce((sum: number, value) => sum + namesIn(value), 0);
  return inner + (Array.isArray(plain) ? 0 : Object.keys(plain).length);
}

function requireOffset(text: string, { code, offset }: FlowError): void {
  require(offset === undefined || (offset >= 0 && offset <= text.length), `a ${code} at an offset outside of the text`, offset);
}

/** A pointer that leads to a value, or to a member of one. */
export function requirePlace(root: unknown, at: string): void {
  const path = splitPointer(at);
  let value = root;
  for (const [i, segment] of path.entries()) {
    const isContainer = typeof value === "object" && value !== null && !(value instanceof Decimal);
    require(isContainer, "a place inside of what holds nothing", at);
    if (!Object.hasOwn(value as object, segment)) {
      require(i === path.length - 1, "a place below what is not there", at);
      return;
    }
    value = (value as Record<string, unknown>)[segment];
  }
}

/** Exact JSON is what JSON.parse made of it, but for digits that it lost. */
function requireEqual(exact: JsonValue, plain: unknown): void {
  if (typeof plain === "number") {
    require(typeof exact === "bigint" || exact instanceof Decimal, "a number that is none", plain);
    const near = Number(exact instanceof Decimal ? exact.toString() : String(exact));
    require(near === plain, "a number of another value", near, plain);
  } else if (typeof plain !== "object" || plain === null) requireSame(exact, plain, "a scalar of another value");
  else {
    require(typeof exact === "object" && exact !== null && Array.isArray(exact) === Array.isArray(plain), "a container of another kind");
    const names = Object.keys(plain);
    require(names.length === Object.keys(exact).length, "a container of another size");
    for (const name of names) {
      require(Object.hasOwn(exact, name), "a member that is missing", name);
      requireEqual((exact as Record<string, JsonValue>)[name] as JsonValue, (plain as Record<string, unknown>)[name]);
    }
  }
}

/** From bytes the same comes out as from the text, places in bytes. */
function overBytes(text: string, exact: Attempt<JsonValue>): void {
  const read = attempt(() => parseJson(new TextEncoder().encode(text)), TEXT_CODES);
  const { refused } = exact;
  if (refused === undefined || read.refused === undefined) requireSame(verdict(read), verdict(exact), "bytes and text");
  else {
    const { code, at, offset } = refused;
    const moved = offset === undefined ? undefined : utf8Length(text.slice(0, offset));
    requireSame(verdict(read), `${code} ${String(at)} @${moved}`, "places in bytes and text");
  }
}

/** Tight limits refuse with `limit` or change nothing; what they admit can be written under them, what is written read. */
function underLimits(text: string, exact: Attempt<JsonValue>): void {
  const small = (name: keyof Limits, below: number): number => 1 + hashOf(`${name}${text}`, below);
  const limits: Limits = {
    ...DEFAULT_LIMITS,
    depth: small("depth", 6),
    values: small("values", 12),
    members: small("members", 4),
    string: small("string", 8),
    digits: small("digits", 20),
  };
  const bound = attempt(() => parseJson(text, limits), TEXT_CODES);
  requireSame(
    verdict(attempt(() => codecFor("json.Value").decode(text, { limits }), TEXT_CODES)),
    verdict(bound),
    "json.Value and parseJson under limits",
  );
  if (bound.refused !== undefined) {
    if (bound.refused.code !== "limit") requireSame(verdict(bound), verdict(exact), "a refusal under limits");
    return;
  }
  require(exact.refused === undefined, "accepted under tighter limits only");
  const written = attempt(() => canonicalText(bound.value, limits), TEXT_CODES);
  require(written.refused === undefined, "admitted and cannot be written", written.refused?.message);
  requireSame(verdict(attempt(() => parseJson(written.value, limits), TEXT_CODES)), "accepted", "written and cannot be read");
}

/** One value, one text. */
function comesBack(value: JsonValue): void {
  const text = canonicalText(value);
  const again = attempt(() => parseJson(text), TEXT_CODES);
  require(again.refused === undefined, "canonical text that is refused", text);
  requireSame(canonicalText(again.value), text, "canonical text of canonical text");
}
