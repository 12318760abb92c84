import { describe, expect, it } from "vitest";
import { Some } from "../../src/values/shapes.ts";
import { codecOf, refusedText, refusedValue } from "../support/codecs.ts";
import { named, option, record, sum } from "../types/build.ts";

const shape = codecOf<unknown>(named("s"), {
  s: sum("Shape", {
    Dot: null,
    Empty: [],
    Circle: ["Decimal"],
    Line: ["Int", "Int"],
    Label: { text: "Text", at: option("Int") },
    Unit: ["Unit"],
  }),
});

describe("an enum (R2)", () => {
  it.each([
    ['"Dot"', { tag: "Dot" }],
    ['{"Empty":[]}', { tag: "Empty", value: [] }],
    ['{"Line":[1,2]}', { tag: "Line", value: [1n, 2n] }],
    ['{"Label":{"text":"x"}}', { tag: "Label", value: { text: "x" } }],
    ['{"Label":{"at":1,"text":"x"}}', { tag: "Label", value: { text: "x", at: 1n } }],
    ['{"Unit":[]}', { tag: "Unit", value: undefined }],
  ])("reads and writes %s", (text, value) => {
    expect(shape.decode(text)).toEqual(value);
    expect(shape.encode(value)).toBe(text);
  });

  it.each([
    ['"Circle"', "unknown-constructor "],
    ['{"Dot":[]}', "unknown-constructor "],
    ['"dot"', "unknown-constructor "],
    ['{"Square":1}', "unknown-constructor "],
    ["{}", "kind "],
    ['{"Circle":1,"Line":[1,2]}', "kind "],
    ['{"Circle":1,"x":1}', "kind "],
    ["null", "kind "],
    ["[]", "kind "],
    ["1.5", "kind "],
    ['{"Line":[1]}', "kind /Line"],
    ['{"Line":[1,"2"]}', "kind /Line/1"],
    ['{"Circle":[1]}', "kind /Circle"],
    ['{"Label":{}}', "missing-member /Label"],
    ['{"Circle":1,"Circle":1}', "duplicate-member /Circle"],
    ['{"__proto__":1}', "unknown-constructor "],
    ['"constructor"', "unknown-constructor "],
  ])("refuses %s", (text, expected) => {
    expect(refusedText(shape, text)).toBe(expected);
    expect(refusedText(shape, text, { mode: "strict" })).toBe(expected);
  });

  it.each([
    [{ tag: "Nope" }, "unknown-constructor "],
    [{ tag: "Dot", value: 1n }, "unknown-constructor "],
    [{ tag: "Circle", value: 1 }, "kind /Circle"],
    [{ tag: "Circle" }, "kind /Circle"],
    [{ tag: "Dot", more: 1 }, "undeclared-member /more"],
    [{ tag: "Line", value: [1n, 2n], more: 1 }, "undeclared-member /more"],
    [{ value: 1n }, "kind "],
    ["Dot", "kind "],
    [{ tag: 1 }, "kind "],
    [Object.create({ tag: "Dot" }), "kind "],
    [Object.assign(new Map(), { tag: "Dot" }), "kind "],
    [{ tag: "Label", value: { text: "x", note: 1n } }, "undeclared-member /Label/note"],
  ])("refuses value %#", (value, expected) => {
    expect(refusedValue(shape, value)).toBe(expected);
  });

  it("takes undefined for a payload that is not there", () => {
    expect(shape.encode({ tag: "Dot", value: undefined })).toBe('"Dot"');
    expect(shape.encode({ tag: "Unit" })).toBe('{"Unit":[]}');
  });

  it("is ordered by constructor, then by parts (R12)", () => {
    const ascending = [
      '"Dot"',
      '{"Empty":[]}',
      '{"Circle":-1.5}',
      '{"Circle":2}',
      '{"Line":[1,2]}',
      '{"Line":[2,0]}',
      '{"Label":{"text":"a"}}',
      '{"Label":{"at":0,"text":"a"}}',
    ];
    const values = ascending.map((text) => shape.decode(text));
    for (const [i, a] of values.entries())
      for (const [j, b] of values.entries()) expect(Math.sign(shape.compare(a, b))).toBe(Math.sign(i - j));
    expect(() => shape.compare({ tag: "Nope" }, { tag: "Dot" })).toThrow(expect.objectContaining({ code: "kind" }));
  });

  it("without constructors has no value", () => {
    const never = codecOf(named("n"), { n: sum("N", {}) });
    expect(refusedText(never, '"A"')).toBe("no-value ");
    expect(refusedValue(never, { tag: "A" })).toBe("no-value ");
  });

  it("can hold itself", () => {
    const tree = codecOf<unknown>(named("t"), { t: sum("Tree", { Leaf: null, Node: [named("t"), "Int", named("t")] }) });
    const text = '{"Node":[{"Node":["Leaf",1,"Leaf"]},2,"Leaf"]}';
    expect(tree.encode(tree.decode(text))).toBe(text);
    expect(refusedText(tree, '{"Node":[{"Node":["Leaf",1.5,"Leaf"]},2,"Leaf"]}')).toBe("not-whole /Node/0/Node/1");
  });
});

describe("what an error names", () => {
  it("is the declaration that holds the place, never an Option", () => {
    const codec = codecOf(named("i"), {
      i: record("Item", { count: { List: option("Int") }, kind: named("k") }),
      k: sum("Kind", { A: ["Int"] }),
    });
    const message = (text: string) => {
      try {
        codec.decode(text);
      } catch (caught) {
        return (caught as Error).message;
      }
      return "";
    };
    expect(message('{"count":[{"Some":"42"}],"kind":{"A":1}}')).toBe('expected Int at /count/0/Some of m.Item, met the string "42"');
    expect(message('{"count":[],"kind":{"A":"1"}}')).toBe('expected Int at /kind/A of m.Kind, met the string "1"');
    expect(message('{"count":[],"kind":"B"}')).toBe('expected a constructor of m.Kind at /kind of m.Item, met the string "B"');
    expect(message('{"count":[]}')).toBe('expected the member "kind" (m.Kind) for m.Item, met an object without it');
    expect(codecOf(option("Int")).encode(Some(1n))).toBe('{"Some":1}');
  });
});
