/** The compiler of Schema/1 and what it makes: codes, places, and one verdict with one count of units from both evaluators. */
import { Faults } from "../../../src/contracts/codes.ts";
import { readJson1 } from "../../../src/contracts/json1.ts";
import { isObject, type Json1Value } from "../../../src/contracts/model.ts";
import { explain } from "../../../src/contracts/schema1/explain.ts";
import { Meter, PAST_BUDGET } from "../../../src/contracts/schema1/meter.ts";
import type { SchemaNode } from "../../../src/contracts/schema1/node.ts";
import { SchemaReader } from "../../../src/contracts/schema1/read.ts";
import { type CompiledSchema, compileSchema, compileSchemaValue } from "../../../src/contracts/schema1/schema.ts";
import { mutateJson } from "../json-text.ts";
import { attempt, require, requireSame, type Target, TEXT_CODES, verdict } from "../target.ts";
import { requirePlace } from "./json.ts";

const JSON1_CODES: ReadonlySet<string> = new Set([...TEXT_CODES, "number"]);
const SCHEMA_CODES: ReadonlySet<string> = new Set(
  "SCHEMA_INVALID_JSON SCHEMA_INVALID SCHEMA_KEYWORD_UNSUPPORTED SCHEMA_REFERENCE_INVALID SCHEMA_LIMIT_EXCEEDED".split(" "),
);
const BUDGET_CODES: ReadonlySet<string> = new Set(["SCHEMA_LIMIT_EXCEEDED"]);
/** Units of one validation here: enough for any small value, and little enough for thousands of inputs. */
const BUDGET = 5_000;
const MOST_VALUES = 4;

const ID = '"$schema":"https://flow.jig.md/schemas/schema-1.json"';

export const SCHEMA_WORDS: readonly string[] = [
  ...'"type"|"const"|"enum"|"allOf"|"anyOf"|"oneOf"|"not"|"if"|"then"|"else"|"properties"|"required"|"additionalProperties"'.split("|"),
  ...'"items"|"prefixItems"|"contains"|"minContains"|"maxContains"|"minItems"|"maxItems"|"minLength"|"maxLength"|"minimum"|"maximum"'.split(
    "|",
  ),
  ...'"exclusiveMinimum"|"exclusiveMaximum"|"minProperties"|"maxProperties"|"dependentRequired"|"dependentSchemas"|"$ref"|"$defs"'.split(
    "|",
  ),
  ...'"pattern"|"format"|"uniqueItems"|"multipleOf"|"$id"|"$anchor"|"$dynamicRef"|"$comment"|"title"|"examples"|"default"'.split("|"),
  ...'"#/$defs/A"|"#/$defs/B"|"#"|"#/$defs/"|"#/$defs/A/not"|"#/%24defs/A"|"https://x"|{"$ref":"#/$defs/A"}|{"$ref":"#/$defs/B"}'.split(
    "|",
  ),
  ...'"null"|"boolean"|"object"|"array"|"number"|"integer"|"string"|["string","null"]|true|false|{"type":"integer"}|{"not":{}}'.split("|"),
  ...'{"items":{"$ref":"#/$defs/A"}}|{"properties":{"a":{"$ref":"#/$defs/B"}}}|{"const":1}|{"enum":[1,"a",null]}|{"minLength":2}'.split(
    "|",
  ),
];

const SCHEMAS = [
  "{}",
  '{"type":"object","properties":{"a":{"type":"integer","minimum":0},"b":{"type":"array","items":{"type":"string","maxLength":3}}},"required":["a"],"additionalProperties":false}',
  '{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/B"}},"B":{"enum":[1,2.5,"x",null]}}}',
  '{"oneOf":[{"const":1},{"type":"string","minLength":1,"maxLength":4},{"not":{"type":"object"}}]}',
  '{"if":{"required":["k"]},"then":{"properties":{"k":{"const":"v"}}},"else":{"maxProperties":1},"dependentRequired":{"a":["b"]},"dependentSchemas":{"b":{"minProperties":2}}}',
  '{"prefixItems":[true,{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":10}],"items":{"type":"boolean"},"contains":{"const":true},"minContains":1,"maxContains":2,"minItems":1,"maxItems":4}',
  '{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"}],"$defs":{"A":{"allOf":[{"$ref":"#/$defs/B"},{"$ref":"#/$defs/B"}]},"B":{"anyOf":[{"$ref":"#/$defs/C"},{"$ref":"#/$defs/C"}]},"C":{"items":{"type":"integer"}}}}',
  '{"title":"t","description":"d","$comment":"c","examples":[{"format":1}],"type":["null","boolean"]}',
];

const VALUES = ['{"a":1,"b":["x","yy"]}', "[[1,2.5],3]", '"abc"', '{"k":"v","a":1}', "[true,5,false]", "[[1],[2]]", "null", "1.0"];

/** An input is a schema, and after a line feed each a few values. */
export const schema: Target = {
  name: "schema",
  // Units for each of some values and of some validations, and what the reasons of a refusal cost beside.
  budget: 40_000_000,
  seeds: SCHEMAS.map((text) => [text.replace("{", `{${ID}${text === "{}" ? "" : ","}`), ...VALUES].join("\n")),
  mutate(input, random, other) {
    const lines = input.split("\n");
    const others = other.split("\n");
    const at = random(3) > 0 ? 0 : random(lines.length);
    const donor = others[random(2) === 0 ? 0 : random(others.length)] as string;
    lines[at] = mutateJson(lines[at] as string, random, SCHEMA_WORDS, donor).replaceAll("\n", " ");
    return lines.join("\n");
  },
  check(input) {
    const [text = "", ...values] = input.split("\n");
    const compiled = attempt(() => compileSchema(text), SCHEMA_CODES);
    const json = attempt(() => readJson1(text), JSON1_CODES);
    if (json.refused !== undefined) {
      requireSame(compiled.refused?.code, "SCHEMA_INVALID_JSON", "a schema that is no JSON/1");
      return;
    }
    const other = attempt(() => compileSchemaValue(json.value), SCHEMA_CODES);
    requireSame(verdict(compiled), verdict(other), "a schema from its text and from its value");
    requireSame(
      verdict(attempt(() => compileSchemaValue(reversed(json.value)), SCHEMA_CODES)) === "accepted",
      compiled.refused === undefined,
      "the order of members",
    );
    if (compiled.refused !== undefined) {
      for (const error of [compiled.refused, ...compiled.refused.errors]) requirePlace(json.value, String(error.at));
      return;
    }
    for (const line of values.slice(0, MOST_VALUES)) {
      const value = attempt(() => readJson1(line), JSON1_CODES);
      if (value.refused === undefined) judge(json.value, compiled.value, value.value);
    }
  },
};

function judge(json: Json1Value, compiled: CompiledSchema, value: Json1Value): void {
  const met = validated(compiled, value);
  requireSame(validated(compileSchemaValue(reversed(json)), reversed(value)), met, "the order of members counts");
  requireSame(explained(json, value), met, "the fast and the explaining evaluator");
  const { value: full, refused } = attempt(() => compiled.validate(value, { budget: BUDGET }), BUDGET_CODES);
  if (refused !== undefined) return;
  requireSame(full.diagnostics.length > 0, !full.valid, "a refusal and its reasons");
  for (const { instance, schema: at, message } of full.diagnostics) {
    requirePlace(value, instance);
    requirePlace(json, at);
    require(message.length <= 2_000, "a reason as long as its value", message.length);
  }
  requireSame(validated(compiled, value, full.units), met, "the budget that it takes");
  if (full.units > 1) requireSame(validated(compiled, value, full.units - 1), "SCHEMA_LIMIT_EXCEEDED", "one unit less than it takes");
}

function validated(compiled: CompiledSchema, value: Json1Value, budget = BUDGET): string {
  const result = attempt(() => compiled.validate(value, { diagnostics: 0, budget }), BUDGET_CODES);
  return result.refused?.code ?? `${result.value?.valid} ${result.value?.units}`;
}

/** The explaining evaluator alone. */
function explained(json: Json1Value, value: Json1Value): string {
  const faults = new Faults();
  const reader = new SchemaReader(faults);
  const root = reader.file(json) as SchemaNode;
  reader.finish([root]);
  const meter = new Meter(BUDGET);
  try {
    return `${explain(root, value, meter, 8).valid} ${meter.units}`;
  } catch (caught) {
    if (caught !== PAST_BUDGET) throw caught;
    return "SCHEMA_LIMIT_EXCEEDED";
  }
}

/** The same value with the members of every object the other way round. */
function reversed(value: Json1Value): Json1Value {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.create(Object.getPrototypeOf(value)) as Record<string, Json1Value>;
  for (const [name, member] of Object.entries(value).reverse()) members[name] = reversed(member as Json1Value);
  return members;
}
