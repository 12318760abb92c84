import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARROW, END, NUMBER, OTHER, STRING, tokenize, WORD } from "../../src/declarations/lexer.ts";

/** Each token as its text. */
function words(text: string): string[] {
  const { starts, ends, kinds } = tokenize(text);
  return kinds.slice(0, -1).map((_, i) => text.slice(starts[i], ends[i]));
}

describe("tokenize", () => {
  it("parts words, punctuation, arrows, strings and numbers", () => {
    const text = '@tool flow f_1(x: List<Int>) -> "a\\"b" 12_3 %';
    expect(words(text)).toEqual(["@", "tool", "flow", "f_1", "(", "x", ":", "List", "<", "Int", ">", ")", "->", '"a\\"b"', "12_3", "%"]);
    const { kinds } = tokenize(text);
    expect(kinds.slice(-5)).toEqual([ARROW, STRING, NUMBER, OTHER, END]);
  });

  it("keeps comments and docs apart, and docs by the token they precede", () => {
    const { kinds, docs, comments } = tokenize("a // one\n/// two\r\n//\nb /// three\n");
    expect(kinds).toEqual([WORD, WORD, END]);
    expect(docs).toEqual([
      { start: 9, end: 16, before: 1, startsLine: true },
      { start: 23, end: 32, before: 2, startsLine: false },
    ]);
    expect(comments).toEqual([2, 8, 18, 20]);
  });

  it("ends a string at its line and remembers that it is open", () => {
    for (const text of ['"a\nb', '"', '"\\"\nb', '"a\\\nb', '"\\']) expect([...tokenize(text).openStrings], text).toEqual([0]);
    for (const text of ['"a"', '""', '"\\\\"', '"\\""']) expect([...tokenize(text).openStrings], text).toEqual([]);
  });

  it("passes over a byte-order mark at the start and nowhere else", () => {
    expect(words("\ufeffuse")).toEqual(["use"]);
    expect(words("use\ufeff")).toEqual(["use", "\ufeff"]);
  });

  it("takes a character outside the basic plane as one token", () => {
    expect(words("\u{1f600}a\ud800b")).toEqual(["\u{1f600}", "a", "\ud800", "b"]);
  });

  it("pairs brackets by kind; what is opened inside and left open has no partner", () => {
    expect([...tokenize("{ ( ] ) }").partners]).toEqual([4, 3, -1, 1, 0, -1]);
    expect([...tokenize("{ ( }").partners]).toEqual([2, -1, 0, -1]);
    expect([...tokenize(") {").partners]).toEqual([-1, -1, -1]);
  });

  it("covers any text in order, without overlaps", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const { starts, ends, partners } = tokenize(text);
        let last = 0;
        for (let i = 0; i < starts.length; i++) {
          expect(starts[i]).toBeGreaterThanOrEqual(last);
          expect(ends[i]).toBeGreaterThanOrEqual(starts[i] as number);
          last = ends[i] as number;
        }
        expect(last).toBe(text.length);
        for (const [i, partner] of partners.entries()) if (partner >= 0) expect(partners[partner]).toBe(i);
      }),
    );
  });
});
