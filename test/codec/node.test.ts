/** How values are told of in sentences: whatever they are and do, in a few words. */
import { expect, it } from "vitest";
import { countMembers, describeValue, isRecordLike, owned, titled, titles, under } from "../../src/codec/node.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { Refusal } from "../../src/json/errors.ts";
import { codecOf } from "../support/codecs.ts";
import { list, tuple } from "../types/build.ts";

class Point {
  x = 1;
}

const saying = (text: string) =>
  new (class Sayer {
    toString() {
      return text;
    }
  })();

it.each<[unknown, string]>([
  [5, "the JavaScript number 5"],
  [Number.NaN, "the JavaScript number NaN"],
  [undefined, "undefined"],
  [null, "null"],
  [7n, "the number 7"],
  [true, "true"],
  ["x", 'the string "x"'],
  [[1], "an array of 1 item"],
  [Decimal.from("1.50"), "the number 1.5"],
  [{ a: 1 }, "an object"],
  [Object.create(null), "an object"],
  [{ constructor: 7 }, "an object"],
  [{ constructor: { name: "Point" } }, "an object"],
  [new Point(), "a Point ([object Object])"],
  [new Map(), "a Map ([object Map])"],
  [saying("y".repeat(40)), `a Sayer (${"y".repeat(40)})`],
  [saying("y".repeat(41)), `a Sayer (${"y".repeat(32)}\u2026)`],
  [new (class {})(), "an object"],
])("tells of %o", (value, told) => {
  expect(describeValue(value)).toBe(told);
});

it("tells of what does not let itself be looked at", () => {
  const hostile = {
    get constructor() {
      throw new Error("no");
    },
  };
  expect(describeValue(hostile)).toBe("an object");
});

it("names types in at most 120 units", () => {
  expect([titled("t".repeat(120)), titled("t".repeat(121))]).toEqual(["t".repeat(120), `${"t".repeat(110)}\u2026`]);
  const node = codecOf(tuple("Int", list("Text")))["type"].node;
  expect([node.title, titles([node, node])]).toEqual(["(Int, List<Text>)", "(Int, List<Text>), (Int, List<Text>)"]);
});

it("moves refusals outwards, and nothing else", () => {
  const refusal = new Refusal("kind", "a", "b");
  expect(under(refusal, "x")).toBe(refusal);
  expect(under(refusal, 3)).toBe(refusal);
  expect(owned(owned(refusal, "inner"), "outer")).toBe(refusal);
  expect(refusal).toMatchObject({ at: "/3/x", owner: "inner" });
  const error = Object.freeze(new Error("another"));
  expect([under(error, "x"), owned(error, "inner")]).toEqual([error, error]);
});

it("counts members, inherited ones too, and tells records from what the platform makes", () => {
  expect([countMembers({}), countMembers({ a: 1, b: 2 }), countMembers(Object.create({ a: 1 }))]).toEqual([0, 2, 1]);
  expect([{}, new Point(), Object.create(null), new Map(), new Date(), Promise.resolve()].map(isRecordLike)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
