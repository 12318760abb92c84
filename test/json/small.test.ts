/** The small rooms of exact JSON: errors, limits, numbers, pointers, text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonFromPlain } from "../../src/json/admit.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { asFlowError, DocumentRefusal, FlowError, isFlowError, quoted, Refusal } from "../../src/json/errors.ts";
import { DEFAULT_LIMITS, documentTooLarge, type Limits, resolveLimits, tooMany } from "../../src/json/limits.ts";
import { bigintOf, exceedsDigits, numberParts, plainDigits } from "../../src/json/number.ts";
import { isPlainObject, isPolluted } from "../../src/json/plain.ts";
import { childPointer, escapeSegment, splitPointer } from "../../src/json/pointer.ts";
import { compareCodePoints, decodeUtf8, exceedsUtf8, hasWideUnits, isWellFormed, loneSurrogate, utf8Length } from "../../src/json/text.ts";
import { describeJson, isJsonObject, jsonObject } from "../../src/json/value.ts";

/** Strings with many units at the edges: ASCII, two and three bytes, surrogates whole and halved. */
const units = fc
  .array(
    fc.constantFrom(
      "a",
      "\u007f",
      "\u0080",
      "\u07ff",
      "\u0800",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
      "\ud800",
      "\udfff",
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("text", () => {
  it("compares by code points", () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [x, y] = [Array.from(a, (c) => c.codePointAt(0) as number), Array.from(b, (c) => c.codePointAt(0) as number)];
        const at = x.findIndex((point, i) => point !== y[i]);
        const expected = at < 0 ? x.length - y.length : at >= y.length ? 1 : (x[at] as number) - (y[at] as number);
        // Halves of a pair stand side by side only in strings that are refused elsewhere.
        if (isWellFormed(a) && isWellFormed(b)) expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(expected));
        expect(Math.sign(compareCodePoints(a, b))).toBe(0 - Math.sign(compareCodePoints(b, a)) || 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it("counts UTF-8 bytes, of short and of long strings", () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 40 }), (text, limit) => {
        if (!isWellFormed(text)) return;
        const { length } = new TextEncoder().encode(text);
        expect(utf8Length(text)).toBe(length);
        expect(exceedsUtf8(text, limit)).toBe(length > limit);
      }),
    );
    for (const text of ["a", "é", "\uffff", "\u{1f600}"]) {
      for (const count of [8191, 8192, 16_384, 16_385, 40_000]) {
        const long = `x${text.repeat(count)}`;
        expect(utf8Length(long)).toBe(new TextEncoder().encode(long).length);
      }
    }
    expect(exceedsUtf8("é".repeat(10), 20)).toBe(false);
    expect(exceedsUtf8("é".repeat(10), 19)).toBe(true);
    expect(exceedsUtf8("€".repeat(10), 20)).toBe(true);
    expect(exceedsUtf8("€".repeat(10), 29)).toBe(true);
    expect(exceedsUtf8("€".repeat(10), 30)).toBe(false);
  });

  it("finds lone surrogates and wide characters", () => {
    fc.assert(
      fc.property(units, (text) => {
        expect(isWellFormed(text)).toBe(loneSurrogate(text) < 0);
        expect(isWellFormed(text)).toBe(decodeUtf8(new TextEncoder().encode(text)) === text);
        expect(hasWideUnits(text)).toBe([...text].some((character) => character > "\u00ff"));
      }),
    );
    expect(loneSurrogate("a\u{1f600}\ud800")).toBe(3);
    expect(loneSurrogate("\udc00\udc00")).toBe(0);
    expect(loneSurrogate("\ud800\udc00\udbff\udfff\ud7ff\ue000")).toBe(-1);
    expect(decodeUtf8(Uint8Array.of(0xc0, 0x80))).toBeUndefined();
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf))).toBe("\ufeff");
  });
});

describe("numbers", () => {
  it("are taken apart without being built", () => {
    const parts = (text: string) => {
      const found = numberParts(text, 0);
      return found && [text.slice(found.first, found.last), found.significant, found.power, found.negative, plainDigits(found)];
    };
    expect(parts("120")).toEqual(["12", 2, 1, false, 3]);
    expect(parts("-0.0500")).toEqual(["5", 1, -2, true, 3]);
    expect(parts("10.50e1")).toEqual(["10.5", 3, 0, false, 3]);
    expect(parts("10.0")).toEqual(["1", 1, 1, false, 2]);
    expect(parts("12.5")).toEqual(["12.5", 3, -1, false, 3]);
    expect(parts("1.25e1")).toEqual(["1.25", 3, -1, false, 3]);
    expect(parts("0.125")).toEqual(["125", 3, -3, false, 4]);
    expect(parts("0e9")).toEqual(["", 0, 0, false, 1]);
    expect(parts("-")).toBeUndefined();
    expect(parts("1e+")).toBeUndefined();
    expect(plainDigits(numberParts(`1e${"9".repeat(50)}`, 0) as NonNullable<ReturnType<typeof numberParts>>)).toBeGreaterThan(1e11);
  });

  it("are too long from the first power of ten on, of either sign", () => {
    for (const sign of [1n, -1n]) {
      expect(exceedsDigits(sign * 999n, 3)).toBe(false);
      expect(exceedsDigits(sign * 1_000n, 3)).toBe(true);
      expect(exceedsDigits(sign * 10n ** 40n, 3)).toBe(true);
    }
    // More limits than are remembered.
    for (let digits = 1; digits < 40; digits++) expect(exceedsDigits(10n ** BigInt(digits), digits)).toBe(true);
  });

  it("become bigints", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(bigintOf(value)).toBe(BigInt(value));
      }),
    );
    for (const value of [0, -0, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
      expect(bigintOf(value)).toBe(BigInt(value));
  });
});

describe("pointers", () => {
  it("escape and unescape every name (RFC 6901)", () => {
    expect(escapeSegment("a/b~c")).toBe("a~1b~0c");
    expect(childPointer("/x", "~1")).toBe("/x/~01");
    expect(childPointer("", 3)).toBe("/3");
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (names) => {
        expect(splitPointer(names.reduce<string>(childPointer, ""))).toEqual(names);
      }),
    );
    expect(splitPointer("")).toEqual([]);
  });
});

describe("limits", () => {
  it("are the defaults with some replaced", () => {
    expect(resolveLimits()).toBe(DEFAULT_LIMITS);
    expect(resolveLimits(DEFAULT_LIMITS)).toBe(DEFAULT_LIMITS);
    expect(resolveLimits({ depth: 5 })).toEqual({ ...DEFAULT_LIMITS, depth: 5 });
    expect(resolveLimits({ depth: undefined } as unknown as Partial<Limits>)).toEqual(DEFAULT_LIMITS);
    expect(resolveLimits(JSON.parse('{"depth":5}') as object)).toEqual({ ...DEFAULT_LIMITS, depth: 5 });
  });

  it("have the defaults of R13, and highest values that can be asked for", () => {
    const defaults = { bytes: 16_777_216, depth: 128, values: 1_048_576, members: 1_048_576, string: 8_388_608, digits: 4_096 };
    expect(DEFAULT_LIMITS).toEqual(defaults);
    const highest = { bytes: 268_435_456, depth: 1_000, digits: 1_000_000 };
    expect(resolveLimits({ ...highest, values: Number.MAX_SAFE_INTEGER })).toMatchObject(highest);
  });

  it.each<object>([
    { depth: 0 },
    { depth: 1.5 },
    { depth: "5" },
    { deep: 5 },
    { depth: 1001 },
    { bytes: 2 ** 29 },
    { digits: 2_000_000 },
    { toString: 1 },
  ])("refuse %j", (changes) => {
    expect(() => resolveLimits(changes)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("errors", () => {
  it("collect their place on the way out, and say what was expected and met", () => {
    const refusal = new Refusal("kind", "Int", 'the string "42"').under("count").under(3).under("items");
    refusal.owner = "docs.Item";
    const error = refusal.toFlowError();
    expect(error).toMatchObject({
      code: "kind",
      at: "/items/3/count",
      message: 'expected Int at /items/3/count of docs.Item, met the string "42"',
    });
    expect(new Refusal("kind", "Int").toFlowError().message).toBe("expected Int at the root");
    expect(tooMany("depth", "less").toFlowError().message).toBe("expected less (limit depth) at the root");
  });

  it("have what they were made of, and nothing where nothing was said", () => {
    const bare = new FlowError("limit", "too much");
    expect(bare).toMatchObject({
      name: "FlowError",
      code: "limit",
      message: "too much",
      at: "",
      offset: undefined,
      tool: undefined,
      errors: [],
    });
    expect(Object.hasOwn(bare, "cause")).toBe(false);
    const cause = new TypeError("why");
    const details = { at: "/a", offset: 3, tool: "m.flow.f", errors: [bare], cause };
    expect(new FlowError("limit", "too much", details)).toMatchObject(details);
    expect(new FlowError("limit", "too much", { cause: 0 }).cause).toBe(0);
  });

  it("say whose value it is, and cut a long place in the sentence only", () => {
    const refusal = (at: string, owner?: string, met = "") =>
      Object.assign(new Refusal("kind", "a text", met), { at, owner }).toFlowError();
    expect(refusal("").message).toBe("expected a text at the root");
    expect(refusal("", "m.Doc").message).toBe("expected a text for m.Doc");
    expect(refusal("/a", "m.Doc", "null").message).toBe("expected a text at /a of m.Doc, met null");
    const place = (length: number) => `/${"x".repeat(length - 1)}`;
    expect(refusal(place(200)).message).toBe(`expected a text at ${place(200)}`);
    expect(refusal(place(201)).message).toBe(`expected a text at ${place(200)}\u2026`);
    expect(refusal(place(201)).at).toBe(place(201));
  });

  it("of a document as such keep to the root", () => {
    expect(documentTooLarge(DEFAULT_LIMITS).under("a")).toMatchObject({ at: "", code: "limit" });
    expect(new DocumentRefusal("syntax", "JSON")).toBeInstanceOf(Refusal);
  });

  it("do not show megabytes", () => {
    const refusal = new Refusal("kind", "Int").under("x".repeat(1_000_000));
    expect(refusal.toFlowError().message.length).toBeLessThan(500);
    expect(String(refusal.toFlowError().at)).toHaveLength(1_000_001);
    expect(quoted("x".repeat(100_000)).length).toBeLessThan(100);
    expect(describeJson("x".repeat(100_000)).length).toBeLessThan(100);
    expect(describeJson(10n ** 3000n).length).toBeLessThan(100);
  });

  it("are recognised by their brand, whichever copy of the library made them", () => {
    expect(isFlowError(new FlowError("kind", "x"))).toBe(true);
    expect(isFlowError({ [Symbol.for("flow-host.FlowError")]: true })).toBe(true);
    for (const other of [null, undefined, "x", new Error("x"), {}]) expect(isFlowError(other)).toBe(false);
    const other = new Error("x");
    expect(asFlowError(other)).toBe(other);
    expect(Object.keys(new FlowError("kind", "x", { cause: other }))).not.toContain("cause");
  });
});

describe("values", () => {
  it("are told apart", () => {
    expect(isJsonObject(jsonObject({ __proto__: null, a: 1n }))).toBe(true);
    for (const other of [[], Decimal.from("1.5"), null, 1n, "x", undefined]) expect(isJsonObject(other)).toBe(false);
    expect(["x", 1n, Decimal.from("1.5"), [1n], [], {}, null, true, undefined, 1.5].map(describeJson)).toEqual([
      'the string "x"',
      "the number 1",
      "the number 1.5",
      "an array of 1 item",
      "an array of 0 items",
      "an object",
      "null",
      "true",
      "undefined",
      "the number 1.5",
    ]);
  });

  it("are shown whole up to forty characters", () => {
    expect(describeJson("x".repeat(40))).toBe(`the string "${"x".repeat(40)}"`);
    expect(describeJson("x".repeat(41))).toBe(`the string "${"x".repeat(32)}\u2026" (41 characters)`);
    expect(describeJson(10n ** 39n)).toBe(`the number ${10n ** 39n}`);
    expect(describeJson(10n ** 40n)).toBe(`the number 1${"0".repeat(31)}\u2026 (41 digits)`);
  });

  it("come from parsed JSON of other libraries (R44)", () => {
    const plain = JSON.parse('{"a":[1,1.5,-0,1e21,9007199254740993,"x",null,true],"__proto__":{"b":2}}') as object;
    const exact = jsonFromPlain({ ...plain, skipped: undefined, big: 2n ** 70n, decimal: Decimal.from("0.5") }, DEFAULT_LIMITS);
    expect(Object.keys(exact as object)).toContain("__proto__");
    expect({ ...(exact as object) }).toMatchObject(
      jsonObject({
        a: [1n, Decimal.from("1.5"), 0n, 10n ** 21n, 9007199254740992n, "x", null, true],
        big: 2n ** 70n,
        decimal: Decimal.from("0.5"),
      }),
    );
    const refused = (value: unknown) => {
      try {
        jsonFromPlain(value, resolveLimits({ values: 100 }));
      } catch (caught) {
        return caught instanceof Refusal ? `${caught.code} ${caught.at}` : caught;
      }
      return "taken";
    };
    expect(refused([Number.NaN])).toBe("kind /0");
    expect(refused({ a: new Date(0) })).toBe("kind /a");
    expect(refused({ a: () => 1 })).toBe("kind /a");
    const loop: unknown[] = [];
    loop.push(loop);
    expect(refused(loop)).toMatch(/^limit \/0/);
    let shared: unknown = 1;
    for (let i = 0; i < 50; i++) shared = [shared, shared];
    expect(refused(shared)).toMatch(/^limit \/0/);
  });

  it("come from it within limits that are inclusive, through arrays and through objects (R13)", () => {
    const read = (value: unknown, limits: Partial<Limits>) => () => jsonFromPlain(value, resolveLimits(limits));
    for (const value of [[[1]], { a: { b: 1 } }, { a: [1] }, [{ b: 1 }]]) {
      expect(read(value, { depth: 3, values: 3 })).not.toThrow();
      expect(read(value, { depth: 2 })).toThrow(expect.objectContaining({ code: "limit" }));
      expect(read(value, { values: 2 })).toThrow(expect.objectContaining({ code: "limit" }));
    }
    expect(read(2 ** 53, {})()).toBe(2n ** 53n);
    expect(read(-(2 ** 53), {})()).toBe(-(2n ** 53n));
    expect(read(1e300, {})()).toBe(10n ** 300n);
    expect(read(undefined, {})).toThrow(expect.objectContaining({ code: "kind", at: "" }));
  });

  it("of which objects show all their members", () => {
    expect([{}, Object.create(null)].every(isPlainObject)).toBe(true);
    expect([new Date(0), new Map(), Object.create({})].some(isPlainObject)).toBe(false);
    expect(isPolluted()).toBe(false);
    Object.assign(Object.prototype, { polluted: 1 });
    try {
      expect(isPolluted()).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, "polluted");
    }
  });
});
