/**
 * Canonical Flow text of exact JSON (*The canonical form*): no white space, members by code point, numbers in plain
 * notation, the fewest escapes. One value, one text.
 */
import { Decimal } from "./decimal.ts";
import { asFlowError, Refusal } from "./errors.ts";
import { type Limits, resolveLimits, tooMany } from "./limits.ts";
import { Output, quoteWithCare, stringTooLong } from "./output.ts";
import { phraseOf } from "./phrase.ts";
import { isPlainObject } from "./plain.ts";
import { compareCodePoints, exceedsUtf8 } from "./text.ts";
import { describeJson, type JsonValue } from "./value.ts";

/**
 * The canonical text of an exact JSON value. Whatever it returns, `parseJson` reads back under the same limits.
 * @throws FlowError `kind` for what is no exact JSON value (a JavaScript number among them: use `bigint` or Decimal),
 *   `lone-surrogate`, `limit`.
 */
export function canonicalText(value: JsonValue, limits?: Partial<Limits>): string {
  const bounds = resolveLimits(limits);
  try {
    return Output.textOf(bounds, (output) => writeJson(value, output));
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/** One string between quotes, as canonical text has it. @throws Refusal `limit`, `lone-surrogate` */
export function writeString(text: string, limits: Limits): string {
  if (exceedsUtf8(text, limits.string)) throw stringTooLong(limits);
  return quoteWithCare(text);
}

const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const COMMA = 44;
const COLON = 58;

const TRUE = phraseOf("true");
const FALSE = phraseOf("false");
const NULL = phraseOf("null");

export function writeBoolean(value: boolean, output: Output): void {
  output.phrase(value ? TRUE : FALSE);
}

/** Writes one exact JSON value, which may stand inside something larger. @throws Refusal */
export function writeJson(value: JsonValue, output: Output): void {
  if (typeof value === "string") output.string(value);
  else if (typeof value === "bigint") output.bigint(value);
  else if (typeof value === "boolean") writeBoolean(value, output);
  else if (value === null) output.phrase(NULL);
  else if (value instanceof Decimal) output.decimal(value);
  else if (Array.isArray(value)) {
    if (!output.strings(value)) writeItems(value, output, writeJson);
  } else if (typeof value === "object" && isPlainObject(value)) writeObject(value as Readonly<Record<string, JsonValue>>, output);
  else
    throw new Refusal("kind", "an exact JSON value (null, boolean, string, bigint, Decimal, array or plain object)", describeJson(value));
}

/** An array, each item written by `item`. @throws Refusal */
export function writeItems<T>(items: readonly T[], output: Output, item: (value: T, output: Output) => void): void {
  const { length } = items;
  requireMembers(length, output.limits, "items in one array");
  if (length === 0) {
    output.byte(OPEN_ARRAY);
    output.byte(CLOSE_ARRAY);
    return;
  }
  let i = 0;
  try {
    output.open(OPEN_ARRAY);
    for (; i < length; i++) {
      if (i > 0) output.byte(COMMA);
      output.value();
      item(items[i] as T, output);
    }
    output.close(CLOSE_ARRAY);
  } catch (caught) {
    throw caught instanceof Refusal ? caught.under(i) : caught;
  }
}

/** An object of the given names, which are in canonical order, each value written by `member`. @throws Refusal */
export function writeMembers(names: readonly string[], output: Output, member: (i: number, output: Output) => void): void {
  const { length } = names;
  requireMembers(length, output.limits, "members of one object");
  if (length === 0) {
    output.byte(OPEN_OBJECT);
    output.byte(CLOSE_OBJECT);
    return;
  }
  // A fault of a name is its object's, a fault of a value the member's.
  let within = -1;
  try {
    for (let i = 0; i < length; i++) {
      if (i === 0) output.byte(OPEN_OBJECT);
      else output.byte(COMMA);
      output.string(names[i] as string);
      output.byte(COLON);
      within = i;
      if (i === 0) output.deeper();
      output.value();
      member(i, output);
      within = -1;
    }
    output.close(CLOSE_OBJECT);
  } catch (caught) {
    throw caught instanceof Refusal && within >= 0 ? caught.under(names[within] as string) : caught;
  }
}

function writeObject(members: Readonly<Record<string, JsonValue>>, output: Output): void {
  const names = Object.keys(members);
  if (names.length > 1) names.sort(compareCodePoints);
  writeMembers(names, output, (i) => writeJson(members[names[i] as string] as JsonValue, output));
}

/** @throws Refusal `limit` */
export function requireMembers(count: number, limits: Limits, what: string): void {
  if (count > limits.members) throw tooMany("members", `at most ${limits.members} ${what}`, String(count));
}
