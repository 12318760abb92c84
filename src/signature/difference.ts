/** Where two JSON values part. */
import { Decimal } from "../json/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.ts";

/**
 * The way to the first place at which a value differs from the expected one, `undefined` where they are equal: member
 * order aside, numbers by value. Recursion is as deep as `expected`.
 */
export function difference(given: JsonValue, expected: JsonValue): (string | number)[] | undefined {
  if (given === expected) return undefined;
  if (isJsonObject(expected)) return isJsonObject(given) ? inObjects(given, expected) : [];
  if (Array.isArray(expected)) return Array.isArray(given) ? inArrays(given, expected) : [];
  return expected instanceof Decimal && given instanceof Decimal && expected.toString() === given.toString() ? undefined : [];
}

function inObjects(given: JsonObject, expected: JsonObject): (string | number)[] | undefined {
  for (const name of Object.keys(expected)) {
    if (!Object.hasOwn(given, name)) return [];
    const path = difference(given[name] as JsonValue, expected[name] as JsonValue);
    if (path !== undefined) return [name, ...path];
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(expected, name)) return [name];
  }
  return undefined;
}

function inArrays(given: readonly JsonValue[], expected: readonly JsonValue[]): (string | number)[] | undefined {
  const shorter = Math.min(given.length, expected.length);
  for (let i = 0; i < shorter; i++) {
    const path = difference(given[i] as JsonValue, expected[i] as JsonValue);
    if (path !== undefined) return [i, ...path];
  }
  if (given.length === expected.length) return undefined;
  return given.length > expected.length ? [shorter] : [];
}
