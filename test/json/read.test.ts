import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { FlowError } from "../../src/json/errors.ts";
import { parseJson } from "../../src/json/read.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { spelled } from "../support/spellings.ts";
import { randomFrom } from "../types/random.ts";

/** Code, pointer and offset of a refusal. */
function refusal(source: string | Uint8Array, limits = {}): string {
  try {
    parseJson(source, limits);
  } catch (caught) {
    if (caught instanceof FlowError) return `${caught.code} ${String(caught.at)} @${caught.offset}`;
    throw caught;
  }
  return "none";
}

describe("parseJson", () => {
  it("gives exact values: whole numbers are bigint however they are spelled, others Decimal (R7)", () => {
    expect(parseJson("[3, 3.0, 3e2, 30e-1, -0, 0e99999999999999999999, 9007199254740993]")).toEqual([
      3n,
      3n,
      300n,
      3n,
      0n,
      0n,
      9007199254740993n,
    ]);
    expect(parseJson("0.1000000000000000055")).toEqual(Decimal.from("0.1000000000000000055"));
    expect(parseJson("1.50")).toEqual(Decimal.from("1.5"));
  });

  it("gives objects without a prototype, on which every name is just a name", () => {
    const object = parseJson('{"__proto__": {"a": 1}, "constructor": 2, "toJSON": 3}') as Record<string, JsonValue>;
    expect(Object.getPrototypeOf(object)).toBeNull();
    expect(Object.keys(object)).toEqual(["__proto__", "constructor", "toJSON"]);
    expect(object["a"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });

  it.each([
    ["", "syntax  @0"],
    [" ", "syntax  @1"],
    ["\ufeff1", "syntax  @0"],
    ["01", "syntax  @1"],
    ["+1", "syntax  @0"],
    ["1.", "syntax  @0"],
    [".5", "syntax  @0"],
    ["1e", "syntax  @0"],
    ["-", "syntax  @0"],
    ["NaN", "syntax  @0"],
    ["tru", "syntax  @0"],
    ["truex", "syntax  @4"],
    ["[1,]", "syntax  @3"],
    ["[1 2]", "syntax  @3"],
    ['{"a":1,}', "syntax  @7"],
    ['{"a" 1}', "syntax  @5"],
    ["{a:1}", "syntax  @1"],
    ['"a', "syntax  @2"],
    ['"\u0000"', "syntax  @1"],
    ['"\\x"', "syntax  @1"],
    ['"\\u12g4"', "syntax  @5"],
    ["[1]]", "syntax  @3"],
    ["\u00a01", "syntax  @0"],
    ["// 1", "syntax  @0"],
  ])("refuses %j as no JSON", (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it("names the place of what is twice, deep inside too (R6)", () => {
    expect(refusal('{"a":[{"x":1,"x":1}]}')).toBe("duplicate-member /a/0/x @13");
    expect(refusal('{"a":1,"\\u0061":1}')).toBe("duplicate-member /a @7");
    expect(refusal('{"__proto__":1,"__proto__":1}')).toBe("duplicate-member /__proto__ @15");
    expect(refusal('{"a/b~c":{"":1,"":2}}')).toBe("duplicate-member /a~1b~0c/ @15");
  });

  it("refuses lone surrogates, literal and escaped, and takes pairs of either kind but not mixed ones (R6)", () => {
    expect(parseJson('"\\ud83d\\ude00"')).toBe("\u{1f600}");
    expect(parseJson('"\u{1f600}"')).toBe("\u{1f600}");
    for (const text of [
      '"\ud83d"',
      '"\\ud83d"',
      '"\ude00"',
      '"\\ude00"',
      '"\ud83d\\ude00"',
      '"\\ud83d\ude00"',
      '"\\ud83dx"',
      '"\\ud83d\\ud83d\\ude00"',
    ]) {
      expect(refusal(`[${text}]`)).toMatch(/^lone-surrogate \/0 /);
    }
    expect(refusal('{"\\ud83d":1}')).toMatch(/^lone-surrogate {2}/);
  });

  it("takes each surrogate up to the ends of its range, escaped and literal", () => {
    const escaped = (...units: number[]) => units.map((unit) => `\\u${unit.toString(16)}`).join("");
    const literal = (...units: number[]) => String.fromCharCode(...units);
    for (const write of [escaped, literal]) {
      for (const unit of [0xd7ff, 0xe000]) expect(parseJson(`"${write(unit)}"`)).toBe(literal(unit));
      for (const high of [0xd800, 0xdbff]) {
        for (const low of [0xdc00, 0xdfff]) expect(parseJson(`"${write(high, low)}"`)).toBe(literal(high, low));
        for (const other of [0xdbff, 0xe000]) expect(refusal(`"a${write(high, other)}"`)).toBe("lone-surrogate  @2");
      }
      for (const low of [0xdc00, 0xdfff]) {
        expect(refusal(`"${write(low)}"`)).toBe("lone-surrogate  @1");
        expect(refusal(`"${write(low, 0xdc00)}"`)).toBe("lone-surrogate  @1");
      }
    }
    // Behind the first half something else than an escape, and another escape than one of a unit.
    expect(refusal('"\\ud83dxude00"')).toBe("lone-surrogate  @1");
    expect(refusal('"\\ud83d\\nde00"')).toBe("lone-surrogate  @1");
  });

  it("knows each escape, and digits of either case", () => {
    expect(parseJson('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u00E9\\u09AF\\u09af"')).toBe('"\\/\b\f\n\r\t\u00e9\u00e9\u09af\u09af');
    for (const digit of ["/", ":", "@", "G", "`", "g", " "]) expect(refusal(`"\\u000${digit}"`)).toBe("syntax  @6");
  });

  it("shows what it met: a character, its number where nobody would see it, the end", () => {
    const sentence = (text: string) => {
      try {
        parseJson(text);
      } catch (caught) {
        return (caught as FlowError).message;
      }
      return "none";
    };
    expect(sentence("x")).toMatch(/met "x"$/);
    expect(sentence("!")).toMatch(/met "!"$/);
    expect(sentence("~")).toMatch(/met "~"$/);
    expect(sentence("[1, ]")).toMatch(/met "\]"$/);
    expect(sentence("1\u0000")).toMatch(/met U\+0000$/);
    expect(sentence("\u007f")).toMatch(/met U\+007F$/);
    expect(sentence("\u{1f600}")).toMatch(/met U\+1F600$/);
    expect(sentence("[")).toMatch(/met the end of the text$/);
    expect(sentence('{"a":1,"a":2}')).toMatch(/"a" again$/);
    expect(sentence(`{"${"a".repeat(40)}":1,"${"a".repeat(40)}":2}`)).toContain(`"${"a".repeat(40)}" again`);
    expect(sentence(`{"${"a".repeat(41)}":1,"${"a".repeat(41)}":2}`)).toContain(`"${"a".repeat(32)}\u2026" (41 characters) again`);
  });

  it("reads bytes, and only UTF-8", () => {
    expect(parseJson(new TextEncoder().encode('"é\u{10000}"'))).toBe("é\u{10000}");
    expect(refusal(Uint8Array.of(0x22, 0xff, 0x22))).toBe("syntax  @undefined");
    expect(refusal(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toBe("syntax  @undefined");
    expect(refusal(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe("syntax  @0");
  });

  it("counts offsets in bytes where bytes were read", () => {
    const text = '["é\u{10000}",1,}';
    expect(refusal(text)).toBe("syntax  @9");
    expect(refusal(new TextEncoder().encode(text))).toBe("syntax  @12");
  });

  it("judges numbers by value, without writing them out (R13)", () => {
    expect(refusal("1e4096")).toBe("limit  @0");
    expect(refusal("1e-4096")).toBe("limit  @0");
    expect(refusal(`[1e999999999, 1]`)).toBe("limit /0 @1");
    expect(refusal(`-1e${"9".repeat(40)}`)).toBe("limit  @0");
    expect(refusal(`1e-${"9".repeat(40)}`)).toBe("limit  @0");
    expect(parseJson("1e4095")).toBe(10n ** 4095n);
    expect(parseJson("1e-4095")).toEqual(Decimal.from("1e-4095"));
    expect(parseJson(`1.${"0".repeat(5000)}`)).toBe(1n);
    expect(parseJson(`0.${"0".repeat(5000)}1e5001`)).toBe(1n);
    expect(parseJson("120e-1", { digits: 2 })).toBe(12n);
    expect(refusal("0.12", { digits: 2 })).toBe("limit  @0");
  });

  it("holds every limit, inclusive (R13)", () => {
    const limits = { bytes: 20, depth: 2, values: 4, members: 3, string: 3, digits: 3 };
    expect(parseJson("[1,2,3]", limits)).toEqual([1n, 2n, 3n]);
    expect(refusal("[[1]]", limits)).toBe("limit /0/0 @2");
    expect(parseJson('{"a":{}}', limits)).toEqual({ a: {} });
    expect(refusal('{"a":{"b":1}}', limits)).toBe("limit /a/b @10");
    expect(parseJson(new TextEncoder().encode(`${" ".repeat(19)}1`), limits)).toBe(1n);
    expect(refusal("[1,2,3,4]", { values: 4 })).toBe("limit /3 @7");
    expect(refusal("[1,2,3,4]", { members: 3 })).toBe("limit  @7");
    expect(refusal('{"a":1,"b":2}', { members: 1 })).toBe("limit  @7");
    expect(refusal('["abcd"]', limits)).toBe("limit /0 @1");
    expect(parseJson('["é1"]', limits)).toEqual(["é1"]);
    expect(refusal('["éé"]', limits)).toBe("limit /0 @1");
    expect(refusal('{"abcd":1}', limits)).toBe("limit  @1");
    expect(refusal("[1234]", limits)).toBe("limit /0 @1");
    expect(refusal(`${" ".repeat(20)}1`, limits)).toBe("limit  @undefined");
    expect(refusal(new Uint8Array(21), limits)).toBe("limit  @undefined");
    expect(refusal('"ééééééééé"', { bytes: 19 })).toBe("limit  @undefined");
  });
});

describe("plain JSON against JSON.parse", () => {
  it("reads what it reads, wherever both must agree", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.nat(), (text, seed) => {
        const native: unknown = JSON.parse(text);
        const exact = parseJson(text);
        expect(approximate(exact)).toEqual(native);
        const other = spelled(randomFrom(seed), exact);
        expect(approximate(parseJson(other))).toEqual(JSON.parse(other));
      }),
      { numRuns: 1_000 },
    );
  });

  it("refuses what it refuses", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom(...'{}[],:"\\0e.-+ x\u0001\u{1f600}'), (text, at, character) => {
        const damaged = text.slice(0, at % (text.length + 1)) + character + text.slice((at + 1) % (text.length + 1));
        let native = true;
        try {
          JSON.parse(damaged);
        } catch {
          native = false;
        }
        const found = refusal(damaged);
        // Only what the text itself cannot tell may differ: names twice, lone surrogates, limits.
        if (native) expect(found).not.toMatch(/^syntax/);
        else expect(found).not.toBe("none");
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Exact JSON as `JSON.parse` would have given it. */
function approximate(json: JsonValue): unknown {
  if (typeof json === "bigint") return Number(json);
  if (json instanceof Decimal) return json.toApproximateNumber();
  if (Array.isArray(json)) return json.map(approximate);
  if (typeof json !== "object" || json === null) return json;
  const object: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(json)) {
    Object.defineProperty(object, name, { value: approximate(value), enumerable: true, configurable: true, writable: true });
  }
  return object;
}
