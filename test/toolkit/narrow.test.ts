/** Checked narrowing: each conversion keeps the value or fails with `limit`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { toInt, toInt64, toNumber, toSafeNumber, toUint, toUint64 } from "../../src/toolkit/index.ts";

const limit = expect.objectContaining({ name: "FlowError", code: "limit" });

/** Each conversion with the least and the most that it takes. */
const WHOLE: readonly (readonly [string, (value: bigint) => number | bigint, bigint, bigint])[] = [
  ["toSafeNumber", toSafeNumber, -(2n ** 53n) + 1n, 2n ** 53n - 1n],
  ["toInt 8", (value) => toInt(value, 8), -128n, 127n],
  ["toInt 16", (value) => toInt(value, 16), -32_768n, 32_767n],
  ["toInt 32", (value) => toInt(value, 32), -(2n ** 31n), 2n ** 31n - 1n],
  ["toUint 8", (value) => toUint(value, 8), 0n, 255n],
  ["toUint 16", (value) => toUint(value, 16), 0n, 65_535n],
  ["toUint 32", (value) => toUint(value, 32), 0n, 2n ** 32n - 1n],
  ["toInt64", toInt64, -(2n ** 63n), 2n ** 63n - 1n],
  ["toUint64", toUint64, 0n, 2n ** 64n - 1n],
];

describe.each(WHOLE)("%s", (_, convert, least, most) => {
  it("keeps both ends of its range and fails one past them", () => {
    for (const value of [least, 0n, most]) expect(BigInt(convert(value))).toBe(value);
    expect(() => convert(least - 1n)).toThrow(limit);
    expect(() => convert(most + 1n)).toThrow(limit);
    expect(() => convert(10n ** 400n)).toThrow(limit);
  });

  it("keeps what is in its range and fails otherwise, and never wraps", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }), (value) => {
        if (value >= least && value <= most) expect(BigInt(convert(value))).toBe(value);
        else expect(() => convert(value)).toThrow(limit);
      }),
    );
  });

  it("says what was wanted and what was met", () => {
    expect(() => convert(most + 1n)).toThrow(`met ${most + 1n}`);
  });
});

describe("toNumber", () => {
  it.each(["0", "-0.5", "0.1", "1e21", "9007199254740992", "1.7976931348623157e308", "5e-324", "-123.456"])("keeps %s", (text) => {
    const value = Decimal.from(text);
    expect(Decimal.fromNumber(toNumber(value)).equals(value)).toBe(true);
    expect(toNumber(value)).toBe(Number(text));
  });

  it.each(["0.1000000000000000055511151231257827", "9007199254740993", "1e309", "-1e400", "1e-400", "0.12345678901234567890"])(
    "fails for %s, of which digits would be lost",
    (text) => {
      expect(() => toNumber(Decimal.from(text))).toThrow(limit);
    },
  );

  it("keeps every JavaScript number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        // There is one zero among decimals.
        expect(toNumber(Decimal.fromNumber(number))).toBe(number + 0);
      }),
    );
  });
});
