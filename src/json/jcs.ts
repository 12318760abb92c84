/**
 * RFC 8785 text (JCS): the bytes that contract digests are taken over. It differs from canonical Flow text: names in
 * order of UTF-16 code units, numbers as ECMAScript writes binary64.
 */
import { Decimal } from "./decimal.ts";
import { FlowError } from "./errors.ts";
import { DEEPEST_LIMIT } from "./limits.ts";
import { isWellFormed } from "./text.ts";

/** A JSON value whose numbers are binary64, or exact ones that are rounded to it. */
export type JcsValue = null | boolean | string | number | bigint | Decimal | readonly JcsValue[] | { readonly [name: string]: JcsValue };

/**
 * The RFC 8785 text of a value. It repairs nothing.
 * @throws FlowError `kind` for a value or number JSON cannot hold, `lone-surrogate`, `limit` past a depth of 1,000.
 */
export function jcsText(value: JcsValue): string {
  return textOf(value, 1);
}

function textOf(value: JcsValue, depth: number): string {
  // A value that holds itself ends here, not with the stack.
  if (depth > DEEPEST_LIMIT) throw new FlowError("limit", `expected values nested at most ${DEEPEST_LIMIT} deep (limit depth)`);
  switch (typeof value) {
    case "string":
      return jcsString(value);
    case "number":
      return jcsNumber(value);
    case "bigint":
      return jcsNumber(Number(value));
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (value instanceof Decimal) return jcsNumber(value.toApproximateNumber());
      // Array.from visits the holes of a sparse array, so that they are refused.
      if (Array.isArray(value)) return `[${Array.from(value, (item: JcsValue) => textOf(item, depth + 1)).join(",")}]`;
      if (isData(value)) return jcsObject(value as Readonly<Record<string, JcsValue>>, depth);
  }
  throw new FlowError("kind", `expected a JSON value, met ${typeof value}`);
}

/** Without a prototype, or with one that has none: `Object.prototype`, or the empty one that the reader of JSON/1 gives. */
function isData(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function jcsObject(members: Readonly<Record<string, JcsValue>>, depth: number): string {
  // sort() without a comparison goes by UTF-16 code units, which is RFC 8785's order.
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${jcsString(name)}:${textOf(members[name] as JcsValue, depth + 1)}`).join(",")}}`;
}

function jcsString(text: string): string {
  if (!isWellFormed(text)) throw new FlowError("lone-surrogate", "expected strings of Unicode scalar values");
  return JSON.stringify(text);
}

function jcsNumber(value: number): string {
  if (!Number.isFinite(value)) throw new FlowError("kind", `expected a finite number, met ${value}`);
  return String(value === 0 ? 0 : value);
}
