/**
 * FLOW JSON/1, the value model of contracts: RFC 8259 in UTF-8, every name once, Unicode scalar values only, numbers
 * that are binary64 and, where whole, safe integers.
 *
 * It is another model than the Flow value encoding of `../json/`: numbers are JavaScript numbers here, and a number that
 * binary64 cannot be trusted with is refused instead of being kept exactly.
 */

/** One JSON/1 value. */
export type Json1Value = null | boolean | number | string | readonly Json1Value[] | Json1Object;

/** A JSON/1 object. Those of this room inherit nothing: their one prototype is frozen, empty and without a prototype. */
export interface Json1Object {
  readonly [name: string]: Json1Value;
}

/** The limits of one JSON/1 document, inclusive. They are facts of the model and cannot be chosen. */
export const JSON1_LIMITS: Readonly<{
  bytes: number;
  depth: number;
  values: number;
  members: number;
  items: number;
  stringBytes: number;
  nameBytes: number;
  numberBytes: number;
}> = Object.freeze({
  bytes: 16_777_216,
  depth: 128,
  values: 262_144,
  members: 65_536,
  items: 65_536,
  stringBytes: 8_388_608,
  nameBytes: 1_024,
  numberBytes: 128,
});

/**
 * Objects of this constructor inherit nothing, as those of `Object.create(null)` do, but engines keep them in their
 * fast representation: building and reading them took a quarter of the time (Node 20).
 */
const Bare = function Bare() {} as unknown as { new (): Record<string, Json1Value>; prototype: object };
Bare.prototype = Object.freeze(Object.create(null) as object);

/** An object under construction, in which every name is just a name. */
export function bareObject(): Record<string, Json1Value> {
  return new Bare();
}

/** Whether a JSON/1 value is an object. */
export function isObject(value: Json1Value | undefined): value is Json1Object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Freezes a JSON/1 value, all the way down: at most 128 levels. */
export function freezeJson1(value: Json1Value): Json1Value {
  if (typeof value === "object" && value !== null) {
    for (const child of Object.values(value) as Json1Value[]) freezeJson1(child);
    Object.freeze(value);
  }
  return value;
}

/** Names of members in RFC 8785 order, by UTF-16 code units. */
export function sortedNames(object: Json1Object): string[] {
  return Object.keys(object).sort();
}

/**
 * A JSON/1 text that has not been read yet. A provider that got its reply as text hands it on in one, so that a number
 * outside the model is refused instead of being rounded on the way.
 */
export class Json1Text {
  /** The text, which nobody has read yet. */
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/** What a number has to be, for people. */
export const NUMBER = "a finite number that, where whole, lies within ±9007199254740991";

/** Whether binary64 can be trusted with a number. */
export function isJson1Number(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
