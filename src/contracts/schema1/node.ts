/** A checked Schema/1 schema as plain data: what the reader builds and both evaluators go by. */
import { escapeSegment } from "../../json/pointer.ts";
import type { Json1Value } from "../model.ts";

/** A value that `const` and `enum` may hold. */
export type Scalar = null | boolean | number | string;

/** The names of `type`, one bit each. */
export const TYPE_BITS: Readonly<Record<string, number>> = Object.freeze({
  null: 1,
  boolean: 2,
  object: 4,
  array: 8,
  number: 16,
  integer: 32,
  string: 64,
});

/** The bits a value satisfies: one, or two for a number whose value is whole. */
export function typeBits(value: Json1Value): number {
  switch (typeof value) {
    case "string":
      return 64;
    case "number":
      return Number.isInteger(value) ? 48 : 16;
    case "boolean":
      return 2;
    default:
      return value === null ? 1 : Array.isArray(value) ? 8 : 4;
  }
}

/**
 * One schema node: the root, or the object or boolean in a schema-valued position. A field is `undefined` where its
 * keyword is absent. `then` and `else` without `if`, and `minContains` and `maxContains` without `contains`, are kept
 * and evaluate nothing.
 */
export class SchemaNode {
  readonly index: number;
  /** The JSON Pointer of the node in its document. */
  readonly pointer: string;
  /** `true` and `false` for the boolean schemas. */
  readonly always: boolean | undefined;

  ref: SchemaNode | undefined;
  types: readonly string[] | undefined;
  const: { readonly value: Scalar } | undefined;
  enum: readonly Scalar[] | undefined;
  allOf: readonly SchemaNode[] | undefined;
  anyOf: readonly SchemaNode[] | undefined;
  oneOf: readonly SchemaNode[] | undefined;
  not: SchemaNode | undefined;
  if: SchemaNode | undefined;
  then: SchemaNode | undefined;
  else: SchemaNode | undefined;
  properties: ReadonlyMap<string, SchemaNode> | undefined;
  required: readonly string[] | undefined;
  additionalProperties: SchemaNode | undefined;
  minProperties: number | undefined;
  maxProperties: number | undefined;
  dependentRequired: ReadonlyMap<string, readonly string[]> | undefined;
  dependentSchemas: ReadonlyMap<string, SchemaNode> | undefined;
  prefixItems: readonly SchemaNode[] | undefined;
  items: SchemaNode | undefined;
  contains: SchemaNode | undefined;
  minContains: number | undefined;
  maxContains: number | undefined;
  minItems: number | undefined;
  maxItems: number | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  minimum: number | undefined;
  exclusiveMinimum: number | undefined;
  maximum: number | undefined;
  exclusiveMaximum: number | undefined;

  /** The longest chain of nodes below this one, itself included, references followed. */
  height = 1;
  /** Whether the pair of this node and one place can be met twice, so that its result has to be remembered. */
  remembered = false;
  /** Whether evaluating it needs to know the place, for a remembered node at or below it. */
  placed = false;

  constructor(index: number, pointer: string, always?: boolean) {
    this.index = index;
    this.pointer = pointer;
    this.always = always;
  }

  /** The nodes that are evaluated on the same value as this one, the target of its reference included. */
  *inPlace(): Iterable<SchemaNode> {
    if (this.ref !== undefined) yield this.ref;
    if (this.allOf !== undefined) yield* this.allOf;
    if (this.anyOf !== undefined) yield* this.anyOf;
    if (this.oneOf !== undefined) yield* this.oneOf;
    if (this.not !== undefined) yield this.not;
    if (this.if !== undefined) {
      yield this.if;
      if (this.then !== undefined) yield this.then;
      if (this.else !== undefined) yield this.else;
    }
    if (this.dependentSchemas !== undefined) yield* this.dependentSchemas.values();
  }

  /** The nodes that are evaluated on members or items of the value. */
  *below(): Iterable<SchemaNode> {
    if (this.properties !== undefined) yield* this.properties.values();
    if (this.additionalProperties !== undefined) yield this.additionalProperties;
    if (this.prefixItems !== undefined) yield* this.prefixItems;
    if (this.items !== undefined) yield this.items;
    if (this.contains !== undefined) yield this.contains;
  }
}

/**
 * A place in an instance: what JSON Pointers tell apart, also where two places hold the very same value. It remembers
 * the results of the nodes that were evaluated there, by their index.
 */
export class Place<Result> {
  private readonly parent: Place<Result> | undefined;
  private readonly segment: string | number;
  private children: Map<string | number, Place<Result>> | undefined;
  private results: Map<number, Result> | undefined;

  constructor(parent?: Place<Result>, segment: string | number = "") {
    this.parent = parent;
    this.segment = segment;
  }

  /** The result of a node here, where it was remembered. */
  result(index: number): Result | undefined {
    return this.results?.get(index);
  }

  remember(index: number, result: Result): void {
    this.results ??= new Map();
    this.results.set(index, result);
  }

  /** The place of a member or an item; the same one each time. */
  child(segment: string | number): Place<Result> {
    this.children ??= new Map();
    let child = this.children.get(segment);
    if (child === undefined) {
      child = new Place(this, segment);
      this.children.set(segment, child);
    }
    return child;
  }

  /** The JSON Pointer of the place. */
  pointer(): string {
    let pointer = "";
    for (let place: Place<Result> = this; place.parent !== undefined; place = place.parent) {
      pointer = `/${escapeSegment(String(place.segment))}${pointer}`;
    }
    return pointer;
  }
}
