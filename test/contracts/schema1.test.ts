/** Schema/1: reasons of a refusal, faults of a schema, and what the vectors leave out. */
import { expect, it } from "vitest";
import { admitJson1, compileSchema, compileSchemaValue, isFlowError, readJson1, SCHEMA1_ID } from "../../src/contracts/index.ts";

function compile(schema: object) {
  return compileSchemaValue(admitJson1({ $schema: SCHEMA1_ID, ...schema }));
}

function faults(schema: object): readonly [string, unknown][] {
  try {
    compile(schema);
    return [];
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return (error.errors.length === 0 ? [error] : error.errors).map(({ code, at }) => [code, at]);
  }
}

const ORDER = {
  type: "object",
  properties: {
    lines: { type: "array", items: { $ref: "#/$defs/Line" }, minItems: 1 },
    "a/b": { $ref: "#/$defs/Id" },
  },
  required: ["lines", "id"],
  additionalProperties: false,
  $defs: { Id: { type: "string", maxLength: 2 }, Line: { oneOf: [{ $ref: "#/$defs/Id" }, { type: "integer", minimum: 0 }] } },
};

it("tells every reason with its code, both pointers and the keyword", () => {
  const { valid, diagnostics } = compile(ORDER).validate(admitJson1({ lines: [1, -1, "abc"], "a/b": 1, more: null }), {
    code: "INVALID_RESULT",
  });
  expect(valid).toBe(false);
  expect(diagnostics.map(({ code, instance, schema, keyword }) => [code, instance, schema, keyword])).toEqual([
    ["INVALID_RESULT", "", "/required", "required"],
    ["INVALID_RESULT", "/a~1b", "/$defs/Id/type", "type"],
    ["INVALID_RESULT", "/lines/1", "/$defs/Line/oneOf", "oneOf"],
    ["INVALID_RESULT", "/lines/1", "/$defs/Id/type", "type"],
    ["INVALID_RESULT", "/lines/1", "/$defs/Line/oneOf/1/minimum", "minimum"],
    ["INVALID_RESULT", "/lines/2", "/$defs/Line/oneOf", "oneOf"],
    ["INVALID_RESULT", "/lines/2", "/$defs/Id/maxLength", "maxLength"],
    ["INVALID_RESULT", "/lines/2", "/$defs/Line/oneOf/1/type", "type"],
    ["INVALID_RESULT", "/more", "/additionalProperties", "additionalProperties"],
  ]);
  expect(diagnostics[1]?.message).toBe("expected string, met the number 1");
});

it.each<[string, object, unknown, string, string, string]>([
  ["const", { const: 1 }, 2, "", "/const", "const"],
  ["enum", { enum: [] }, 2, "", "/enum", "enum"],
  ["not", { not: true }, 2, "", "/not", "not"],
  ["then", JSON.parse('{"if":true,"then":{"const":1}}'), 2, "", "/then/const", "const"],
  ["else", { if: false, else: false }, 2, "", "/else", "else"],
  ["contains", { contains: { const: 1 } }, [2], "", "/contains", "contains"],
  ["maxContains", { contains: true, maxContains: 1 }, [1, 2], "", "/maxContains", "maxContains"],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, { a: 1 }, "", "/dependentRequired", "dependentRequired"],
  [
    "dependentSchemas",
    { dependentSchemas: { a: { maxProperties: 0 } } },
    { a: 1 },
    "",
    "/dependentSchemas/a/maxProperties",
    "maxProperties",
  ],
  ["prefixItems", { prefixItems: [true, false] }, [1, 2], "/1", "/prefixItems/1", "prefixItems"],
  ["exclusiveMaximum", { exclusiveMaximum: 2 }, 2, "", "/exclusiveMaximum", "exclusiveMaximum"],
  ["minLength", { minLength: 2 }, "😀", "", "/minLength", "minLength"],
])("tells of %s", (_, schema, value, instance, pointer, keyword) => {
  const { diagnostics } = compile(schema).validate(admitJson1(value));
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]).toMatchObject({ code: "INVALID_INPUT", instance, schema: pointer, keyword });
});

it("tells a refusal that several ways lead to once, and no more than it was asked for", () => {
  const schema = compile({ allOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/A" }], $defs: { A: { type: "string" } } });
  expect(schema.validate(1).diagnostics).toHaveLength(1);
  const each = compile({ items: { type: "string" } });
  const value = admitJson1(Array.from({ length: 100 }, (_, i) => i));
  expect(each.validate(value).diagnostics).toHaveLength(32);
  expect(each.validate(value, { diagnostics: 3 }).diagnostics.map(({ instance }) => instance)).toEqual(["/0", "/1", "/2"]);
  expect(each.validate(value, { diagnostics: 0 })).toEqual({ valid: false, units: 1 + 1 + 100 * 2, diagnostics: [] });
});

it("tells independent faults of a schema together", () => {
  expect(faults({ type: "float", minLength: -1, items: { format: "x", $ref: "#/$defs/A" }, $defs: { "1": true } })).toEqual([
    ["SCHEMA_INVALID", "/type"],
    ["SCHEMA_INVALID", "/minLength"],
    ["SCHEMA_KEYWORD_UNSUPPORTED", "/items/format"],
    ["SCHEMA_INVALID", "/$defs/1"],
    ["SCHEMA_REFERENCE_INVALID", "/items/$ref"],
  ]);
});

it("tells a fault of the text with its place", () => {
  expect(() => compileSchema('{"$schema":1,"$schema":1}')).toThrow(
    expect.objectContaining({ code: "SCHEMA_INVALID_JSON", at: "/$schema", offset: 13 }),
  );
});

it("does not fall for inherited names in values that came from elsewhere", () => {
  const schema = compile({
    properties: { toString: { type: "string" }, __proto__x: true },
    required: ["valueOf"],
    additionalProperties: false,
  });
  expect(schema.validate({} as never, { diagnostics: 0 })).toMatchObject({ valid: false, units: 1 + 2 + 1 });
  const proto = compile({ properties: readJson1('{"__proto__":{"type":"number"}}') as object, required: ["__proto__"] });
  expect(proto.validate(readJson1('{"__proto__":1}'))).toMatchObject({ valid: true, units: 5 });
  expect(proto.validate({} as never)).toMatchObject({ valid: false, units: 3 });
  expect(compile({ required: [""] }).validate(admitJson1({}))).toMatchObject({ valid: false, units: 2 });
});

it("cuts long names in its reasons", () => {
  const name = "n".repeat(5_000);
  const schema = compile({ required: [name], dependentRequired: { a: [name] } });
  const { diagnostics } = schema.validate(admitJson1({ a: 1 }));
  expect(diagnostics.map(({ keyword }) => keyword)).toEqual(["required", "dependentRequired"]);
  for (const { message } of diagnostics) expect(message.length).toBeLessThan(200);
});

it("tells places apart that hold the very same object", () => {
  const schema = compile({
    allOf: [{ items: { $ref: "#/$defs/A" } }, { items: { $ref: "#/$defs/A" } }],
    $defs: { A: { required: ["a"] } },
  });
  const same = { a: 1 };
  const separate = schema.validate(admitJson1([{ a: 1 }, { a: 1 }])).units;
  expect(schema.validate([same, same]).units).toBe(separate);
});

it("keeps to the budget it is given, which cannot be raised", () => {
  const schema = compile({});
  expect(schema.validate(1, { budget: 1 }).units).toBe(1);
  expect(() => schema.validate(1, { budget: 0 })).toThrow(expect.objectContaining({ code: "usage" }));
  expect(() => schema.validate(1, { budget: 1_000_001 })).toThrow(expect.objectContaining({ code: "usage" }));
});

it("leaves everything as it was: the value, and the schema's data", () => {
  const value = readJson1('{"b":[1,{"c":null}],"a":"x"}');
  const before = JSON.stringify(value);
  compile({ properties: { z: { const: 1 }, b: { items: { properties: { d: true } } } } }).validate(value);
  expect(JSON.stringify(value)).toBe(before);
});

it("makes no code from text", () => {
  const { Function: original } = globalThis;
  const denied = () => {
    throw new Error("code from text");
  };
  globalThis.Function = denied as unknown as FunctionConstructor;
  const { eval: evaluate } = globalThis;
  globalThis.eval = denied;
  try {
    expect(compile(ORDER).validate(admitJson1({ lines: ["a"], id: 1 })).valid).toBe(false);
  } finally {
    globalThis.Function = original;
    globalThis.eval = evaluate;
  }
});
