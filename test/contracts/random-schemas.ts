/**
 * Random Schema/1 schemas and values that they have something to say about. What other validators do not take stays out
 * (an empty `enum`, members named `__proto__` or with the empty name) and has tests of its own.
 */
import fc from "fast-check";

const DEFINITIONS = ["D0", "D1", "D2", "D3"];

const name = fc.constantFrom("a", "b", "c", "toString", "~/");
const count = fc.integer({ min: 0, max: 3 });
const bound = fc.constantFrom(-1, 0, 1, 1.5, 2);
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 1.5, "", "a", "😀é");

type Plain = Record<string, unknown>;

/** An object of own members. */
function own(entries: readonly (readonly [string, unknown])[]): Plain {
  const object = Object.create(null) as Plain;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

function keyed(value: fc.Arbitrary<unknown>, keys: fc.Arbitrary<string> = name, most = 3): fc.Arbitrary<Plain> {
  return fc.array(fc.tuple(keys, value), { maxLength: most }).map(own);
}

/** A schema of which references go only to definitions behind `first`, so that they never go in a circle. */
function schema(first: number, depth: number): fc.Arbitrary<unknown> {
  const targets = DEFINITIONS.slice(first).map((definition) => `#/$defs/${definition}`);
  const leaf = fc.oneof(fc.boolean(), fc.constant({}), fc.record({ type: types }, { requiredKeys: [] }));
  if (depth === 0) return targets.length === 0 ? leaf : fc.oneof(leaf, fc.record({ $ref: fc.constantFrom(...targets) }));
  const sub = fc.oneof({ weight: 1, arbitrary: leaf }, { weight: 3, arbitrary: schema(first, depth - 1) });
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: types,
    enum: fc.array(scalar, { minLength: 1, maxLength: 4 }),
    const: scalar,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: sub,
    if: sub,
    then: sub,
    else: sub,
    properties: keyed(sub),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: sub,
    minProperties: count,
    maxProperties: count,
    dependentRequired: keyed(fc.uniqueArray(name, { maxLength: 2 })),
    dependentSchemas: keyed(sub),
    prefixItems: list,
    items: sub,
    contains: sub,
    minContains: count,
    maxContains: count,
    minItems: count,
    maxItems: count,
    minLength: count,
    maxLength: count,
    minimum: bound,
    exclusiveMinimum: bound,
    maximum: bound,
    exclusiveMaximum: bound,
    title: fc.constant("t"),
    examples: fc.constant([{ format: 1 }]),
  };
  if (targets.length > 0) keywords["$ref"] = fc.constantFrom(...targets);
  const chosen = fc.subarray(Object.keys(keywords), { minLength: 1, maxLength: 6 });
  return chosen.chain((names) =>
    fc.tuple(...names.map((keyword) => (keywords[keyword] as fc.Arbitrary<unknown>).map((value) => [keyword, value] as const))).map(own),
  );
}

const typeName = fc.constantFrom("null", "boolean", "object", "array", "number", "integer", "string");
const types: fc.Arbitrary<unknown> = fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }));

/** A schema file. */
export const schemaFile: fc.Arbitrary<Plain> = fc
  .tuple(
    schema(0, 2).filter((root) => typeof root === "object"),
    schema(1, 1),
    schema(2, 1),
    schema(3, 1),
    schema(4, 1),
  )
  .map(([root, ...definitions]) =>
    own([
      ["$schema", "https://flow.jig.md/schemas/schema-1.json"],
      ...Object.entries(root as Plain),
      ["$defs", own(definitions.map((definition, i) => [DEFINITIONS[i] as string, definition] as const))],
    ]),
  );

/** A value. */
export const instance: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, scalar, fc.array(tie("value"), { maxLength: 3 }), keyed(tie("value"), name, 4)),
})).value;
