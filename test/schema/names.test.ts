/** R18: keys of `$defs`, the `$ref`s to them, and what happens where there are very many or very long ones. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { Projection, type SchemaOptions, schemaOf } from "../../src/schema/schema.ts";
import { readConcreteType } from "../../src/types/concrete.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { dict, func, list, named, option, param, record, refusalOf, set, spec, task, tuple } from "../types/build.ts";

const ghost = record("Ghost", { n: "Int" }, { generic: ["A"], identity: "g.flow.Ghost" });
const leaf = record("Leaf", {}, { identity: "github.com/acme/docs@1.2.0/dir/l.flow.Leaf" });
const box = record("Box", { item: param("box", 0) }, { generic: ["A"], identity: "r@1/b.flow.Box" });

type Made = { $ref?: string; $defs?: Record<string, unknown> };

function made(type: JsonValue, declarations: Record<string, JsonValue>, options: SchemaOptions = {}): Made {
  const read = readConcreteType(type, declarations);
  return JSON.parse(canonicalText(schemaOf(read.type, read.declarations, options))) as Made;
}

const keys = (schema: Made): string[] => Object.keys(schema.$defs ?? {});

describe("keys", () => {
  it.each([
    ["Int", "Int"],
    ["json.Value", "json.Value"],
    [list("Int"), "List<Int>"],
    [set("Int"), "Set<Int>"],
    [option("Int"), "Option<Int>"],
    [task("Int"), "Task<Int>"],
    [dict("Text", list("Bool")), "Dict<Text,List<Bool>>"],
    [tuple("Int", "Text", "Unit"), "(Int,Text,Unit)"],
    [func([], "Int"), "()->Int"],
    [func(["Int", "Text"], func(["Bool"], "Unit")), "(Int,Text)->(Bool)->Unit"],
    [named("ghost", "Int"), "g.flow.Ghost<Int>"],
  ] as [JsonValue, string][])("an argument %j", (argument, text) => {
    expect(keys(made(named("ghost", argument), { ghost }))).toEqual([`g.flow.Ghost<${text}>`]);
  });

  it("a Tool's type parameter", () => {
    const read = readTypeSpec(
      spec({ generic: ["T", "U"], ok: named("ghost", tuple(param("tool", 1), param("tool", 0))), declarations: { ghost } }),
    );
    expect(keys(JSON.parse(canonicalText(schemaOf(read.ok, read.declarations, { generic: read.generic }))))).toEqual([
      "g.flow.Ghost<($U,$T)>",
    ]);
  });

  it("hold only what a $ref reaches: no phantom argument", () => {
    expect(keys(made(named("ghost", named("leaf")), { ghost, leaf }))).toEqual([
      "g.flow.Ghost<github.com/acme/docs@1.2.0/dir/l.flow.Leaf>",
    ]);
  });

  it("one for each instance", () => {
    expect(keys(made(tuple(named("box", "Int"), named("box", named("box", "Int"))), { box }))).toEqual([
      "r@1/b.flow.Box<Int>",
      "r@1/b.flow.Box<r@1/b.flow.Box<Int>>",
    ]);
  });

  it("$defs is left out where nothing is named", () => {
    expect(made(list("Int"), {})).toEqual({ type: "array", items: { type: "integer" } });
  });

  it("names that objects inherit are keys like others", () => {
    const proto = record("P", { toString: "Int" }, { identity: "__proto__" });
    expect(canonicalText(schemaOf(...concrete(named("p"), { p: proto })))).toBe(
      '{"$defs":{"__proto__":{"properties":{"toString":{"type":"integer"}},"required":["toString"],"type":"object"}},"$ref":"#/$defs/__proto__"}',
    );
  });
});

function concrete(type: JsonValue, declarations: Record<string, JsonValue>): Parameters<typeof schemaOf> {
  const read = readConcreteType(type, declarations);
  return [read.type, read.declarations];
}

describe("references", () => {
  it.each([
    ["a/b.flow.T", "a~1b.flow.T"],
    ["a~b.flow.T", "a~0b.flow.T"],
    ["~1/~0", "~01~1~00"],
    ["a b", "a%20b"],
    ["a%20b", "a%2520b"],
    ["a#2", "a%232"],
    ["\u00fc", "%C3%BC"],
    ["\u{1f600}", "%F0%9F%98%80"],
    ['<>[]{}|\\^`"', "%3C%3E%5B%5D%7B%7D%7C%5C%5E%60%22"],
    ["-._!$&'()*+,;=:@?", "-._!$&'()*+,;=:@?"],
    ["\u0000\u001f\u007f", "%00%1F%7F"],
  ])("%j is written %s", (identity, written) => {
    const schema = made(named("t"), { t: record("T", {}, { identity }) });
    expect(schema.$ref).toBe(`#/$defs/${written}`);
    const back = decodeURIComponent((schema.$ref ?? "").slice(8))
      .replace(/~1/g, "/")
      .replace(/~0/g, "~");
    expect(keys(schema)).toEqual([back]);
  });
});

describe("the same identity twice", () => {
  const p = (ordinal: bigint, field: string, identity = "m.flow.P"): JsonValue =>
    record("P", { [field]: "Int" }, { lexical_ordinal: ordinal, identity }) as JsonValue;
  const three = { c: p(9n, "c"), a: p(2n, "a"), b: p(5n, "b") };
  const fieldsByKey = (schema: Made): Record<string, string[]> =>
    Object.fromEntries(Object.entries(schema.$defs ?? {}).map(([key, body]) => [key, (body as { required: string[] }).required]));

  it("numbers in lexical order, whatever the order of map and root", () => {
    expect(fieldsByKey(made(tuple(named("c"), named("b"), named("a")), three))).toEqual({
      "m.flow.P": ["a"],
      "m.flow.P#2": ["b"],
      "m.flow.P#3": ["c"],
    });
  });

  it("counts what is reached through phantom arguments only", () => {
    const schema = made(tuple(named("ghost", named("a")), named("b")), { ghost, a: p(1n, "a"), b: p(2n, "b") });
    expect(keys(schema)).toEqual(["g.flow.Ghost<m.flow.P>", "m.flow.P#2"]);
  });

  it("appends the number to the identity, before the arguments", () => {
    const one = record("B", { x: param("one", 0) }, { generic: ["A"], identity: "m.flow.B" });
    const two = record("B", { y: param("two", 0) }, { generic: ["A"], identity: "m.flow.B", lexical_ordinal: 2n });
    expect(keys(made(named("two", named("one", "Int")), { one, two }))).toEqual(
      ["m.flow.B", "m.flow.B#2<m.flow.B<Int>>"].slice(1).concat("m.flow.B<Int>"),
    );
  });

  it("numbers each root by what that root reaches", () => {
    const read = readTypeSpec(
      spec({ params: { x: tuple(named("a"), named("b")) }, ok: named("b"), declarations: { a: p(1n, "a"), b: p(2n, "b") } }),
    );
    const projection = new Projection(read.declarations);
    const both = projection.root(read.params[0]?.type ?? "Int");
    const alone = projection.root(read.ok);
    expect(Object.keys(both["$defs"] as object)).toEqual(["m.flow.P", "m.flow.P#2"]);
    expect(Object.keys(alone["$defs"] as object)).toEqual(["m.flow.P"]);
  });

  it("numbers over the identities as they are written, by ordinal and then by the full identity", () => {
    const read = { z: p(1n, "z", "r@2/m.flow.P"), y: p(1n, "y", "r@10/m.flow.P"), x: p(2n, "x", "r@1/m.flow.P") };
    const identity = (text: string): string => text.replace(/@[0-9]+/, "");
    expect(fieldsByKey(made(tuple(named("x"), named("y"), named("z")), read, { identity }))).toEqual({
      "r/m.flow.P": ["y"],
      "r/m.flow.P#2": ["z"],
      "r/m.flow.P#3": ["x"],
    });
  });

  it("refuses two types whose keys would be one", () => {
    const fake = record("Fake", {}, { identity: "m.flow.P#2" });
    expect(refusalOf(() => made(tuple(named("a"), named("b"), named("f")), { a: p(1n, "a"), b: p(2n, "b"), f: fake }))).toMatchObject({
      code: "conflict",
    });
    const imitation = record("Imitation", {}, { identity: "r@1/b.flow.Box<Int>" });
    expect(refusalOf(() => made(tuple(named("box", "Int"), named("i")), { box, i: imitation }))).toMatchObject({ code: "conflict" });
    const text = record("I", {}, { identity: "Int" });
    expect(refusalOf(() => made(tuple(named("ghost", "Int"), named("ghost", named("i"))), { ghost, i: text }))).toMatchObject({
      code: "conflict",
    });
  });
});

describe("large graphs", () => {
  const chain = (count: number, body: (id: string, next: string) => Record<string, JsonValue>): Record<string, JsonValue> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => {
        const id = `t${i}`;
        return [id, record(`T${i}`, i === count - 1 ? { last: param(id, 0) } : body(id, `t${i + 1}`), { generic: ["A"] })];
      }),
    );
  const code = (declarations: Record<string, JsonValue>): string | undefined =>
    refusalOf(() => made(named("t0", "Int"), declarations))?.code;

  it("4,096 templates in a ring", () => {
    const ring = Object.fromEntries(
      Array.from({ length: 4_096 }, (_, i) => [
        `t${i}`,
        record(`T${i}`, { a: list(named(`t${(i + 1) % 4_096}`)), b: option(named(`t${(i * 7) % 4_096}`)) }),
      ]),
    );
    expect(keys(made(named("t0"), ring))).toHaveLength(4_096);
  });

  it("the deepest term that a description can hold", () => {
    let term: JsonValue = "Int";
    for (let i = 1; i < 128; i++) term = option(term);
    const read = readConcreteType(term, {});
    const text = canonicalText(schemaOf(read.type, read.declarations), { depth: 1_000 });
    expect(text.split('"None"')).toHaveLength(128);
  });

  it("instances that double, multiply or deepen without end are refused, not made", () => {
    expect(code(chain(64, (id, next) => ({ x: named(next, tuple(param(id, 0), param(id, 0))) })))).toBe("bounds");
    expect(code(chain(1_500, (id, next) => ({ x: named(next, list(param(id, 0))) })))).toBe("bounds");
    expect(code(chain(200, (id, next) => ({ x: named(next, list(list(list(list(list(param(id, 0))))))) })))).toBe("bounds");
    const branching = chain(40, (id, next) => ({ x: named(next, list(param(id, 0))), y: named(next, set(param(id, 0))) }));
    const read = readConcreteType(named("t0", "Int"), branching);
    expect(refusalOf(() => schemaOf(read.type, read.declarations, { nodes: 10_000 }))?.code).toBe("bounds");
  });

  it("a graph just as long whose instances are few is fine", () => {
    expect(code(chain(300, (id, next) => ({ x: named(next, param(id, 0)) })))).toBeUndefined();
  });
});
