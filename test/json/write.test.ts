import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../../src/json/limits.ts";
import { digitsOf } from "../../src/json/number.ts";
import { parseJson } from "../../src/json/read.ts";
import { type JsonValue, jsonObject } from "../../src/json/value.ts";
import { canonicalText, writeString } from "../../src/json/write.ts";

const refusedAs = (code: string, at = "") => expect.objectContaining({ code, at });

describe("canonicalText", () => {
  it("writes members by code point, not by UTF-16 code unit", () => {
    expect(canonicalText(jsonObject({ "\u{10000}": 1n, "\uffff": 2n, b: 3n, a: 4n, "": 5n }))).toBe(
      '{"":5,"a":4,"b":3,"\uffff":2,"\u{10000}":1}',
    );
  });

  it("escapes only what must be", () => {
    expect(canonicalText('"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028é\u{1f600}')).toBe(
      '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f\u2028é\u{1f600}"',
    );
  });

  it("writes numbers in plain notation", () => {
    const numbers: JsonValue = [0n, -1n, 10n ** 21n, 2n ** 53n - 1n, -(2n ** 53n), 2n ** 31n, 2n ** 64n];
    expect(canonicalText(numbers)).toBe(`[${numbers.join(",")}]`);
    for (const text of [
      "0.5",
      "-0.5",
      "12.5",
      "0.000000000000001",
      "123456789012.345",
      "0.0000000000000000000000000001",
      "-9007199254740993.25",
    ]) {
      expect(canonicalText(Decimal.from(text))).toBe(text);
    }
    expect(canonicalText(Decimal.from("1.50"))).toBe("1.5");
    expect(canonicalText(Decimal.from("5.0"))).toBe("5");
    expect(canonicalText(Decimal.from("1e21"))).toBe("1000000000000000000000");
  });

  it("writes strings of every length, and pieces of them, alike", () => {
    // The units around the lengths at which another way of writing is taken.
    for (const unit of ["a", "é", "\uffff", "\u{1f600}", '"', "\n", "\u0001"]) {
      for (const length of [0, 1, 2, 133, 199, 200, 399, 400, 401, 402, 1000, 40_000]) {
        const text = unit.repeat(length);
        expect(canonicalText(text)).toBe(JSON.stringify(text));
        expect(canonicalText(["x", text, 1n, text])).toBe(`["x",${JSON.stringify(text)},1,${JSON.stringify(text)}]`);
      }
    }
  });

  it("writes texts that fill its memory again and again", () => {
    const items = Array.from({ length: 30_000 }, (_, i) => [BigInt(i), `${i} é`, Decimal.from(`${i}.25`)]);
    expect(canonicalText(items)).toBe(`[${items.map(([a, b, c]) => `[${a},"${b}",${c}]`).join(",")}]`);
  });

  it("is what parseJson reads back, and writes the same again", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const canonical = canonicalText(parseJson(text));
        expect(canonicalText(parseJson(canonical))).toBe(canonical);
        // Outside strings: a name may look like an exponent.
        expect(canonical.replace(/"(?:[^"\\]|\\.)*"/g, "")).not.toMatch(/[0-9][eE]/);
      }),
      { numRuns: 500 },
    );
  });

  it("refuses what is no exact JSON, with its place", () => {
    const object = (value: unknown) => ({ a: [value] }) as unknown as JsonValue;
    for (const value of [1, Number.NaN, undefined, () => 1, Symbol("x"), new Date(0), new Map(), new Uint8Array(1)]) {
      expect(() => canonicalText(object(value))).toThrow(refusedAs("kind", "/a/0"));
    }
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    expect(() => canonicalText([1n, , 2n] as unknown as JsonValue)).toThrow(refusedAs("kind", "/1"));
    for (const text of ["\ud800", "a\udc00", "\udc00\ud800", `${"x".repeat(500)}\ud800`]) {
      expect(() => canonicalText({ a: text })).toThrow(refusedAs("lone-surrogate", "/a"));
      expect(() => canonicalText({ [text]: 1n })).toThrow(refusedAs("lone-surrogate", ""));
    }
  });

  it("ends where a value holds itself", () => {
    const loop: JsonValue[] = [];
    loop.push(loop);
    expect(() => canonicalText(loop)).toThrow(expect.objectContaining({ code: "limit" }));
    let shared: JsonValue = 1n;
    for (let i = 0; i < 60; i++) shared = [shared, shared];
    expect(() => canonicalText(shared)).toThrow(expect.objectContaining({ code: "limit" }));
  });

  it("holds the limits as the reader does", () => {
    expect(() => canonicalText([1n, 2n], { values: 2 })).toThrow(refusedAs("limit", "/1"));
    expect(() => canonicalText([[1n]], { depth: 2 })).toThrow(refusedAs("limit", "/0/0"));
    expect(() => canonicalText([1n, 2n], { members: 1 })).toThrow(refusedAs("limit", ""));
    expect(() => canonicalText(["éé"], { string: 3 })).toThrow(refusedAs("limit", "/0"));
    expect(() => canonicalText({ éé: 1n }, { string: 3 })).toThrow(refusedAs("limit", ""));
    expect(() => canonicalText([1000n], { digits: 3 })).toThrow(refusedAs("limit", "/0"));
    expect(() => canonicalText([Decimal.from("0.001")], { digits: 3 })).toThrow(refusedAs("limit", "/0"));
    expect(() => canonicalText([Decimal.from("1e-40")], { digits: 40 })).toThrow(refusedAs("limit", "/0"));
    expect(canonicalText([Decimal.from("1e-40")], { digits: 41 })).toHaveLength(44);
    expect(() => canonicalText([10n ** 20n], { digits: 20 })).toThrow(refusedAs("limit", "/0"));
    expect(() => canonicalText(["abc"], { bytes: 6 })).toThrow(refusedAs("limit", ""));
    expect(canonicalText(["abc"], { bytes: 7 })).toBe('["abc"]');
    expect(() => canonicalText(["é".repeat(1000)], { bytes: 2003 })).toThrow(refusedAs("limit", ""));
    expect(canonicalText(["é".repeat(1000)], { bytes: 2004 })).toHaveLength(1004);
  });

  it("counts depth once for each container, and takes what is just within every limit", () => {
    const wide = { a: 1n, b: { c: 1n, d: [2n, 3n] }, e: [] };
    expect(canonicalText(wide, { depth: 4, values: 8, members: 3, string: 1, digits: 1 })).toBe('{"a":1,"b":{"c":1,"d":[2,3]},"e":[]}');
    expect(() => canonicalText(wide, { depth: 3 })).toThrow(refusedAs("limit", "/b/d/0"));
    expect(() => canonicalText({ a: { b: 1n } }, { depth: 2 })).toThrow(refusedAs("limit", "/a/b"));
    expect(() => canonicalText(wide, { values: 7 })).toThrow(refusedAs("limit", "/e"));
    expect(() => canonicalText(wide, { members: 2 })).toThrow(refusedAs("limit", ""));
  });

  it("lays the fault of a name to its object, whatever stands before it", () => {
    for (const bad of ["\ud800", "\udfff"]) {
      expect(() => canonicalText([{ a: 1n, b: [1n], [bad]: 2n }])).toThrow(refusedAs("lone-surrogate", "/0"));
    }
  });

  it("stops long before a text that no engine can hold", () => {
    const megabyte = "x".repeat(1_000_000);
    expect(() => canonicalText(Array.from({ length: 10_000 }, () => megabyte))).toThrow(refusedAs("limit", ""));
    const short = "y".repeat(100);
    expect(() => canonicalText(Array.from({ length: 1_000_000 }, () => short))).toThrow(refusedAs("limit", ""));
  });

  it("is not disturbed by a getter that writes something itself", () => {
    const nested = {
      get a() {
        return canonicalText(["inner", 1n]);
      },
      b: "outer",
    };
    expect(canonicalText(nested)).toBe('{"a":"[\\"inner\\",1]","b":"outer"}');
  });
});

it("writeString writes one string", () => {
  expect(writeString('a"é', DEFAULT_LIMITS)).toBe('"a\\"é"');
  expect(() => writeString("\ud800", DEFAULT_LIMITS)).toThrow();
  const limits = resolveLimits({ string: 4 });
  expect(writeString("éé", limits)).toBe('"éé"');
  expect(() => writeString("ééa", limits)).toThrow(expect.objectContaining({ code: "limit" }));
});

it("digitsOf counts decimal digits", () => {
  for (let power = 0; power <= 15; power++) {
    expect(digitsOf(10 ** power)).toBe(power + 1);
    expect(digitsOf(10 ** power - 1)).toBe(Math.max(1, power));
  }
  expect(digitsOf(Number.MAX_SAFE_INTEGER)).toBe(16);
});
