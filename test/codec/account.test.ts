/**
 * The books of the quick way. Texts in which something that `JSON.parse` loses is as long as something that it shortens
 * would pass, if the books were wrong.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Codec } from "../../src/codec/codec.ts";
import { contextOf, decodeExactly, decodeQuickly, FAILED } from "../../src/codec/decode.ts";
import { fewValues, HAZARD, mayNestDeeply, scan } from "../../src/codec/scan.ts";
import { asFlowError, isFlowError, Refusal } from "../../src/json/errors.ts";
import { resolveLimits } from "../../src/json/limits.ts";
import { codecOf, refusedText } from "../support/codecs.ts";
import { list, named, option, record } from "../types/build.ts";

const LIMITS = resolveLimits();
const raw = codecOf("json.Value");
const lists = codecOf(list("Decimal"));
const typed = codecOf(named("r"), { r: record("R", { a: "Int", b: option("Decimal"), c: option("Text") }) });

/** Whether the quick way takes a text, which it may only where the exact way finds the same. */
function quick(codec: Codec, text: string): boolean {
  const value = decodeQuickly(codec["type"], text, text, contextOf("lenient", "all"), LIMITS);
  if (value === FAILED) return false;
  expect(codec.encode(value)).toBe(codec.encode(decodeExactly(codec["type"].node, text, contextOf("lenient", "all"), LIMITS)));
  return true;
}

describe("the books", () => {
  it.each([
    // An exponent saves as much as the second member takes.
    '[1e9,{"a":1,"a":2},[]]',
    '{"a":1000000,"b":1e9,"b":1}',
    '{"a":1e6,"a":1}',
    '{"x":1e9,"a":1,"":0}',
    '{"a":1e9,"c":"x","c":"y"}',
    // Digits that are lost, and whatever else is as long.
    "[1e3,0.12345678901234567]",
    "[9007199254740993]",
    "[1e17,0.10000000000000000555]",
    "[1e-9,1.0000000000000000001]",
    "[0.001,9999999999999999]",
    "[1e-3,1000000000000000.1]",
  ])("do not come out for %s where something is lost", (text) => {
    for (const codec of [raw, lists, typed]) {
      const exact = outcome(codec, text);
      if (quick(codec, text)) expect(exact).toMatch(/^value/);
      expect(outcomeOf(() => codec.encode(codec.decode(text)))).toBe(exact);
    }
  });

  it("come out for texts without white space, and for others after a closer look", () => {
    for (const text of [
      "[1000,0.001,-0.5,0,12.5]",
      '{"a":101000,"b":0.01}',
      '["\\n\\u00e9\\ud83d\\ude00","é","1e3"]',
      '["\\n\\u00e9","é\u{1f600}"]',
      '[ 1 , "a" ]',
      "[1.50,-0]",
      '{"a":{"b":[]},"":[{}]}',
    ]) {
      expect(quick(raw, text)).toBe(true);
    }
    // Exponents among many letters, among few, and in strings.
    for (const letters of ["e", "x"]) {
      const filler = JSON.stringify(letters.repeat(600));
      expect(quick(raw, `[1000,${filler},[1]]`)).toBe(true);
      expect(quick(raw, `[1000,${filler},"3e7",[1]]`)).toBe(true);
      for (const number of ["1e3", "1E3"]) expect(quick(raw, `[1000,${filler},${number}]`)).toBe(false);
    }
    // What has exponents or many digits is for the exact way.
    for (const text of ["[1e3]", "[1.0e0]", "[12345678901234567]", '["\ud83d\\ude00"]', '["\u{1f600}\\ud83d\\ude00"]'])
      expect(quick(raw, text)).toBe(false);
  });

  it("hold for numbers of every spelling beside members that are twice", () => {
    const spellings = fc.constantFrom(
      "0",
      "-0",
      "0.0",
      "1000",
      "1e3",
      "1E3",
      "10e2",
      "0.001",
      "1e-3",
      "0.1e-2",
      "100000000000000",
      "1e14",
      "12e-3",
      "0.012",
      "5e-1",
      "9e15",
      "0.10000000000000001",
    );
    const member = fc.tuple(fc.constantFrom("", "a", "b"), spellings).map(([name, number]) => `"${name}":${number}`);
    const object = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(",")}}`);
    let taken = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(spellings, object, fc.constant('""')), { maxLength: 6 }), (items) => {
        const text = `[${items.join(",")}]`;
        if (quick(raw, text)) taken++;
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });
});

describe("the scan", () => {
  it("counts members and finds hazards, in strings of any kind", () => {
    expect(scan('{"a:,{":1,"b":[{"c\\"":2}]}', LIMITS)).toBe(3);
    expect(scan("[1,2]", LIMITS)).toBe(0);
    for (const text of ["1e5", "[1E5]", "1234567890123456", "0.12345678901234", "[".repeat(128)]) expect(scan(text, LIMITS)).toBe(HAZARD);
    expect(scan('"1e5 1234567890123456 [[["', LIMITS)).toBe(0);
    expect(scan("[1,2]", resolveLimits({ values: 2 }))).toBe(HAZARD);
    expect(scan("[1,2]", resolveLimits({ members: 2 }))).toBe(HAZARD);
    expect(scan("[[1]]", resolveLimits({ depth: 3 }))).toBe(0);
    expect(scan("[[1]]", resolveLimits({ depth: 2 }))).toBe(HAZARD);
    expect(scan("[123]", resolveLimits({ digits: 2 }))).toBe(HAZARD);
  });

  it("sees the same in pieces, however the text is cut", () => {
    // Texts longer than a piece, with something special at each place where one may end.
    for (let shift = 0; shift < 12; shift++) {
      const filler = "x".repeat(16_384 - 12 + shift);
      for (const middle of ['\\"', "\\\\", "\u{1f600}", "é", '","a":"']) {
        const text = `[{"k":"${filler}${middle}"},{"k":1}]`;
        expect(scan(text, LIMITS)).toBe(scan(new TextEncoder().encode(text), LIMITS));
        expect(scan(text, LIMITS)).toBe(middle === '","a":"' ? 3 : 2);
      }
      const digits = `[${" ".repeat(16_384 - 12 + shift)}1234567890123456]`;
      expect(scan(digits, LIMITS)).toBe(HAZARD);
      expect(scan(digits.replace("6]", "]"), LIMITS)).toBe(0);
    }
  });

  it("counts at most as many values as there can be", () => {
    for (const text of ["1", "[]", "[1,2,3]", '{"a":1,"b":[2]}', '[",,,,"]']) {
      expect(fewValues(text, 20)).toBe(true);
      expect(fewValues(new TextEncoder().encode(text), 20)).toBe(true);
    }
    for (const text of [`["${"x".repeat(400)}","${"y".repeat(400)}"]`, `[{"a":["${"é".repeat(300)}"]}]`]) {
      for (const source of [text, new TextEncoder().encode(text)]) {
        const most = (text.match(/[,[{]/g) ?? []).length + 1;
        expect([fewValues(source, most), fewValues(source, most - 1)]).toEqual([true, false]);
      }
    }
    expect(fewValues("[1,2,3]", 4)).toBe(true);
    expect(fewValues("[1,2,3]", 3)).toBe(false);
    expect(fewValues(new TextEncoder().encode("[1,2,3]"), 3)).toBe(false);
  });

  it("stands in front of texts with too many values to be built", () => {
    const limits = { values: 10, members: 10 };
    const codec = codecOf(list("Int"));
    expect(codec.decode(`[1,2,3,4,5,6,7,8,9]${" ".repeat(20)}`, { limits })).toHaveLength(9);
    expect(refusedText(codec, "[1,2,3,4,5,6,7,8,9,10]", { limits })).toBe("limit /9");
    const texts = codecOf(list("Text"));
    expect(texts.decode(`["${",".repeat(40)}"]`, { limits })).toEqual([",".repeat(40)]);
  });
});

function outcome(codec: Codec, text: string): string {
  return outcomeOf(() => codec.encode(decodeExactly(codec["type"].node, text, contextOf("lenient", "none"), LIMITS)));
}

function outcomeOf(work: () => string): string {
  try {
    return `value ${work()}`;
  } catch (caught) {
    const error = caught instanceof Refusal ? asFlowError(caught) : caught;
    if (!isFlowError(error)) throw caught;
    return `${error.code} ${String(error.at)}`;
  }
}

describe("long texts that may nest deeply", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  it("are those of many opening brackets", () => {
    for (const opening of ["[", '{"a":', '[1,{"b":[']) {
      const text = opening.repeat(300_000 / opening.length);
      expect([mayNestDeeply(text), mayNestDeeply(bytes(text))], opening).toEqual([true, true]);
    }
    const wide = `${"é".repeat(10_000)}${"[".repeat(300_000)}`;
    expect([mayNestDeeply(wide), mayNestDeeply(bytes(wide))]).toEqual([true, true]);
  });

  it("are none that are short, or hold a tenth as many", () => {
    for (const text of ["[".repeat(200_000), `[${"1,".repeat(200_000)}1]`, `{"a": 12345678901234}`.repeat(20_000), "x".repeat(300_000)]) {
      expect([mayNestDeeply(text), mayNestDeeply(bytes(text))]).toEqual([false, false]);
    }
  });
});
