/** The metadata shapes are exact: each member of a valid description is deleted, added to and retyped. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { codeOf, everyShape, host, list, named, param, record, refusalOf, spec, sum } from "./build.ts";
import { randomSpec } from "./random.ts";

type Path = (string | number)[];

/** Every place of a JSON value, the root included. */
function* places(value: JsonValue, path: Path = []): Generator<{ path: Path; value: JsonValue }> {
  yield { path, value };
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* places(item, [...path, i]);
  else if (isObject(value)) for (const [name, item] of Object.entries(value)) yield* places(item, [...path, name]);
}

const isObject = (value: JsonValue): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy with the value at a place changed, or removed where `change` returns undefined. */
function changed(value: JsonValue, path: Path, change: (value: JsonValue) => JsonValue | undefined): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return change(value) as JsonValue;
  if (Array.isArray(value)) return value.map((item, i) => (i === head ? changed(item, rest, change) : item));
  const copy: Record<string, JsonValue> = { ...(value as JsonObject) };
  const next = rest.length === 0 ? change(copy[head] as JsonValue) : changed(copy[head] as JsonValue, rest, change);
  if (next === undefined) delete copy[head];
  else copy[head] = next;
  return copy;
}

const TERM_TAGS = new Set(["List", "Set", "Option", "Task", "Dict", "Tuple", "Function", "Named", "Param"]);
const isTerm = (value: JsonValue): boolean =>
  isObject(value) && Object.keys(value).length === 1 && TERM_TAGS.has(Object.keys(value)[0] ?? "");

const CODES = new Set(
  "member shape unknown-term duplicate-name unresolved arity owner index free-param disconnected conflict recursion bounds crossing mismatch".split(
    " ",
  ),
);

const base = everyShape();
const all = [...places(base)];
const pointer = (path: Path): string => path.map((segment) => `/${segment}`).join("");

describe("the base description", () => {
  it("is valid and uses every shape", () => {
    expect(codeOf(() => readTypeSpec(base))).toBe("valid");
    expect(all.length).toBeGreaterThan(150);
  });

  it("comes back as plain data that shares nothing with the JSON", () => {
    const json = everyShape();
    const read = readTypeSpec(json);
    (json["params"] as JsonValue[]).length = 0;
    ((json["declarations"] as Record<string, Record<string, JsonValue>>)["doc"] as Record<string, JsonValue>)["name"] = "Other";
    expect(read.params.map((p) => p.name)).toEqual(["all", "nest", "ghost", "page"]);
    expect(read.declarations.get("doc")).toEqual({
      kind: "record",
      name: "Doc",
      identity: "r@1.0.0/m.flow.Doc",
      lexical_ordinal: 1,
      generic: [],
      opaque: false,
      doc: "A document.",
      fields: [
        { name: "id", type: "Text", doc: null },
        { name: "next", type: { Option: { Named: { declaration: "doc", args: [] } } }, doc: null },
      ],
    });
  });
});

describe("deleting a member", () => {
  const members = all.filter(({ path }) => typeof path.at(-1) === "string");
  it.each(members.map(({ path }) => [pointer(path), path] as const))("%s", (_, path) => {
    const parent = path.slice(0, -1);
    const holder = all.find(({ path: other }) => pointer(other) === pointer(parent))?.value as JsonValue;
    const code = codeOf(() => readTypeSpec(changed(base, path, () => undefined)));
    const isTemplate = parent.length === 1 && parent[0] === "declarations";
    expect(code).toBe(isTerm(holder) ? "unknown-term" : isTemplate ? "unresolved" : "member");
  });
});

describe("adding a member", () => {
  const objects = all.filter(({ value }) => isObject(value));
  it.each(objects.map(({ path, value }) => [pointer(path), path, value] as const))("to %s", (at, path, value) => {
    const refused = refusalOf(() => readTypeSpec(changed(base, path, (object) => ({ ...(object as JsonObject), extra: "Int" }))));
    const isMap = at === "/declarations";
    expect(refused?.code).toBe(isTerm(value) ? "unknown-term" : isMap ? "shape" : "member");
    const isPayload = path.at(-1) === "payload";
    expect(refused?.at).toBe(isTerm(value) || isPayload ? at : `${at}/extra`);
  });
});

describe("giving a member another kind of value", () => {
  const values: JsonValue[] = [null, true, 7n, Decimal.from("0.5"), "?", [], {}];
  const kindOf = (value: JsonValue): string =>
    value === null
      ? "null"
      : Array.isArray(value)
        ? "array"
        : value instanceof Decimal || typeof value === "bigint"
          ? "number"
          : typeof value;
  it.each(all.map(({ path, value }) => [pointer(path), path, value] as const))("at %s", (_, path, value) => {
    for (const other of values) {
      const last = path.at(-1);
      const isString = typeof value === "string";
      // Where the kind is the same, or a second kind is allowed, another test has it.
      if (kindOf(other) === kindOf(value) && !(typeof value === "bigint" && typeof other !== "bigint")) continue;
      if (last === "doc" && path.length > 2 && path[0] === "declarations" && (other === null || typeof other === "string")) continue;
      if (last === "payload" && other === null) continue;
      const code = codeOf(() => readTypeSpec(changed(base, path, () => other)));
      const expected =
        isString || isTerm(value) || value === null || typeof value === "boolean"
          ? ["shape", "unknown-term", "member"]
          : ["shape", "member"];
      expect(expected).toContain(code);
    }
  });
});

describe("members of the wrong range or form", () => {
  const cases: [name: string, path: Path, value: JsonValue, code: string, at?: string][] = [
    ["ordinal 0", ["declarations", "doc", "lexical_ordinal"], 0n, "shape"],
    ["ordinal -1", ["declarations", "doc", "lexical_ordinal"], -1n, "shape"],
    ["ordinal past 2^53", ["declarations", "doc", "lexical_ordinal"], 2n ** 53n, "shape"],
    ["ordinal 1.5", ["declarations", "doc", "lexical_ordinal"], Decimal.from("1.5"), "shape"],
    ["index -1", ["params", 1, "type"], param("tool", -1), "shape", "/params/1/type/Param/index"],
    ["index 0.5", ["params", 1, "type"], { Param: { owner: "tool", index: Decimal.from("0.5") } }, "shape"],
    ["index past every double", ["params", 1, "type"], { Param: { owner: "tool", index: 10n ** 400n } }, "index"],
    ["kind unknown", ["declarations", "page", "kind"], "class", "shape"],
    ["kind empty", ["declarations", "page", "kind"], "", "shape"],
    ["host made nondata", ["declarations", "page", "kind"], "nondata", "crossing", "/params/3/type"],
    ["host made record", ["declarations", "page", "kind"], "record", "member"],
    ["enum made host", ["declarations", "fault", "kind"], "host", "member"],
    ["Dict of one", ["params", 1, "type"], { Dict: ["Int"] }, "shape", "/params/1/type/Dict"],
    ["Dict of three", ["params", 1, "type"], { Dict: ["Int", "Int", "Int"] }, "shape"],
    ["Tuple of none", ["params", 1, "type"], { Tuple: [] }, "shape", "/params/1/type/Tuple"],
    ["Tuple of one", ["params", 1, "type"], { Tuple: ["Int"] }, "shape"],
    ["unknown primitive", ["params", 1, "type"], "int", "unknown-term"],
    ["a prototype's member as a term", ["params", 1, "type"], "toString", "unknown-term"],
    ["two tags", ["params", 1, "type"], { List: "Int", Set: "Int" }, "unknown-term"],
    ["payload with both tags", ["declarations", "fault", "constructors", 1, "payload"], { positional: [], named: [] }, "member"],
    ["payload with another tag", ["declarations", "fault", "constructors", 1, "payload"], { parts: [] }, "member"],
    ["a lone surrogate", ["declarations", "doc", "name"], "\ud800", "shape"],
    ["type parameter twice", ["generic"], ["T", "U", "T"], "duplicate-name", "/generic/2"],
    ["template parameter twice", ["declarations", "box", "generic"], ["A", "A"], "duplicate-name", "/declarations/box/generic/1"],
    ["parameter twice", ["params", 1, "name"], "all", "duplicate-name", "/params/1/name"],
    ["field twice", ["declarations", "doc", "fields", 1, "name"], "id", "duplicate-name", "/declarations/doc/fields/1/name"],
    ["constructor twice", ["declarations", "fault", "constructors", 1, "name"], "None", "duplicate-name"],
  ];
  it.each(cases)("%s", (_, path, value, code, at) => {
    const refused = refusalOf(() => readTypeSpec(changed(base, path, () => value)));
    expect(refused?.code).toBe(code);
    if (at !== undefined) expect(refused?.at).toBe(at);
  });

  it("takes equal names in different scopes", () => {
    const same = sum("E", { A: { x: "Int" }, B: { x: "Text" } });
    expect(codeOf(() => readTypeSpec(spec({ generic: ["x"], params: { x: named("e") }, declarations: { e: same } })))).toBe("valid");
  });

  it("refuses a name twice inside one payload", () => {
    const payload = { named: ["x", "x"].map((name) => ({ name, type: "Int", doc: null })) };
    const twice = sum("E", {}, { constructors: [{ name: "A", doc: null, payload }] });
    const refused = refusalOf(() => readTypeSpec(spec({ ok: named("e"), declarations: { e: twice } })));
    expect(refused).toMatchObject({ code: "duplicate-name", at: "/declarations/e/constructors/0/payload/named/1/name" });
  });
});

describe("hostile names", () => {
  it("are just names", () => {
    const declarations = Object.fromEntries<JsonValue>([
      ["__proto__", record("constructor", { toString: "Int" })],
      ["constructor", host("hasOwnProperty")],
    ]);
    const ok = { Tuple: [named("__proto__"), named("constructor")] };
    const read = readTypeSpec(spec({ params: { valueOf: "Int" }, ok, declarations }));
    expect([...read.declarations.keys()]).toEqual(["__proto__", "constructor"]);
  });

  it("resolve to nothing that was not described", () => {
    for (const id of ["__proto__", "constructor", "toString"]) {
      expect(codeOf(() => readTypeSpec(spec({ ok: named(id) })))).toBe("unresolved");
    }
  });
});

describe("bounds (R24)", () => {
  const nested = (depth: number): JsonValue => {
    let term: JsonValue = "Int";
    for (let i = 1; i < depth; i++) term = list(term);
    return term;
  };

  it("term depth: 128 is fine, 129 is not", () => {
    expect(codeOf(() => readTypeSpec(spec({ ok: nested(128) })))).toBe("valid");
    expect(codeOf(() => readTypeSpec(spec({ ok: nested(129) })))).toBe("bounds");
  });

  it("a term of any depth is refused, not met by the end of the stack", () => {
    expect(codeOf(() => readTypeSpec(spec({ ok: nested(100_000) })))).toBe("bounds");
  });

  it("terms: 65,536 are fine, one more is not", () => {
    const parts = (count: number): JsonValue => ({ Tuple: Array.from({ length: count }, () => "Int") });
    // A tuple and its parts, ok, err.
    expect(codeOf(() => readTypeSpec(spec({ params: { x: parts(65_533) } })))).toBe("valid");
    expect(codeOf(() => readTypeSpec(spec({ params: { x: parts(65_534) } })))).toBe("bounds");
  });

  it("templates: 4,096 are fine, one more is not, and it is refused before anything is built", () => {
    const many = (count: number): Record<string, JsonValue> => {
      const declarations: Record<string, JsonValue> = {};
      for (let i = 0; i < count; i++) declarations[`t${i}`] = record(`T${i}`, i + 1 < count ? { next: named(`t${i + 1}`) } : {});
      return declarations;
    };
    expect(codeOf(() => readTypeSpec(spec({ ok: named("t0"), declarations: many(4_096) })))).toBe("valid");
    expect(codeOf(() => readTypeSpec(spec({ ok: named("t0"), declarations: many(4_097) })))).toBe("bounds");
    const unread = Object.fromEntries(Array.from({ length: 4_097 }, (_, i) => [`t${i}`, null]));
    expect(codeOf(() => readTypeSpec(spec({ declarations: unread })))).toBe("bounds");
  });
});

describe("one changed member", () => {
  it("is refused with one code of the closed list, or leaves a valid description", () => {
    const values: JsonValue[] = [
      null,
      true,
      0n,
      "Int",
      "tool",
      "doc",
      [],
      {},
      named("doc"),
      list("Int"),
      param("tool", 0),
      param("box", 1),
    ];
    for (const { path } of all) {
      for (const value of values) {
        const code = codeOf(() => readTypeSpec(changed(base, path, () => value)));
        expect(code === "valid" || CODES.has(code)).toBe(true);
      }
    }
  });

  it("of any description as well", () => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 });
    const values = fc.constantFrom<JsonValue[]>(
      null,
      false,
      0n,
      1n,
      "Int",
      "tool",
      "t1",
      "t2",
      [],
      {},
      named("t1"),
      list("Int"),
      param("tool", 0),
      param("t1", 1),
    );
    const property = fc.property(seeds, seeds, values, (seed, place, value) => {
      const json = randomSpec(seed);
      const spots = [...places(json)];
      const code = codeOf(() => readTypeSpec(changed(json, spots[place % spots.length]?.path ?? [], () => value)));
      expect(code === "valid" || CODES.has(code)).toBe(true);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
