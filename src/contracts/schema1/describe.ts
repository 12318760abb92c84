/** Values in sentences. */
import type { Json1Value } from "../model.ts";

/** A value as it reads after "met ": its kind, and itself where it is short. */
export function describeValue(value: Json1Value | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return `the string ${JSON.stringify(value.length <= 40 ? value : `${value.slice(0, 32)}…`)}`;
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    default:
      return Array.isArray(value) ? `an array of ${value.length} item${value.length === 1 ? "" : "s"}` : "an object";
  }
}
