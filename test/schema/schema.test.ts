/** R17's forms, one row each, and that they are JSON Schema 2020-12. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { type SchemaOptions, schemaOf } from "../../src/schema/schema.ts";
import { withoutDescriptions } from "../../src/schema/strip.ts";
import { readConcreteType } from "../../src/types/concrete.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { dict, func, host, list, named, nondata, option, param, record, refusalOf, set, spec, sum, task, tuple } from "../types/build.ts";
import { randomSpec } from "../types/random.ts";

/** The schema as plain JSON: what `JSON.parse` makes of its canonical text. */
function schema(type: JsonValue, declarations: Record<string, JsonValue> = {}, options: SchemaOptions = {}): unknown {
  const read = readConcreteType(type, declarations);
  return JSON.parse(canonicalText(schemaOf(read.type, read.declarations, options)));
}

const INT = { type: "integer" };
const TEXT = { type: "string" };

describe("terms", () => {
  it.each([
    ["Int", INT],
    ["Decimal", { type: "number" }],
    ["Text", TEXT],
    ["Bool", { type: "boolean" }],
    ["Bytes", { type: "string", contentEncoding: "base64" }],
    ["Instant", { type: "string", format: "date-time" }],
    ["Duration", { type: "string", format: "duration" }],
    ["Unit", { type: "array", maxItems: 0 }],
    ["Never", { not: {} }],
    ["json.Value", {}],
    [list("Int"), { type: "array", items: INT }],
    [set("Int"), { type: "array", items: INT, uniqueItems: true }],
    [tuple("Int", "Text", "Int"), { type: "array", prefixItems: [INT, TEXT, INT], items: false, minItems: 3 }],
    [dict("Text", "Int"), { type: "object", additionalProperties: INT }],
    [dict("Int", "Text"), { type: "array", items: { type: "array", prefixItems: [INT, TEXT], items: false, minItems: 2 } }],
    [
      option("Int"),
      {
        oneOf: [{ const: "None" }, { type: "object", properties: { Some: INT }, required: ["Some"], additionalProperties: false }],
      },
    ],
  ] as [JsonValue, unknown][])("%j", (type, expected) => {
    expect(schema(type)).toEqual(expected);
  });

  it("a Tool's type parameter is a $param, and makes a Dict an array", () => {
    const read = readTypeSpec(spec({ generic: ["K", "V"], ok: dict(param("tool", 0), list(param("tool", 1))) }));
    const pair = { type: "array", prefixItems: [{ $param: "K" }, { type: "array", items: { $param: "V" } }], items: false, minItems: 2 };
    const made = schemaOf(read.ok, read.declarations, { generic: read.generic });
    expect(JSON.parse(canonicalText(made))).toEqual({ type: "array", items: pair });
    expect(refusalOf(() => schemaOf(read.ok, read.declarations))).toMatchObject({ code: "free-param" });
  });

  it("what has no encoding has no schema", () => {
    const read = readConcreteType(tuple(named("p", func([], "Int")), named("n")), {
      p: record("P", {}, { generic: ["A"] }),
      n: nondata("N"),
    });
    const part = (i: number): unknown => (read.type as { Tuple: unknown[] }).Tuple[i];
    expect(refusalOf(() => schemaOf(part(1) as never, read.declarations, {}, "/ok"))).toMatchObject({ code: "crossing", at: "/ok" });
    expect(refusalOf(() => schemaOf({ Function: { params: [], result: "Int" } }, new Map()))).toMatchObject({ code: "crossing" });
    expect(refusalOf(() => schemaOf({ Task: "Int" }, new Map()))).toMatchObject({ code: "crossing" });
    expect(task("Int")).toEqual({ Task: "Int" });
  });
});

/** The one `$defs` entry of a named type. */
function body(template: Record<string, JsonValue>, args: JsonValue[] = [], more: Record<string, JsonValue> = {}): unknown {
  const made = schema(named("t", ...args), { t: template, ...more }) as { $ref: string; $defs: Record<string, unknown> };
  return Object.entries(made.$defs).find(([key]) => key.startsWith(template["identity"] as string))?.[1];
}

describe("bodies", () => {
  it("a record: fields in properties, required in declaration order, an Option's inner type", () => {
    expect(body(record("R", { z: "Int", o: option("Text"), a: option(option("Int")), m: "Text" }))).toEqual({
      type: "object",
      properties: {
        z: INT,
        o: TEXT,
        a: {
          oneOf: [{ const: "None" }, { type: "object", properties: { Some: INT }, required: ["Some"], additionalProperties: false }],
        },
        m: TEXT,
      },
      required: ["z", "m"],
    });
    expect(body(record("R", { o: option("Int") }))).toEqual({ type: "object", properties: { o: INT } });
    expect(body(record("R", {}))).toEqual({ type: "object", properties: {} });
  });

  it("an enum: one branch for each constructor", () => {
    const tagged = (name: string, payload: unknown): unknown => ({
      type: "object",
      properties: { [name]: payload },
      required: [name],
      additionalProperties: false,
    });
    const pair = { type: "array", prefixItems: [INT, TEXT], items: false, minItems: 2 };
    expect(body(sum("E", { A: null, B: ["Int"], C: ["Int", "Text"], D: [], E: { x: "Int", y: option("Text") } }))).toEqual({
      oneOf: [
        { const: "A" },
        tagged("B", INT),
        tagged("C", pair),
        tagged("D", { type: "array", maxItems: 0 }),
        tagged("E", { type: "object", properties: { x: INT, y: TEXT }, required: ["x"] }),
      ],
    });
    expect(body(sum("E", {}))).toEqual({ not: {} });
  });

  it("a positional part of type Option is an ordinary enum", () => {
    expect(body(sum("E", { A: [option("Int")] }))).toMatchObject({ oneOf: [{ properties: { A: { oneOf: [{ const: "None" }, {}] } } }] });
  });

  it("a host type: anything", () => {
    expect(body(host("H"))).toEqual({});
  });

  it("a field is an Option after substitution (R4)", () => {
    const t = record("T", { plain: param("t", 0), maybe: option(param("t", 0)) }, { generic: ["A"] });
    expect(body(t, ["Int"])).toEqual({ type: "object", properties: { plain: INT, maybe: INT }, required: ["plain"] });
    expect(body(t, [option("Int")])).toMatchObject({ properties: { plain: INT, maybe: { oneOf: [{}, {}] } } });
    expect(body(t, [option("Int")])).not.toHaveProperty("required");
  });

  it("a Dict is an object where its key is Text after substitution", () => {
    const t = record("T", { d: dict(param("t", 0), "Int") }, { generic: ["A"] });
    expect(body(t, ["Text"])).toMatchObject({ properties: { d: { type: "object", additionalProperties: INT } } });
    expect(body(t, ["Bool"])).toMatchObject({ properties: { d: { type: "array" } } });
  });
});

describe("docs", () => {
  const documented = (name: string, type: JsonValue, doc: string | null): JsonValue => ({ name, type, doc });
  const t = record(
    "T",
    {},
    {
      doc: "A type.",
      fields: [
        documented("a", "Int", "A field."),
        documented("b", option(named("t")), "Beside a reference."),
        documented("c", "json.Value", ""),
        documented("d", "Int", null),
      ],
    },
  );

  it("become descriptions of types, fields, constructors and named payload fields", () => {
    const e = sum(
      "E",
      {},
      {
        doc: "An enum.",
        constructors: [
          { name: "A", doc: "Bare.", payload: null },
          { name: "B", doc: "With a part.", payload: { positional: ["Int"] } },
          { name: "C", doc: null, payload: { named: [documented("x", "Int", "A part.")] } },
        ],
      },
    );
    expect(body(e)).toEqual({
      description: "An enum.",
      oneOf: [
        { const: "A", description: "Bare." },
        { type: "object", properties: { B: INT }, required: ["B"], additionalProperties: false, description: "With a part." },
        {
          type: "object",
          properties: { C: { type: "object", properties: { x: { type: "integer", description: "A part." } }, required: ["x"] } },
          required: ["C"],
          additionalProperties: false,
        },
      ],
    });
    expect(body(t)).toMatchObject({
      description: "A type.",
      properties: {
        a: { type: "integer", description: "A field." },
        b: { $ref: "#/$defs/r@1.0.0~1m.flow.T", description: "Beside a reference." },
        c: { description: "" },
        d: { type: "integer" },
      },
    });
    expect(body(host("H", { doc: "A host type." }))).toEqual({ description: "A host type." });
    expect(body(sum("E", {}, { doc: "None." }))).toEqual({ not: {}, description: "None." });
  });

  it("leave the shared schemas of primitives as they are", () => {
    body(t);
    expect(schema("Int")).toEqual(INT);
    expect(schema("json.Value")).toEqual({});
  });

  it("are left out on request, and only where they are keywords when stripped", () => {
    const tricky = record("T", { description: "Text", $defs: "Int", properties: option("Int") }, { doc: "Doc." });
    const e = sum("E", { description: ["Int"], properties: { description: "Int" } }, { doc: "Doc." });
    const declarations = { t: tricky, e };
    const read = readConcreteType(tuple(named("t"), named("e")), declarations);
    const bare = schemaOf(read.type, read.declarations, { docs: false });
    const full = schemaOf(read.type, read.declarations);
    expect(canonicalText(full)).not.toBe(canonicalText(bare));
    expect(canonicalText(withoutDescriptions(full))).toBe(canonicalText(bare));
    expect(canonicalText(bare)).toContain('"description":{"type":"string"}');
  });

  it("stripping gives what projecting without docs gives, for random descriptions", () => {
    for (let seed = 0; seed < 60; seed++) {
      const read = readTypeSpec(randomSpec(seed));
      for (const term of [read.ok, read.err, ...read.params.map((p) => p.type)]) {
        const { generic, declarations } = read;
        const bare = schemaOf(term, declarations, { generic, docs: false });
        expect(canonicalText(withoutDescriptions(schemaOf(term, declarations, { generic })))).toBe(canonicalText(bare));
      }
    }
  });

  it("stripping leaves what is no schema alone", () => {
    for (const odd of [
      null,
      true,
      "x",
      ["description"],
      { properties: ["description"], oneOf: { description: "x" } },
      { description: 5n },
    ] as JsonValue[]) {
      expect(canonicalText(withoutDescriptions(odd))).toBe(canonicalText(odd));
    }
  });
});

describe("JSON Schema 2020-12", () => {
  it("accepts every generated schema, and every $ref in it resolves", () => {
    for (let seed = 0; seed < 12; seed++) {
      const read = readTypeSpec(randomSpec(seed));
      for (const term of [read.ok, read.err, ...read.params.map((p) => p.type)]) {
        const made = JSON.parse(canonicalText(schemaOf(term, read.declarations, { generic: read.generic })));
        const ajv = new Ajv2020({ strict: false, validateFormats: false });
        expect(ajv.validateSchema(made)).toBe(true);
        expect(() => ajv.compile(made)).not.toThrow();
      }
    }
  });

  it("validates encoded values of a recursive generic type", () => {
    const tree = record(
      "Tree",
      { value: param("tree", 0), left: option(named("tree", param("tree", 0))), more: list(named("tree", param("tree", 0))) },
      { generic: ["A"] },
    );
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
      schema(named("tree", tuple("Int", "Text")), { tree }) as object,
    );
    expect(validate({ value: [1, "x"], more: [], left: { value: [2, "y"], more: [] } })).toBe(true);
    expect(validate({ value: [1, "x"], more: [], left: { value: [2], more: [] } })).toBe(false);
    expect(validate({ value: [1, "x", 3], more: [] })).toBe(false);
    expect(validate({ value: [1, "x"] })).toBe(false);
  });
});
