/**
 * The books of the quick way. Texts in which something that `JSON.parse` loses is as long as something that it shortens
 * would pass, if the books were wrong.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Account, GIVE_UP } from "../../src/codec/account.ts";
import type { Codec } from "../../src/codec/codec.ts";
import { contextOf, decodeExactly, decodeQuickly, FAILED } from "../../src/codec/decode.ts";
import { fewValues, HAZARD, mayNestDeeply, scan } from "../../src/codec/scan.ts";
import type { Decimal } from "../../src/json/decimal.ts";
import { asFlowError, isFlowError, Refusal } from "../../src/json/errors.ts";
import { type Limits, resolveLimits } from "../../src/json/limits.ts";
import { isWellFormed } from "../../src/json/text.ts";
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

/** Books of what `JSON.parse` makes of a text. */
function booked(text: string, limits: Partial<Limits> = {}): Account {
  const account = Account.open(contextOf("lenient", "all"), text, resolveLimits(limits));
  if (account === undefined) throw new Error("no books");
  const visit = (value: unknown): void => {
    if (typeof value === "string") account.string(value);
    else if (Number.isInteger(value)) account.integer(value as number);
    else if (typeof value === "number") account.decimal(decimalOf(value));
    else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      if (Array.isArray(value)) account.array(value.length);
      else account.object(entries.length);
      account.enter();
      for (const [name, item] of entries) {
        if (!Array.isArray(value)) account.name(name);
        visit(item);
      }
      account.leave();
    } else account.length += String(value).length;
  };
  visit(JSON.parse(text));
  return account;
}

function decimalOf(value: number): Decimal {
  const [whole, fraction = ""] = String(value).split(".");
  return { units: Number(`${whole}${fraction}`), scale: fraction.length } as Decimal;
}

function givesUp(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (caught) {
    expect(caught).toBe(GIVE_UP);
    return true;
  }
}

describe("what is booked", () => {
  it.each([
    ..."0 7 -7 10 -10 99 100 999999999999999 -999999999999999 2147483647 2147483648 0.5 -0.5 12.5 -12.5 0.01 -0.01 0.012 1.001".split(" "),
    ...["[]", "[1]", "[1,2,3]", "{}", '{"a":1}', '{"a":1,"":[{}]}', '""', '"ab"', "true", "null", '[["a"],{"bc":-0.25}]'],
  ])("is the length of %s, to the unit", (text) => {
    const account = booked(text);
    expect(account.length).toBe(text.length);
    expect([account.covers(text), account.covers(`${text} `), account.covers(text.slice(1))]).toEqual([true, false, false]);
  });

  it("is the length of every text without white space and exponents, escapes counted from the text", () => {
    const numbers = fc.oneof(
      fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
      fc.integer().map((value) => value / 1_000),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, numbers, fc.string({ unit: "binary" }), fc.boolean(), tie("list"), tie("record")),
      list: fc.array(tie("value")),
      record: fc.dictionary(fc.string(), tie("value")),
    }));
    fc.assert(
      fc.property(value, (made) => {
        const text = JSON.stringify(made);
        // Halves of pairs are written as escapes; beside whole pairs there are no books then.
        fc.pre(Account.open(contextOf("lenient", "all"), text, LIMITS) !== undefined && isWellFormed(text) && !/\\ud/.test(text));
        // A string may look like an exponent, which is a reason to look again.
        const looksAgain = /[0-9][eE][-+0-9]/.test(text);
        expect(booked(text).covers(text) || looksAgain, text).toBe(true);
        expect(booked(text).covers(`${text} `)).toBe(false);
      }),
    );
  });

  it("takes one more unit for each escape, and five for those of a number", () => {
    for (const text of ['"\\n"', '"\\\\"', '"\\\\\\""', '"\\u00e9"', '"a\\u0041\\/\\u0042b"', '{"\\t":"\\\\u0041"}']) {
      expect([booked(text).covers(text), booked(text).covers(`${text} `)], text).toEqual([true, false]);
    }
  });

  it("is no proof where an exponent may have made a number shorter", () => {
    const covers = (value: string, text: string) => {
      expect(text.length).toBe(value.length);
      return booked(value).covers(text);
    };
    for (const [value, text] of [
      ["[1000]", "[1e03]"],
      ["[1000]", "[1E03]"],
      ["[-1000]", "[-1e03]"],
      ["[2147484000]", "[2147484e03]"],
      ["[2147483000]", "[2147483e03]"],
      ["[0.001]", "[10e-4]"],
      ["[0.0012]", "[120e-5]"],
      ["[-0.001]", "[-10e-4]"],
    ] as const) {
      expect(covers(value, value), value).toBe(true);
      expect(covers(value, text.padEnd(value.length)), text).toBe(false);
    }
    // In a string it is looked at again only where there is such a number.
    expect(booked('["3e7",1000]').covers('["3e7",1000]')).toBe(false);
    for (const number of ["999", "1001", "-1001", "2147483001", "2147484001", "0.01", "0.012", "0.123"]) {
      expect(booked(`["3e7",${number}]`).covers(`["3e7",${number}]`), number).toBe(true);
    }
    for (const letters of ["e", "x", "E", "e x "]) {
      const filler = JSON.stringify(letters.repeat(600));
      expect(booked(`[1000,${filler}]`).covers(`[1000,${filler}]`), letters).toBe(true);
      expect(booked(`[1000,${filler},"3e7"]`).covers(`[1000,${filler},"3e7"]`), letters).toBe(false);
      expect(booked(`[1000,${filler},"3E+"]`).covers(`[1000,${filler},"3E+"]`), letters).toBe(false);
    }
  });

  it("counts members, and how deep they are", () => {
    expect([booked("[1,2]").members, booked('{"a":{"b":1},"c":[{}]}').members]).toEqual([0, 3]);
    expect(givesUp(() => booked("[[[1]],[[2]]]", { depth: 4 }))).toBe(false);
    expect(givesUp(() => booked("[[[1]]]", { depth: 3 }))).toBe(true);
  });

  it("holds no number of more than 15 digits", () => {
    for (const text of ["1000000000000000", "-1000000000000000", "9007199254740991"])
      expect(
        givesUp(() => booked(text)),
        text,
      ).toBe(true);
  });

  it("holds no string that may be too long, and no half of a pair", () => {
    // Every unit may take three bytes.
    const limits = { string: 9 };
    for (const text of ['["abc"]', '{"abc":1}', '"éèê"'])
      expect(
        givesUp(() => booked(text, limits)),
        text,
      ).toBe(false);
    for (const text of ['"abcd"', '{"abcd":1}'])
      expect(
        givesUp(() => booked(text, limits)),
        text,
      ).toBe(true);
    for (const text of ['"\u{1f600}"', '"\\ud83d\\ude00"', '"\\uD83D\\uDE00"', '"\\u00e9\\ud7ff"', '"\u{1f600}\\u00e9\\ud7ff"'])
      expect(
        givesUp(() => booked(text)),
        text,
      ).toBe(false);
    for (const text of ['"\ud83d"', '"\\ud83d"', '"\\uDE00"', '{"\\udfff":1}', '{"\ud800":1}'])
      expect(
        givesUp(() => booked(text)),
        text,
      ).toBe(true);
    for (const text of ['"\u{1f600}\\ude00"', '"\ud83d\\uDE00"'])
      expect(Account.open(contextOf("lenient", "all"), text, LIMITS), text).toBeUndefined();
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
