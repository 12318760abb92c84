/** The parts of the playground that need no page. */
import fc from "fast-check";
import { codecFor, type Declarations, readConcreteType, type Term } from "flow-host";
import { describe, expect, it } from "vitest";
import { explain } from "../../demo/page/advice.ts";
import { exampleOf } from "../../demo/page/example.ts";
import { lineAndColumn, locate, tokenAt } from "../../demo/page/locate.ts";
import { termText, typeAt } from "../../demo/page/shape.ts";

const NONE: Declarations = new Map();

/** Every JSON Pointer of a value, with the value there. */
function* places(value: unknown, pointer = ""): Generator<readonly [string, unknown]> {
  yield [pointer, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* places(inner, `${pointer}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`);
}

describe("locating", () => {
  it("finds every value of any JSON text by its pointer", () => {
    const spaced = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 1, "\t", "\n "));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = ` ${JSON.stringify(value, undefined, space)}\n`;
        for (const [pointer, there] of places(JSON.parse(text))) {
          const { start, end } = locate(text, pointer);
          expect(JSON.parse(text.slice(start, end))).toEqual(there);
        }
      }),
    );
  });

  it("takes a member with its name, and what holds it where it is missing", () => {
    const text = '{"a": [1, {"b\\u002fc" : null}]}';
    const at = (pointer: string, whole?: boolean) => {
      const { start, end } = locate(text, pointer, whole);
      return text.slice(start, end);
    };
    expect(at("/a/1/b~1c", true)).toBe('"b\\u002fc" : null');
    expect(at("/a/1/gone")).toBe('{"b\\u002fc" : null}');
    expect(at("/a/7")).toBe('[1, {"b\\u002fc" : null}]');
    expect(at("/x/y")).toBe(text);
  });

  it.each([
    ['{"a":-1.5e3}', 5, "-1.5e3"],
    ['["x\\"y"]', 1, '"x\\"y"'],
    ['"\\ud800"', 1, "\\ud800"],
    ["[𝕏]", 1, "𝕏"],
    ["[1,]", 3, "]"],
    ["[", 1, ""],
  ])("%s at %i has the token %s", (text, offset, token) => {
    const { start, end } = tokenAt(text, offset);
    expect(text.slice(start, end)).toBe(token);
  });

  it("counts lines and columns from 1", () => {
    expect(lineAndColumn("", 0)).toEqual({ line: 1, column: 1 });
    expect(lineAndColumn("a\nbc", 3)).toEqual({ line: 2, column: 2 });
  });
});

const record = (name: string, fields: readonly unknown[]) => template(name, "record", { fields });
const sum = (name: string, constructors: readonly unknown[]) => template(name, "enum", { constructors });

function template(name: string, kind: string, body: object): object {
  const common = { name, identity: `a.flow.${name}`, lexical_ordinal: 1n, generic: [], opaque: false, doc: null };
  return { ...common, kind, ...body };
}

describe("types", () => {
  const named = (declaration: string): Term => ({ Named: { declaration, args: [] } });
  const list = {
    t1: sum("Tree", [
      { name: "Fork", doc: null, payload: { positional: [named("t1"), named("t1")] } },
      { name: "Leaf", doc: null, payload: { named: [{ name: "weight", type: { Option: "Decimal" }, doc: null }] } },
    ]),
    t2: record("Post", [
      { name: "tree", type: named("t1"), doc: null },
      { name: "next", type: { Option: named("t2") }, doc: null },
    ]),
  };
  const { type, declarations } = readConcreteType({ Named: { declaration: "t2", args: [] } }, json(list));

  it.each([
    "Int",
    "Decimal",
    "Bool",
    "Text",
    "Bytes",
    "Instant",
    "Duration",
    "Unit",
    "json.Value",
    { List: "Int" },
    { Set: "Instant" },
    { Option: "Text" },
    { Option: { Option: "Int" } },
    { Dict: ["Text", "Bool"] },
    { Dict: ["Int", { List: "Never" }] },
    { Tuple: ["Int", "Text"] },
    { List: "Never" },
  ] as Term[])("%j has an example that decodes", (term) => {
    const example = exampleOf(term, NONE);
    expect(() => codecFor(term, NONE).decode(example ?? "", { mode: "strict" })).not.toThrow();
  });

  it("finds an end to recursive types, and none for a type without values", () => {
    const example = exampleOf(type, declarations);
    expect(example).toBe('{"tree": {"Leaf": {"weight": 12.5}}}');
    expect(() => codecFor(type, declarations).decode(example ?? "")).not.toThrow();
    expect(exampleOf("Never", NONE)).toBeUndefined();
    expect(exampleOf({ Tuple: ["Int", "Never"] }, NONE)).toBeUndefined();
  });

  it("knows the type of every place", () => {
    const at = (pointer: string) => {
      const there = typeAt(type, declarations, pointer);
      return there === undefined ? undefined : termText(there, declarations);
    };
    expect(at("/next/tree/Fork/1/Leaf/weight")).toBe("Decimal");
    expect(at("/tree/Fork")).toBe("(a.Tree, a.Tree)");
    expect(at("/tree/Twig")).toBeUndefined();
    expect(typeAt({ Dict: ["Int", "Text"] }, NONE, "/3/1")).toBe("Text");
    expect(typeAt({ Option: { List: "Bool" } }, NONE, "/Some/0")).toBe("Bool");
  });

  it.each([
    ['{"tree": {"Leef": {}}}', "unknown-constructor", '{"Leef": {}}', "Fork, Leaf"],
    ['{"tree": {"Leaf": {"weight": "1"}}}', "kind", '"1"', "12.5"],
    ['{"tree": {"Fork": [{"Leaf": {}}]}}', "kind", '[{"Leaf": {}}]', "Write"],
    ["{'tree': 1}", "syntax", "'", "double quotes"],
    ['{"tree": 01}', "syntax", "1", "zero"],
  ])("%s is explained: %s", (text, code, marked, advice) => {
    const fault = faultOf(text);
    expect(fault.code).toBe(code);
    expect(text.slice(fault.range.start, fault.range.end)).toBe(marked);
    expect(`${fault.advice} ${fault.example ?? ""}`).toContain(advice);
  });

  it("passes on what no codec says", () => {
    const own = new Error("a fault of the page");
    expect(() => explain(own, "", { term: type, declarations, example: "" })).toThrow(own);
  });

  function faultOf(text: string) {
    try {
      codecFor(type, declarations).decode(text, { mode: "strict" });
    } catch (caught) {
      return explain(caught, text, { term: type, declarations, example: "{}" });
    }
    throw new Error(`${text} decodes`);
  }
});

/** A plain object as the readers of descriptions take it. */
function json(value: object): Parameters<typeof readConcreteType>[1] {
  return value as Parameters<typeof readConcreteType>[1];
}
