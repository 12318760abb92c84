import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codecFor } from "../../src/codec/codec.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { FlowSet } from "../../src/values/set.ts";
import { codecOf, refusedText, refusedValue } from "../support/codecs.ts";
import { dict, list, named, option, record, set, tuple } from "../types/build.ts";

const ints = codecOf<unknown>(set("Int"));
const point = { p: record("P", { x: "Int", y: "Int" }) };

describe("List and Tuple", () => {
  it("are arrays", () => {
    expect(codecOf(list("Int")).decode("[1, 2.0, 3e0]")).toEqual([1n, 2n, 3n]);
    expect(codecOf(list("Unit")).decode("[[],[]]")).toEqual([undefined, undefined]);
    expect(codecOf(tuple("Int", "Text")).decode('[1,"a"]')).toEqual([1n, "a"]);
    for (const [text, expected] of [
      ["[1]", "kind "],
      ['[1,"a",2]', "kind "],
      ["{}", "kind "],
      ['["a","a"]', "kind /0"],
    ] as const) {
      expect(refusedText(codecOf(tuple("Int", "Text")), text)).toBe(expected);
    }
    expect(refusedValue(codecOf(list("Int")), new Array(2))).toBe("kind /0");
    expect(refusedValue(codecOf(list("Int")), { length: 1, 0: 1n })).toBe("kind ");
    expect(refusedValue(codecOf(list("Int")), [1n, Number.NaN])).toBe("kind /1");
  });

  it("mix items that are kept and items that are made", () => {
    const codec = codecOf(list(option("Int")));
    const text = '["None",{"Some":1},"None",{"Some":-2}]';
    expect(codec.encode(codec.decode(text))).toBe(text);
    const lists = codecOf(list(list("Decimal")));
    for (const other of ["[[],[1,2.5],[0.25],[]]", "[[1],[1.5],[-2]]"]) expect(lists.encode(lists.decode(other))).toBe(other);
  });

  it("write many strings at once as they write them one by one", () => {
    const codec = codecOf<readonly string[]>(list("Text"));
    const text = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (items) => {
        expect(codec.encode(items)).toBe(`[${items.map((item) => JSON.stringify(item)).join(",")}]`);
      }),
    );
    const long = Array.from({ length: 40 }, (_, i) => `${"x".repeat(30)}${i}`);
    expect(codec.encode(long)).toBe(JSON.stringify(long));
    expect(codec.encode([...long, "\\ud800"])).toBe(JSON.stringify([...long, "\\ud800"]));
    expect(refusedValue(codec, [...long, "\ud800"])).toBe("lone-surrogate /40");
    expect(refusedValue(codec, [...long, 1n])).toBe("kind /40");
    expect(() => codec.encode(long, { values: 40 })).toThrow(expect.objectContaining({ code: "limit", at: "/39" }));
    expect(() => codec.encode(long, { string: 31 })).toThrow(expect.objectContaining({ code: "limit", at: "/10" }));
    expect(() => codec.encode(long, { depth: 1 })).toThrow(expect.objectContaining({ code: "limit", at: "/0" }));
    expect(() => codec.encode(long, { bytes: 1000 })).toThrow(expect.objectContaining({ code: "limit", at: "" }));
  });
});

describe("Set (R11)", () => {
  it("decodes strictly ascending arrays and sorts none", () => {
    expect([...(ints.decode("[-1,2,10]") as FlowSet<bigint>)]).toEqual([-1n, 2n, 10n]);
    expect(refusedText(ints, "[1,1]")).toBe("order /1");
    expect(refusedText(ints, "[1,3,2]")).toBe("order /2");
    expect(refusedText(ints, '[1,"a"]')).toBe("kind /1");
    expect(refusedText(codecOf(set("Text")), '["\u{10000}","\uffff"]')).toBe("order /1");
    expect(refusedText(codecOf(set("Decimal")), "[1.5,1.50]")).toBe("order /1");
  });

  it("encodes sets in its own order, whoever built them", () => {
    const reversed = FlowSet.from([1n, 3n, 2n], (a, b) => (a < b ? 1 : -1));
    expect(ints.encode(reversed)).toBe("[1,2,3]");
    expect(ints.encode(FlowSet.from([3n, 1n]))).toBe("[1,3]");
    const tuples = codecOf<FlowSet<readonly [bigint, bigint]>>(set(tuple("Int", "Int")));
    const other = codecFor<readonly [bigint, bigint]>({ Tuple: ["Int", "Int"] });
    expect(
      tuples.encode(
        FlowSet.from(
          [
            [2n, 1n],
            [1n, 2n],
          ],
          other.compare,
        ),
      ),
    ).toBe("[[1,2],[2,1]]");
    expect(
      tuples.compare(
        FlowSet.from(
          [
            [2n, 1n],
            [1n, 2n],
          ],
          (a, b) => Number(b[0] - a[0]),
        ),
        tuples.decode("[[1,2],[2,1]]"),
      ),
    ).toBe(0);
  });

  it("refuses equal items, items of another type, and what is no FlowSet", () => {
    const never = () => 1;
    expect(refusedValue(ints, FlowSet.from([1n, 1n], never))).toBe("order ");
    expect(refusedValue(ints, FlowSet.from([1n, "a"], never))).toBe("kind /1");
    expect(refusedValue(ints, new Set([1n]))).toBe("kind ");
    expect(refusedValue(ints, [1n])).toBe("kind ");
  });

  it("looks at the order of items that were changed after the set was made", () => {
    const codec = codecOf<FlowSet<{ x: bigint; y: bigint }>>(set(named("p")), point);
    const value = codec.decode('[{"x":1,"y":1},{"x":2,"y":1}]');
    const [first] = value;
    (first as { x: bigint }).x = 3n;
    expect(codec.encode(value)).toBe('[{"x":2,"y":1},{"x":3,"y":1}]');
    (first as { x: bigint }).x = 2n;
    expect(refusedValue(codec, value)).toBe("order ");
  });

  it("is written in the middle of much else", () => {
    const codec = codecOf(list(tuple("Text", set("Text"), "Text")));
    const long = (letter: string) => letter.repeat(500);
    const items = Array.from({ length: 200 }, () => [long("x"), FlowSet.from([long("b"), long("a"), "c"], () => -1), long("y")]);
    const decoded = codec.decode(codec.encode(items)) as [string, FlowSet<string>, string][];
    expect(
      decoded.every(([x, inner, y]) => x === long("x") && y === long("y") && [...inner].join() === `${long("a")},${long("b")},c`),
    ).toBe(true);
  });
});

describe("Dict (R11)", () => {
  const byText = codecOf<FlowDict<string, bigint>>(dict("Text", "Int"));
  const byInt = codecOf<FlowDict<bigint, string>>(dict("Int", "Text"));

  it("with keys of Text is an object, whose order means nothing", () => {
    const value = byText.decode('{"b":1,"__proto__":2,"\u{10000}":3,"\uffff":4,"10":5,"9":6}');
    expect([...value.keys()]).toEqual(["10", "9", "__proto__", "b", "\uffff", "\u{10000}"]);
    expect(value.get("__proto__")).toBe(2n);
    expect(byText.encode(value)).toBe('{"10":5,"9":6,"__proto__":2,"b":1,"\uffff":4,"\u{10000}":3}');
    expect(refusedText(byText, '{"a":1,"a":2}')).toBe("duplicate-member /a");
    expect(refusedText(byText, '{"a":"1"}')).toBe("kind /a");
    expect(refusedText(byText, "[]")).toBe("kind ");
  });

  it("with other keys is an array of pairs, strictly ascending", () => {
    const value = byInt.decode('[[-1,"a"],[2,"b"]]');
    expect(value.get(2n)).toBe("b");
    expect(byInt.encode(value)).toBe('[[-1,"a"],[2,"b"]]');
    for (const [text, expected] of [
      ['[[2,"a"],[1,"b"]]', "order /1"],
      ['[[1,"a"],[1,"b"]]', "order /1"],
      ["[[1]]", "kind /0"],
      ['[[1,"a",2]]', "kind /0"],
      ['[["1","a"]]', "kind /0/0"],
      ["[[1,2]]", "kind /0/1"],
      ["{}", "kind "],
    ] as const) {
      expect(refusedText(byInt, text)).toBe(expected);
    }
  });

  it("encodes dictionaries in its own order, whoever built them", () => {
    expect(
      byInt.encode(
        FlowDict.from(
          [
            [2n, "b"],
            [1n, "a"],
          ],
          (a, b) => (a < b ? 1 : -1),
        ),
      ),
    ).toBe('[[1,"a"],[2,"b"]]');
    expect(
      byText.encode(
        FlowDict.from(
          [
            ["\u{10000}", 1n],
            ["\uffff", 2n],
          ],
          (a, b) => (a < b ? -1 : 1),
        ),
      ),
    ).toBe('{"\uffff":2,"\u{10000}":1}');
    expect(
      refusedValue(
        byInt,
        FlowDict.from(
          [
            [1n, "a"],
            [1n, "b"],
          ],
          () => 1,
        ),
      ),
    ).toBe("order ");
    expect(
      refusedValue(
        byText,
        FlowDict.from([[1n, 1n]], () => 1),
      ),
    ).toBe("kind ");
    expect(refusedValue(byText, FlowDict.from([["\ud800", 1n]]))).toBe("lone-surrogate ");
    expect(refusedValue(byText, new Map([["a", 1n]]))).toBe("kind ");
    expect(
      byInt.compare(
        FlowDict.from(
          [
            [2n, "b"],
            [1n, "a"],
          ],
          (a, b) => (a < b ? 1 : -1),
        ),
        byInt.decode('[[1,"a"],[2,"b"]]'),
      ),
    ).toBe(0);
  });
});
