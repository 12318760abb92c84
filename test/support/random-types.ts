/** Random concrete types from a seed, with their codecs: recursive, generic and phantom ones, under names that hurt. */
import { type Codec, codecFor } from "../../src/codec/codec.ts";
import { FlowError } from "../../src/json/errors.ts";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { TOOL } from "../../src/types/graph.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { substitute } from "../../src/types/substitute.ts";
import type { Declarations, Term } from "../../src/types/terms.ts";
import { type Random, randomFrom, randomSpec, type Wishes } from "../types/random.ts";

/** What the type parameters of a random Tool are bound to. */
const BOUND: readonly Term[] = [
  "Int",
  "Unit",
  "Decimal",
  "json.Value",
  { Option: "Int" },
  { Option: { Option: "Text" } },
  { Option: "json.Value" },
  { Option: "Unit" },
  { Dict: ["Text", "Bytes"] },
  { Set: { Tuple: ["Bool", "Instant"] } },
];

/** Names of fields that a careless reader or writer trips over. */
const NAMES = [
  "__proto__",
  "constructor",
  "toJSON",
  "hasOwnProperty",
  "tag",
  "value",
  "0",
  "10",
  "a/b~c",
  "\uffff",
  "\u{10000}",
  "é",
  '"\\\n',
  "length",
];

export interface RandomType {
  readonly term: Term;
  readonly declarations: Declarations;
  readonly codec: Codec;
}

/** One concrete root of a random description. */
export function randomType(seed: number, wishes: Wishes = {}): RandomType {
  const random = randomFrom(seed ^ 0x5eed);
  for (let attempt = seed; ; attempt = (attempt + 0x9e3779b9) >>> 0) {
    const spec = readTypeSpec(renamed(random, randomSpec(attempt, wishes)));
    const roots = [spec.ok, spec.err, ...spec.params.map(({ type }) => type)];
    const args = spec.generic.map(() => BOUND[random(BOUND.length)] as Term);
    const term = substitute(roots[random(roots.length)] as Term, TOOL, args);
    try {
      return { term, declarations: spec.declarations, codec: codecFor(term, spec.declarations) };
    } catch (caught) {
      if (!(caught instanceof FlowError)) throw caught;
    }
  }
}

/** The description with every other record's fields under names of {@link NAMES}. */
function renamed(random: Random, description: Record<string, JsonValue>): Record<string, JsonValue> {
  const declarations = Object.entries(description["declarations"] as JsonObject).map(([id, template]) => {
    const { fields } = template as JsonObject;
    if (!Array.isArray(fields) || random(2) === 0) return [id, template];
    const first = random(NAMES.length);
    return [
      id,
      {
        ...(template as JsonObject),
        fields: fields.map((field: JsonObject, i) => ({ ...field, name: NAMES[(first + i) % NAMES.length] })),
      },
    ];
  });
  return { ...description, declarations: Object.fromEntries(declarations) };
}
