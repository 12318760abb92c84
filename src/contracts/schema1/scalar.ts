/** The rules of the fast evaluator that look at one value and nothing below it. */
import type { Json1Value } from "../model.ts";
import { scalarLength } from "./cost.ts";
import type { Evaluate } from "./fast.ts";
import { type Meter, PAST_BUDGET } from "./meter.ts";
import { type Scalar, type SchemaNode, TYPE_BITS } from "./node.ts";

/** What `type` says of each kind of value. */
export interface Acceptance {
  readonly nulls: boolean;
  readonly booleans: boolean;
  readonly objects: boolean;
  readonly arrays: boolean;
  readonly integers: boolean;
  /** Numbers that need not be whole. */
  readonly fractions: boolean;
  readonly strings: boolean;
}

export function acceptance(types: readonly string[] | undefined): Acceptance {
  let bits = types === undefined ? 127 : 0;
  for (const name of types ?? []) bits |= TYPE_BITS[name] as number;
  const admits = (name: string): boolean => (bits & (TYPE_BITS[name] as number)) !== 0;
  return {
    nulls: admits("null"),
    booleans: admits("boolean"),
    objects: admits("object"),
    arrays: admits("array"),
    integers: admits("integer"),
    fractions: admits("number"),
    strings: admits("string"),
  };
}

/** A node without schemas of its own, `const` and `enum`: most nodes of most schemas. Validations took a tenth less with it (Node 20). */
export function leaf(
  { nulls, booleans, objects, arrays, integers, fractions, strings }: Acceptance,
  common: number,
  {
    stringCost,
    numberCost,
    length,
    range,
  }: {
    stringCost: number;
    numberCost: number;
    length: ((text: string, meter: Meter) => boolean) | undefined;
    range: ((value: number) => boolean) | undefined;
  },
): Evaluate {
  return (value, meter) => {
    let valid: boolean;
    if (typeof value === "string") {
      meter.units += stringCost;
      valid = strings;
      if (length !== undefined && !length(value, meter)) valid = false;
    } else if (typeof value === "number") {
      meter.units += numberCost;
      valid = (fractions || (integers && Number.isInteger(value))) && (range === undefined || range(value));
    } else {
      meter.units += common;
      if (typeof value === "boolean") valid = booleans;
      else valid = value === null ? nulls : Array.isArray(value) ? arrays : objects;
    }
    if (meter.units > meter.budget) throw PAST_BUDGET;
    return valid;
  };
}

/** `minLength` and `maxLength`, and the units of the length. */
export function lengthRule(node: SchemaNode): (text: string, meter: Meter) => boolean {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = node;
  return (text, meter) => {
    // A scalar value takes at most two units of the string: this many at least will be charged.
    if (meter.units + text.length / 2 > meter.budget) throw PAST_BUDGET;
    const length = scalarLength(text);
    meter.units += length;
    return length >= minLength && length <= maxLength;
  };
}

/** `minimum`, `maximum` and the exclusive ones. */
export function rangeRule(node: SchemaNode): (value: number) => boolean {
  const { minimum = Number.NEGATIVE_INFINITY, exclusiveMinimum = Number.NEGATIVE_INFINITY } = node;
  const { maximum = Number.POSITIVE_INFINITY, exclusiveMaximum = Number.POSITIVE_INFINITY } = node;
  return (value) => value >= minimum && value > exclusiveMinimum && value <= maximum && value < exclusiveMaximum;
}

/** `const` and `enum`: numbers by value, strings exactly. A Set holds 0 and -0 for one, as JSON/1 does. */
export function scalarRule(node: SchemaNode): ((value: Json1Value) => boolean) | undefined {
  if (node.const === undefined && node.enum === undefined) return undefined;
  let allowed = new Set<Json1Value>(node.enum ?? [(node.const as { value: Scalar }).value]);
  if (node.const !== undefined && node.enum !== undefined) allowed = new Set(allowed.has(node.const.value) ? [node.const.value] : []);
  return (value) => allowed.has(value);
}
