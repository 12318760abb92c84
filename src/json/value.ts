/** Exact JSON values, as the readers of this room build them and the writers take them. */
import { Decimal } from "./decimal.ts";
import { quoted } from "./errors.ts";

/**
 * One JSON value that lost nothing: whole numbers are `bigint` (`3.0` and `3e2` too, R7), all others {@link Decimal};
 * objects have no prototype, so every name is just a name.
 */
export type JsonValue = null | boolean | string | bigint | Decimal | readonly JsonValue[] | JsonObject;

/** An object of exact JSON: without a prototype, so that every name is just a name. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** An object under construction. */
export type MutableJsonObject = Record<string, JsonValue>;

export function emptyObject(): MutableJsonObject {
  return Object.create(null) as MutableJsonObject;
}

/** An object of the given members, without a prototype. */
export function jsonObject(members: Readonly<Record<string, JsonValue>>): JsonObject {
  return Object.assign(emptyObject(), members);
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}

/** The kind of a JSON value in a sentence: `the string "42"`, `an array of 3 items`. */
export function describeJson(value: unknown): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return `the string ${quoted(value)}`;
    case "boolean":
      return String(value);
    case "number":
    case "bigint":
      return `the number ${abridgedNumber(String(value))}`;
    case "object":
      if (value instanceof Decimal) return `the number ${abridgedNumber(value.toString())}`;
      if (Array.isArray(value)) return `an array of ${value.length} item${value.length === 1 ? "" : "s"}`;
      return "an object";
    default:
      return typeof value;
  }
}

function abridgedNumber(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 32)}… (${text.length} digits)`;
}
