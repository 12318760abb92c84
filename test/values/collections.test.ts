import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { codecFor } from "../../src/codec/codec.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { Duration } from "../../src/values/duration.ts";
import { Instant } from "../../src/values/instant.ts";
import { naturalOrder } from "../../src/values/natural.ts";
import { firstOutOfOrder, search } from "../../src/values/search.ts";
import { FlowSet } from "../../src/values/set.ts";

describe("FlowSet", () => {
  it("keeps items once, in the order of their type", () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -20n, max: 20n })), fc.bigInt({ min: -20n, max: 20n }), (items, other) => {
        const set = FlowSet.from(items);
        const reference = [...new Set(items)].sort((a, b) => (a < b ? -1 : 1));
        expect([...set]).toEqual(reference);
        expect(set.size).toBe(reference.length);
        expect(set.has(other)).toBe(reference.includes(other));
        expect([...set.with(other)]).toEqual([...new Set([...items, other])].sort((a, b) => (a < b ? -1 : 1)));
        expect([...set.without(other)]).toEqual(reference.filter((item) => item !== other));
      }),
    );
  });

  it("goes by value: two equal records are one item, found by a third", () => {
    const codec = codecFor<readonly [bigint, string]>({ Tuple: ["Int", "Text"] });
    const first = [1n, "a"] as const;
    const set = FlowSet.from([[2n, "a"], first, [1n, "a"]], codec.compare);
    expect([...set]).toEqual([
      [1n, "a"],
      [2n, "a"],
    ]);
    expect([...set][0]).toBe(first);
    expect(set.has([2n, "a"])).toBe(true);
    expect(set.with([1n, "a"])).toBe(set);
    expect(set.without([3n, "a"])).toBe(set);
  });

  it("is a ReadonlySet", () => {
    const set = FlowSet.from(["b", "a"]);
    const readonly: ReadonlySet<string> = set;
    expectTypeOf(set).toExtend<ReadonlySet<string>>();
    expectTypeOf<FlowSet<"a">>().toExtend<FlowSet<string>>();
    expectTypeOf<FlowSet<bigint>>().not.toExtend<ReadonlySet<string>>();
    expect([[...readonly.keys()], [...readonly.values()], [...readonly.entries()]]).toEqual([
      ["a", "b"],
      ["a", "b"],
      [
        ["a", "a"],
        ["b", "b"],
      ],
    ]);
    const seen: unknown[] = [];
    readonly.forEach(function (this: unknown, value, key, whole) {
      seen.push([this, value, key, whole === set]);
    }, "this");
    expect(seen).toEqual([
      ["this", "a", "a", true],
      ["this", "b", "b", true],
    ]);
    expect(Object.prototype.toString.call(set)).toBe("[object FlowSet]");
  });
});

describe("FlowDict", () => {
  it("keeps the last value of each key, in the order of the keys", () => {
    const entries = fc.array(fc.tuple(fc.constantFrom<string[]>("a", "b", "\uffff", "\u{10000}"), fc.integer()));
    fc.assert(
      fc.property(entries, fc.constantFrom<string[]>("a", "c"), (pairs, key) => {
        const dict = FlowDict.from(pairs);
        const reference = new Map(pairs);
        expect(dict.size).toBe(reference.size);
        expect(new Map(dict)).toEqual(reference);
        expect([...dict.keys()]).toEqual(["a", "b", "\uffff", "\u{10000}"].filter((name) => reference.has(name)));
        expect(dict.get(key)).toBe(reference.get(key));
        expect(dict.has(key)).toBe(reference.has(key));
        expect(new Map(dict.with(key, 7))).toEqual(new Map(reference).set(key, 7));
        reference.delete(key);
        expect(new Map(dict.without(key))).toEqual(reference);
      }),
    );
  });

  it("is a ReadonlyMap", () => {
    const dict = FlowDict.from([
      ["b", 2n],
      ["a", 1n],
    ]);
    const readonly: ReadonlyMap<string, bigint> = dict;
    expectTypeOf(dict).toExtend<ReadonlyMap<string, bigint>>();
    expectTypeOf<FlowDict<string, bigint>>().not.toExtend<ReadonlyMap<string, string>>();
    expect([[...readonly.keys()], [...readonly.values()], [...readonly]]).toEqual([
      ["a", "b"],
      [1n, 2n],
      [
        ["a", 1n],
        ["b", 2n],
      ],
    ]);
    const seen: unknown[] = [];
    readonly.forEach(function (this: unknown, value, key, whole) {
      seen.push([this, value, key, whole === dict]);
    }, "this");
    expect(seen).toEqual([
      ["this", 1n, "a", true],
      ["this", 2n, "b", true],
    ]);
  });
});

describe("the order without a codec", () => {
  it("is that of the type, for values that carry their own (R12)", () => {
    const ascending: readonly (readonly unknown[])[] = [
      ["", "a", "aa", "\uffff", "\u{10000}"],
      [-1n, 0n, 10n],
      [false, true],
      [Decimal.from("-0.5"), Decimal.from("0.10"), Decimal.from("0.11")],
      [Instant.parse("1969-12-31T23:59:59.9Z"), Instant.parse("1970-01-01T00:00:00Z")],
      [Duration.parse("PT-2S"), Duration.parse("PT-1.5S"), Duration.parse("PT0S"), Duration.parse("PT1S")],
      [Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(1, 0), Uint8Array.of(200)],
    ];
    for (const values of ascending) {
      for (const [i, a] of values.entries())
        for (const [j, b] of values.entries()) expect(Math.sign(naturalOrder(a, b))).toBe(Math.sign(i - j));
    }
  });

  it("refuses values whose order only their type tells", () => {
    for (const [a, b] of [
      [1n, "1"],
      [{}, {}],
      [1, 2],
      [undefined, undefined],
    ]) {
      expect(() => naturalOrder(a, b)).toThrow(expect.objectContaining({ code: "kind" }));
    }
  });

  it("is searched by halves", () => {
    const items = Array.from({ length: 100 }, (_, i) => 2 * i);
    const order = (a: number, b: number) => a - b;
    for (let i = 0; i < 200; i++) expect(search(items, i, order)).toBe(i % 2 === 0 ? i / 2 : -Math.ceil(i / 2) - 1);
    expect(firstOutOfOrder([1, 2, 2, 3], order)).toBe(2);
    expect(firstOutOfOrder([1, 2, 3], order)).toBe(-1);
  });
});
