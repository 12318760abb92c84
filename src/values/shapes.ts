/** The shapes of enum values, Options and host tokens in TypeScript. */
import type { JsonValue } from "../json/value.ts";

/**
 * One constructor of an enum: `{ tag }` without payload, otherwise `{ tag, value }` with the one part, the tuple of
 * parts, or the record of named parts (R2).
 */
export type Variant<Tag extends string, Value = never> = [Value] extends [never]
  ? { readonly tag: Tag }
  : { readonly tag: Tag; readonly value: Value };

/** An Option anywhere but directly in a record field, where it is an optional property instead (R4). */
export type Option<T> = { readonly tag: "None" } | { readonly tag: "Some"; readonly value: T };

/** The Option without a value. */
export const None: Option<never> = Object.freeze({ tag: "None" });

/** The Option with a value. */
export function Some<T>(value: T): Option<T> {
  return { tag: "Some", value };
}

/**
 * A value that a host made and only hosts understand (R14). Flow stores it, compares nothing about it and hands it
 * back unchanged, as the same JSON value.
 */
export class HostToken {
  /** The JSON that stands for it. */
  readonly json: JsonValue;

  constructor(json: JsonValue) {
    this.json = json;
  }
}
