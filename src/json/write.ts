/**
 * Canonical Flow text (*The canonical form*): no white space, members by code point, numbers in plain notation, the
 * fewest escapes. One value, one text.
 */
import { Decimal } from "./decimal.ts";
import { asFlowError, Refusal } from "./errors.ts";
import { type Limits, resolveLimits } from "./limits.ts";
import { tooMany } from "./read.ts";
import { compareCodePoints, exceedsUtf8, isWellFormed, loneSurrogate } from "./text.ts";
import { describeJson, type JsonValue } from "./value.ts";

/**
 * The canonical text of an exact JSON value. Whatever it returns, `parseJson` reads back under the same limits.
 * @throws FlowError `kind` for what is no exact JSON value (a JavaScript number among them: use `bigint` or Decimal),
 *   `lone-surrogate`, `limit`.
 */
export function canonicalText(value: JsonValue, limits?: Partial<Limits>): string {
  const bounds = resolveLimits(limits);
  try {
    const text = new Writer(bounds).value(value, 1);
    if (exceedsUtf8(text, bounds.bytes)) throw tooMany("bytes", `a document of at most ${bounds.bytes} UTF-8 bytes`);
    return text;
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/** Writes one exact JSON value inside a larger text. `depth` is the depth of `value` itself. @throws Refusal */
export function writeJson(value: JsonValue, limits: Limits, depth: number): string {
  return new Writer(limits).value(value, depth);
}

class Writer {
  private values = 0;
  private readonly limits: Limits;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  value(value: JsonValue, depth: number): string {
    const { limits } = this;
    if (depth > limits.depth) throw tooMany("depth", `values nested at most ${limits.depth} deep`);
    if (++this.values > limits.values) throw tooMany("values", `at most ${limits.values} values in one document`);
    switch (typeof value) {
      case "string":
        return writeString(value, limits);
      case "bigint":
        return writeBigint(value, limits);
      case "boolean":
        return value ? "true" : "false";
      case "object":
        if (value === null) return "null";
        if (value instanceof Decimal) return writeDecimal(value, limits);
        if (Array.isArray(value)) return this.array(value, depth);
        if (isPlainObject(value)) return this.object(value as Readonly<Record<string, JsonValue>>, depth);
    }
    throw new Refusal("kind", "an exact JSON value (null, boolean, string, bigint, Decimal, array or plain object)", describeJson(value));
  }

  private array(items: readonly JsonValue[], depth: number): string {
    if (items.length > this.limits.members) throw tooMany("members", `at most ${this.limits.members} items in one array`);
    let text = "[";
    for (let i = 0; i < items.length; i++) {
      if (i > 0) text += ",";
      try {
        text += this.value(items[i] as JsonValue, depth + 1);
      } catch (caught) {
        throw caught instanceof Refusal ? caught.under(i) : caught;
      }
    }
    return `${text}]`;
  }

  private object(members: Readonly<Record<string, JsonValue>>, depth: number): string {
    const names = Object.keys(members);
    if (names.length > this.limits.members) throw tooMany("members", `at most ${this.limits.members} members in one object`);
    if (names.length > 1) names.sort(compareCodePoints);
    let text = "{";
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      text += i > 0 ? "," : "";
      text += `${writeString(name, this.limits)}:`;
      try {
        text += this.value(members[name] as JsonValue, depth + 1);
      } catch (caught) {
        throw caught instanceof Refusal ? caught.under(name) : caught;
      }
    }
    return `${text}}`;
  }
}

/** Objects without a prototype and object literals; a Date or a Map has members that its keys do not show. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** What must be looked at before a string is written between quotes as it stands. */
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string between quotes, with the canonical escapes, which are those of `JSON.stringify` for well-formed text. */
export function writeString(text: string, limits: Limits): string {
  if (exceedsUtf8(text, limits.string)) throw tooMany("string", `a string of at most ${limits.string} UTF-8 bytes`);
  return NEEDS_CARE.test(text) ? quoteWithCare(text) : `"${text}"`;
}

/** @throws Refusal `lone-surrogate` */
export function quoteWithCare(text: string): string {
  if (!isWellFormed(text)) {
    const unit = text.charCodeAt(loneSurrogate(text)).toString(16);
    throw new Refusal("lone-surrogate", "strings of Unicode scalar values", `the lone surrogate \\u${unit}`);
  }
  return JSON.stringify(text);
}

/** 10^n for the few n that limits use, so that judging a bigint does not write it out. */
const powersOfTen = new Map<number, bigint>();

/** Whether a bigint needs more than `digits` decimal digits. */
export function exceedsDigits(value: bigint, digits: number): boolean {
  let power = powersOfTen.get(digits);
  if (power === undefined) {
    power = 10n ** BigInt(digits);
    powersOfTen.set(digits, power);
  }
  return value >= power || value <= -power;
}

export function writeBigint(value: bigint, limits: Limits): string {
  if (exceedsDigits(value, limits.digits)) throw tooMany("digits", `a number of at most ${limits.digits} digits`);
  return value.toString();
}

export function writeDecimal(value: Decimal, limits: Limits): string {
  const text = value.toString();
  // A text of at most `digits` characters cannot hold more digits; only longer ones are counted.
  if (text.length > limits.digits && value.digits > limits.digits) {
    throw tooMany("digits", `a number of at most ${limits.digits} digits`);
  }
  return text;
}
