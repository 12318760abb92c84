import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { type JcsValue, jcsText } from "../../src/json/jcs.ts";
import { parseJson } from "../../src/json/read.ts";

describe("jcsText", () => {
  it("writes what another implementation of RFC 8785 writes", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, noUnicodeString: false }), (text) => {
        const plain: JcsValue = JSON.parse(text);
        expect(jcsText(plain)).toBe(canonicalize(plain));
        expect(jcsText(parseJson(text))).toBe(canonicalize(plain));
      }),
      { numRuns: 1_000 },
    );
  });

  it("writes the numbers of RFC 8785, appendix B", () => {
    for (const [number, text] of [
      [0, "0"],
      [-0, "0"],
      [5e-324, "5e-324"],
      [1.7976931348623157e308, "1.7976931348623157e+308"],
      [9007199254740992, "9007199254740992"],
      [295147905179352830000, "295147905179352830000"],
      [9.999999999999997e22, "9.999999999999997e+22"],
      [1e23, "1e+23"],
      [999999999999999700000, "999999999999999700000"],
      [1e21, "1e+21"],
      [9.999999999999997e-7, "9.999999999999997e-7"],
      [0.000001, "0.000001"],
      [333333333.3333333, "333333333.3333333"],
    ] as const) {
      expect(jcsText(number)).toBe(text);
    }
    expect(jcsText([10n ** 21n, Decimal.from("0.0000001"), 2n ** 53n + 1n])).toBe("[1e+21,1e-7,9007199254740992]");
  });

  it("orders names by UTF-16 code units, where canonical Flow text goes by code points", () => {
    expect(jcsText({ "\uffff": 1, "\u{10000}": 2, "\r": 3, "1": 4, é: 5 })).toBe('{"\\r":3,"1":4,"é":5,"\u{10000}":2,"\uffff":1}');
    expect(jcsText(parseJson('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__":1,"constructor":2}');
  });

  it("takes values nested 1,000 deep, and none deeper", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (depth: number): string => `${open.repeat(depth - 1)}0${close.repeat(depth - 1)}`;
      expect(jcsText(JSON.parse(nested(1_000)) as JcsValue)).toBe(nested(1_000));
      expect(() => jcsText(JSON.parse(nested(1_001)) as JcsValue)).toThrow(expect.objectContaining({ code: "limit" }));
    }
  });

  it("repairs nothing", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    for (const [value, code] of [
      [Number.NaN, "kind"],
      [Number.NEGATIVE_INFINITY, "kind"],
      [10n ** 400n, "kind"],
      [undefined, "kind"],
      [[undefined], "kind"],
      [new Array(2), "kind"],
      [{ a: () => 1 }, "kind"],
      [new Map(), "kind"],
      ["\ud800", "lone-surrogate"],
      [{ "\udc00": 1 }, "lone-surrogate"],
      [loop, "limit"],
    ] as const) {
      expect(() => jcsText(value as JcsValue)).toThrow(expect.objectContaining({ code }));
    }
  });
});
