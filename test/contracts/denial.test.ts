/**
 * Denial of service: what hostile schemas and values may cost is a number of units, never a number of paths, a stack or
 * a clock. Each of these would not end, or not end well, in an evaluator that follows every path.
 */
import { expect, it } from "vitest";
import {
  type CompiledSchema,
  compileSchema,
  isFlowError,
  type Json1Value,
  readJson1,
  readPackage,
  SCHEMA1_ID,
} from "../../src/contracts/index.ts";

const HEAD = `"$schema":"${SCHEMA1_ID}"`;

function compile(members: string): CompiledSchema {
  return compileSchema(`{${HEAD},${members}}`);
}

/** The units, or the code of the refusal. */
function cost(schema: CompiledSchema, value: Json1Value): number | string {
  try {
    return schema.validate(value).units;
  } catch (error) {
    if (!isFlowError(error)) throw error;
    return error.code;
  }
}

function definitions(count: number, body: (next: string) => string, last: string): string {
  const list = Array.from({ length: count }, (_, i) => `"D${i}":${body(`{"$ref":"#/$defs/D${i + 1}"}`)}`);
  return `"$defs":{${[...list, `"D${count}":${last}`].join(",")}}`;
}

it("a chain of 4,000 references needs no stack of 4,000", () => {
  const schema = compile(`"$ref":"#/$defs/D0",${definitions(4_000, (next) => next, '{"type":"string"}')}`);
  expect(cost(schema, "x")).toBe(8_004);
  expect(schema.validate(1).diagnostics).toMatchObject([{ schema: "/$defs/D4000/type" }]);
  expect(cost(compile(`"items":{"$ref":"#/$defs/D0"},${definitions(4_000, (next) => next, "true")}`), Array(1_000).fill(1))).toBe(
    "SCHEMA_LIMIT_EXCEEDED",
  );
});

it("references that double at every step are followed once each", () => {
  const doubling = (count: number): CompiledSchema =>
    compile(`"$ref":"#/$defs/D0",${definitions(count, (next) => `{"allOf":[${next},${next}]}`, '{"minimum":3}')}`);
  // By paths, 2^60 and 2^1000.
  expect(cost(doubling(60), 4)).toBe(2 + 60 * 7 + 2);
  expect(cost(doubling(1_000), 4)).toBe(2 + 1_000 * 7 + 2);
  expect(doubling(60).validate(1).diagnostics).toHaveLength(1);
});

it("nor through members, where the ways part and meet again", () => {
  const meeting = (next: string) => `{"allOf":[{"properties":{"a":${next}}},{"additionalProperties":${next}}]}`;
  const schema = compile(`"$ref":"#/$defs/D0",${definitions(30, meeting, '{"minimum":3}')}`);
  const value = (leaf: number): Json1Value => readJson1(`${'{"a":'.repeat(30)}${leaf}${"}".repeat(30)}`);
  expect(schema.validate(value(4))).toMatchObject({ valid: true });
  expect(schema.validate(value(1)).diagnostics).toHaveLength(1);
});

it("a wide anyOf over wide objects counts members once", () => {
  const schema = compile(`"anyOf":[${Array(4_000).fill('{"minProperties":70000}').join(",")}]`);
  const wide = readJson1(`{${Array.from({ length: 65_536 }, (_, i) => `"k${i}":0`).join(",")}}`);
  expect(cost(schema, wide)).toBe(1 + 4_000 * 3);
});

it("a deep not", () => {
  const schema = compile(`"not":${'{"not":'.repeat(61)}true${"}".repeat(61)}`);
  expect(schema.validate(1)).toMatchObject({ valid: true, units: 1 + 61 * 2 + 2 });
});

it("a huge enum is paid for in full at every item, and found at once", () => {
  const schema = compile(`"items":{"enum":[${Array.from({ length: 40_000 }, (_, i) => i).join(",")}]}`);
  expect(cost(schema, Array(24).fill(39_999))).toBe(2 + 24 * 40_001);
  expect(cost(schema, Array(65_536).fill(39_999))).toBe("SCHEMA_LIMIT_EXCEEDED");
});

it("values of 16 MiB", () => {
  const items = readJson1(
    `[${Array(65_536)
      .fill(`"${"y".repeat(251)}"`)
      .join(",")}]`,
  );
  expect(cost(compile('"items":{"type":"string"}'), items)).toBe(2 + 65_536 * 2);
  expect(cost(compile('"items":{"maxLength":300}'), items)).toBe("SCHEMA_LIMIT_EXCEEDED");
  const long = readJson1(`"${"x".repeat(8_388_608)}"`);
  expect(cost(compile('"type":"string"'), long)).toBe(2);
  expect(cost(compile('"maxLength":3'), long)).toBe("SCHEMA_LIMIT_EXCEEDED");
  // One byte more is refused by its length alone.
  expect(() => readJson1(" ".repeat(16_777_217))).toThrow(expect.objectContaining({ code: "limit" }));
});

it("thousands of faults make a short report", () => {
  const members = Array.from({ length: 20_000 }, (_, i) => `"x${i}":1`).join(",");
  expect(() => compile(members)).toThrow(expect.objectContaining({ errors: expect.objectContaining({ length: 100 }) }));
});

it("a search for shared definitions that would take too long is given up, and the count stays the same", () => {
  // 700 branches that are all at one place make 245,000 pairs of nodes.
  const branch = '{"anyOf":[{"$ref":"#/$defs/E"},true]}';
  const list = Array.from({ length: 700 }, (_, i) => `"D${i}":${branch}`).join(",");
  const branches = Array.from({ length: 700 }, (_, i) => `{"$ref":"#/$defs/D${i}"}`).join(",");
  const schema = compile(`"allOf":[${branches}],"$defs":{${list},"E":{"type":"null"}}`);
  // Root; each branch, its reference, its definition with two branches, one of them a reference and one true; and E once.
  expect(cost(schema, null)).toBe(1 + 700 * (1 + 2 + 3 + 2 + 1) + 2);
});

it.each(["pattern", "patternProperties", "format", "uniqueItems", "multipleOf", "propertyNames", "unevaluatedProperties", "$dynamicRef"])(
  "a schema has no keyword whose cost an engine decides: %s",
  (keyword) => {
    expect(() => compile(`"${keyword}":"(a+)+$"`)).toThrow(expect.objectContaining({ code: "SCHEMA_KEYWORD_UNSUPPORTED" }));
  },
);

it("nor references that go in a circle", () => {
  const circle = '"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{"anyOf":[{"$ref":"#/$defs/A"}]}}';
  expect(() => compile(circle)).toThrow(expect.objectContaining({ code: "SCHEMA_REFERENCE_INVALID" }));
});

it.each<[string, string]>([
  ["sequences in a flow", `x-a: ${"[".repeat(250_000)}`],
  ["maps in a flow", `x-a: ${"{a: ".repeat(60_000)}`],
  ["sequences on one line", `x-a:\n  ${"- ".repeat(120_000)}`],
  ["keys on one line", "? ".repeat(120_000)],
  ["values on one line", ": ".repeat(120_000)],
  ["a wide map", Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join("\n")],
  ["a wide map in a flow", `x-a: {${Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(", ")}}`],
  [
    "too many nodes",
    `x-a: [${Array(200)
      .fill(`[${Array(30).fill(1).join()}]`)
      .join()}]`,
  ],
])("frontmatter of %s ends at a limit", async (_, yaml) => {
  const files = new Map([["FLOW.md", new TextEncoder().encode(`---\n${yaml}\n---\n`)]]);
  await expect(readPackage(files)).rejects.toMatchObject({ code: "PACKAGE_LIMIT_EXCEEDED" });
});
