import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { FlowError, isFlowError } from "../../src/json/errors.ts";

const D = Decimal.from;

/** Plain and exponent spellings of decimals of up to 40 digits. */
const numbers = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: -45, max: 25 }))
  .map(([negative, digits, exponent]) => `${negative ? "-" : ""}${digits}e${exponent}`);

/** A reference: coefficient and scale, brought to lowest terms digit by digit. */
function reference(text: string): string {
  const [digits, exponent] = text.split("e") as [string, string];
  let coefficient = BigInt(digits);
  let scale = -Number(exponent);
  for (; scale < 0; scale++) coefficient *= 10n;
  for (; scale > 0 && coefficient % 10n === 0n; scale--) coefficient /= 10n;
  return `${coefficient}/10^${coefficient === 0n ? 0 : scale}`;
}

const shown = (decimal: Decimal) => `${decimal.coefficient}/10^${decimal.scale}`;

describe("Decimal.from", () => {
  it("keeps every digit and no zero too many: one value, one representation", () => {
    fc.assert(
      fc.property(numbers, (text) => {
        expect(shown(D(text))).toBe(reference(text));
      }),
      { numRuns: 1_000 },
    );
    expect(D("-0.0")).toEqual(D("0"));
    expect(D("100")).toEqual(D(100n));
    expect(D("9007199254740993.0")).toEqual(D(9007199254740993n));
    expect(D("900719925474099.30")).toEqual(D("9007199254740993e-1"));
  });

  it("gives back its canonical text", () => {
    fc.assert(
      fc.property(numbers, (text) => {
        const decimal = D(text);
        expect(D(decimal.toString())).toEqual(decimal);
        expect(decimal.toString()).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(decimal.toJSON()).toBe(decimal.toString());
        expect(decimal.digits).toBe(decimal.toString().replace(/[-.]/g, "").length);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(["", " 1", "1 ", "1.", ".5", "+1", "01", "0x1", "1e", "NaN", "Infinity", "1,5", "1_000"])("refuses %j", (text) => {
    expect(() => D(text)).toThrow(expect.objectContaining({ code: "syntax" }));
  });

  it("refuses what no JavaScript caller may hand it", () => {
    for (const value of [1.5, null, undefined, {}]) expect(() => D(value as unknown as string)).toThrow(FlowError);
  });

  it("holds at most 4,096 digits (R13)", () => {
    expect(D("1e4095").digits).toBe(4096);
    for (const text of ["1e4096", "1e-4096", "1e99999999999999999999"])
      expect(() => D(text)).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => D(10n ** 4096n)).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => D("1e4095").plus(D("9e4095"))).toThrow(expect.objectContaining({ code: "limit" }));
    expect(() => D("1e2048").times(D("1e2048"))).toThrow(expect.objectContaining({ code: "limit" }));
  });
});

describe("Decimal.fromNumber", () => {
  it("is the shortest text that reads back", () => {
    for (const [number, text] of [
      [0.1, "0.1"],
      [0.1 + 0.2, "0.30000000000000004"],
      [1e21, "1000000000000000000000"],
      [1e-7, "0.0000001"],
      [5e-324, `0.${"0".repeat(323)}5`],
      [-0, "0"],
      [2 ** 53, "9007199254740992"],
      [123456.789, "123456.789"],
    ] as const) {
      expect(Decimal.fromNumber(number).toString()).toBe(text);
    }
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(Decimal.fromNumber(number)).toEqual(D(String(number)));
        expect(Decimal.fromNumber(number).toApproximateNumber()).toBe(number === 0 ? 0 : number);
      }),
      { numRuns: 1_000 },
    );
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => Decimal.fromNumber(number)).toThrow(expect.objectContaining({ code: "kind" }));
  });

  it("finds every decimal of at most 15 digits from its binary64 number, whatever came before", () => {
    const short = fc.tuple(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer({ min: 0, max: 15 }),
      fc.integer({ min: 0, max: 15 }),
    );
    fc.assert(
      fc.property(short, ([units, scale, shift]) => {
        const exact = D(`${Math.trunc(units / 10 ** shift)}e-${scale}`);
        expect(Decimal.fromParsed(exact.toApproximateNumber())).toEqual(exact);
      }),
      { numRuns: 3_000 },
    );
  });

  it("never guesses: what is no decimal of at most 15 digits and 15 places is none", () => {
    for (const text of ["0.1234567890123456", "9007199254740993", "1e-16", "1e300", "0.30000000000000004"]) {
      const found = Decimal.fromParsed(Number(text));
      if (found !== undefined) expect(found).toEqual(D(text));
    }
    expect(Decimal.fromParsed(Number.NaN)).toBeUndefined();
  });
});

describe("arithmetic", () => {
  it("is exact", () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const [x, y] = [D(a), D(b)];
        expect(x.plus(y).minus(y)).toEqual(x);
        expect(x.plus(y)).toEqual(y.plus(x));
        expect(x.minus(y)).toEqual(y.minus(x).negated());
        const product = x.times(y);
        expect(`${product.coefficient}e-${product.scale}`).toBe(
          `${x.coefficient * y.coefficient === 0n ? 0n : product.coefficient}e-${product.scale}`,
        );
        if (!y.isZero) expect(product.dividedBy(y, 90)).toEqual(x);
        expect(x.compare(y)).toBe(0 - y.compare(x) || 0);
        expect(Math.sign(x.compare(y))).toBe(x.minus(y).sign);
        expect(x.equals(y)).toBe(x.compare(y) === 0);
        expect(x.abs().sign).toBe(Math.abs(x.sign));
      }),
      { numRuns: 1_000 },
    );
    // The default precision of the library that divides would have lost these.
    expect(D("12345678901234567890.12").plus(D("0.01")).toString()).toBe("12345678901234567890.13");
    expect(D("99999999999999999999.99").times(D("3")).toString()).toBe("299999999999999999999.97");
  });

  it("compares neighbours that one binary64 number stands for", () => {
    expect(D("0.1").compare(D("0.10000000000000001"))).toBeLessThan(0);
    expect(D("9007199254740993e-1").compare(D("9007199254740992e-1"))).toBeGreaterThan(0);
    expect(D("3e-20").compare(D("3"))).toBeLessThan(0);
    expect(D("900719925474099.3").compare(D("900719925474099.29"))).toBeGreaterThan(0);
  });

  it("orders and equates numbers of one scale and of several, of any size", () => {
    const ascending = [
      "-1e30",
      "-2.5",
      "-2.49",
      "-1e-30",
      "0",
      "1e-30",
      "0.1",
      "0.2",
      "1",
      "1.5",
      "2",
      "10.25",
      "1e30",
      "1000000000000000000000000000000.5",
    ];
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect(Math.sign(D(a).compare(D(b)))).toBe(Math.sign(i - j));
        expect(D(a).equals(D(b))).toBe(i === j);
      }
      expect(D(a).sign).toBe(Math.sign(i - 4));
      expect(D(a).isZero).toBe(i === 4);
    }
    expect(D("0").negated()).toEqual(D("0"));
    expect(D("0").abs()).toEqual(D("0"));
    expect(Object.is(D("0").negated().toApproximateNumber(), 0)).toBe(true);
    // Their quotients are one and the same binary64 number.
    expect(D("9007199254740959e-17").compare(D("900719925474096e-16"))).toBeLessThan(0);
  });

  it("takes results of 4,096 digits, and none of more (R13)", () => {
    expect(D("1e4095").plus(D("1")).digits).toBe(4_096);
    expect(D("1e2047").times(D("1e2048")).digits).toBe(4_096);
    expect(D("1").dividedBy(D("8"), 4_096).toString()).toBe("0.125");
    expect(D("1.5").round(4_096)).toEqual(D("1.5"));
  });

  it("divides and rounds to what is asked for", () => {
    expect(D("1").dividedBy(D("3"), 5).toString()).toBe("0.33333");
    expect(D("2").dividedBy(D("3"), 5).toString()).toBe("0.66667");
    expect(D("2").dividedBy(D("3"), 5, "down").toString()).toBe("0.66666");
    expect(
      ["half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"].map((mode) =>
        D("-2.5")
          .round(0, mode as "up")
          .toString(),
      ),
    ).toEqual(["-2", "-3", "-2", "-3", "-2", "-2", "-3"]);
    expect(D("2.345").round(2).toString()).toBe("2.34");
    expect(D("2.345").round(5).toString()).toBe("2.345");
    expect(() => D("1").dividedBy(D("0"), 5)).toThrow(expect.objectContaining({ code: "usage" }));
    for (const digits of [0, -1, 1.5, 4097])
      expect(() => D("1").dividedBy(D("3"), digits)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => D("1").round(-1)).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("does not let itself be mistaken for a number", () => {
    expect(() => (D("1") as unknown as number) < (D("2") as unknown as number)).toThrow(TypeError);
    expect(JSON.stringify({ price: D("1.50") })).toBe('{"price":"1.5"}');
    expect(D("1.5").toDecimalJs().toFixed()).toBe("1.5");
    try {
      D("x");
    } catch (caught) {
      expect(isFlowError(caught)).toBe(true);
    }
  });
});
