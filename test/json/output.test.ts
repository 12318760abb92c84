/** The buffer that canonical text is written to: pieces, marks, limits, and every string and number at the borders of its ways. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { Refusal } from "../../src/json/errors.ts";
import { type Limits, resolveLimits } from "../../src/json/limits.ts";
import { Output } from "../../src/json/output.ts";
import { phraseOf } from "../../src/json/phrase.ts";

type Write = (output: Output) => void;

function text(write: Write, limits: Partial<Limits> = {}): string {
  return Output.textOf(resolveLimits(limits), write);
}

/** The code that both ways of using an output refuse with, or "none". */
function refused(write: Write, limits: Partial<Limits> = {}): string {
  const codeOf = (work: () => unknown): string => {
    try {
      work();
      return "none";
    } catch (caught) {
      if (caught instanceof Refusal) return caught.code;
      throw caught;
    }
  };
  const codes = [codeOf(() => text(write, limits)), codeOf(() => Output.judge(resolveLimits(limits), write))];
  expect(codes[0]).toBe(codes[1]);
  return codes[0] as string;
}

const LENGTHS = [0, 1, 2, 398, 399, 400, 401, 1_000];
const PIECE = 32_768 + 4_096;

describe("strings", () => {
  const units = [
    "a",
    '"',
    "\\",
    "\u0000",
    "\b",
    "\t",
    "\n",
    "\u000b",
    "\f",
    "\r",
    "\u000e",
    "\u001f",
    " ",
    "\u007f",
    "\u0080",
    "\u07ff",
    "\u0800",
  ];
  const others = ["\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{1f600}", "\u{fffff}", "\u{10ffff}"];

  it.each([...units, ...others])("of %j are written as the platform writes them, short and long", (unit) => {
    for (const length of LENGTHS) {
      const value = unit.repeat(length);
      expect(text((output) => output.string(value))).toBe(JSON.stringify(value));
      expect(text((output) => output.string(`x${value}y`))).toBe(JSON.stringify(`x${value}y`));
    }
  });

  it.each(["\ud800", "\udbff", "\udc00", "\udfff", "\ud800x", "\ud800\ud800\udc00", "\udc00\ud800", "\u{10000}\udfff", "\ud83d\ue000"])(
    "with the half of a pair in %j are refused, short and long",
    (half) => {
      for (const filler of ["", "x".repeat(500)]) {
        expect(refused((output) => output.string(`${filler}${half}`))).toBe("lone-surrogate");
        expect(refused((output) => output.string(`${half}${filler}`))).toBe("lone-surrogate");
      }
    },
  );

  it("may take as many bytes as the limit says", () => {
    for (const [value, bytes] of [
      ["abc", 3],
      ["\u00e9\u00e9", 4],
      ["\u20ac", 3],
      ["\u{1f600}", 4],
      ["x".repeat(401), 401],
      ["\u00e9".repeat(401), 802],
    ] as const) {
      expect([
        refused((output) => output.string(value), { string: bytes }),
        refused((output) => output.string(value), { string: bytes - 1 }),
      ]).toEqual(["none", "limit"]);
    }
    for (const value of ["abc", "x".repeat(400), "x".repeat(401)]) {
      expect(text((output) => output.quoted(value))).toBe(`"${value}"`);
      expect(refused((output) => output.quoted(value), { string: value.length })).toBe("none");
      expect(refused((output) => output.quoted(value), { string: value.length - 1 })).toBe("limit");
    }
  });
});

describe("numbers", () => {
  const safe = BigInt(Number.MAX_SAFE_INTEGER);
  it.each([
    0n,
    7n,
    -7n,
    10n,
    2147483647n,
    2147483648n,
    -2147483648n,
    21474836480n,
    safe - 1n,
    safe,
    safe + 1n,
    -safe,
    -safe - 1n,
    10n ** 30n,
  ])("%s is written digit by digit", (value) => {
    const digits = String(value).replace("-", "").length;
    for (const limits of [{}, { digits: 15 }, { digits: 16 }, { digits: 17 }]) {
      const isLong = digits > (limits.digits ?? 4_096);
      expect(refused((output) => output.bigint(value), limits)).toBe(isLong ? "limit" : "none");
      if (!isLong) expect(text((output) => output.bigint(value), limits)).toBe(String(value));
    }
  });

  it.each(
    "0.5 -0.5 12.25 0.001 0.000000000000001 0.0000000000000001 1.000000000000001 -123456789.0123456 9007199254740.991 0.9007199254740991 9007199254740.9925 2147483.648 21474836.47 0.2147483648 123456789012345678.5".split(
      " ",
    ),
  )("%s is written digit by digit", (written) => {
    const value = Decimal.from(written);
    expect(text((output) => output.decimal(value))).toBe(written);
    for (const digits of [1, 2, 15, 16, 17, 18, 19, 20]) {
      // The zero before the point is a digit of plain notation.
      const many = written.replace(/[-.]/g, "").length;
      expect(
        refused((output) => output.decimal(value), { digits }),
        `${digits}`,
      ).toBe(many > digits ? "limit" : "none");
    }
  });
});

describe("what is written", () => {
  it("is whole wherever the memory ends", () => {
    for (let before = PIECE - 40; before <= PIECE + 2; before++) {
      const start = "x".repeat(before);
      const fill: Write = (output) => {
        for (let i = 0; i < before; i++) output.byte(120);
      };
      for (const [write, written] of [
        [(output) => output.byte(121), "y"],
        [(output) => output.phrase(phraseOf('{"name":')), '{"name":'],
        [(output) => output.string("\u0001\u00e9"), '"\\u0001\u00e9"'],
        [(output) => output.quoted("abc"), '"abc"'],
        [(output) => output.bigint(-9007199254740991n), "-9007199254740991"],
        [(output) => output.bigint(10n ** 20n), `${10n ** 20n}`],
      ] as readonly (readonly [Write, string])[]) {
        const both: Write = (output) => {
          fill(output);
          write(output);
          output.byte(33);
        };
        const result = text(both);
        if (result !== `${start}${written}!`) expect(result.slice(before - 10), `${before}`).toBe(`${start}${written}!`.slice(before - 10));
      }
    }
  });

  it("prepares phrases of any length", () => {
    for (const phrase of ["", "a", "ab", "abc", "abcd", "abcde", '{"\u00e9\u{1f600}":', "x".repeat(100)]) {
      expect(text((output) => output.phrase(phraseOf(phrase)))).toBe(phrase);
      expect(
        text((output) => {
          output.phrase(phraseOf(phrase));
          output.phrase(phraseOf("|"));
        }),
      ).toBe(`${phrase}|`);
    }
  });

  it("can be taken back to a mark, whatever was written since", () => {
    for (const since of [1, 500, PIECE, 3 * PIECE]) {
      const write: Write = (output) => {
        output.string("before".repeat(100));
        output.byte(44);
        const mark = output.mark();
        for (let i = 0; i < since; i++) output.byte(120);
        output.value();
        output.string("y".repeat(since));
        output.quoted("z".repeat(since));
        expect(output.strings(["long enough to be worth it".repeat(100)])).toBe(false);
        output.unmark();
        output.rewind(mark);
        output.value();
        output.string("z".repeat(600));
        expect(output.strings(["long enough to be worth it".repeat(100)])).toBe(true);
      };
      const last = JSON.stringify(["long enough to be worth it".repeat(100)]);
      const whole = `"${"before".repeat(100)}","${"z".repeat(600)}"${last}`;
      expect(text(write)).toBe(whole);
      // The value that was taken back does not count: the root, the one behind the mark and the one string are three.
      expect(refused(write, { values: 3 })).toBe("none");
    }
  });

  it("is refused past the limit on bytes, to the byte", () => {
    const parts: readonly (readonly [Write, number])[] = [
      [(output) => output.string("abc"), 5],
      [(output) => output.string("\u00e9"), 4],
      [(output) => output.string("x".repeat(500)), 502],
      [(output) => output.string("\u00e9".repeat(500)), 1_002],
      [(output) => output.quoted("x".repeat(500)), 502],
    ];
    for (const [first, a] of parts) {
      for (const [second, b] of parts) {
        const both: Write = (output) => {
          first(output);
          second(output);
        };
        expect([refused(both, { bytes: a + b }), refused(both, { bytes: a + b - 1 })]).toEqual(["none", "limit"]);
      }
    }
    // While a mark is set the memory grows, and no further than any document may.
    const endless: Write = (output) => {
      output.mark();
      for (;;) output.phrase(phraseOf("0123456789"));
    };
    expect(refused(endless, { bytes: 100_000 })).toBe("limit");
    expect(
      refused(
        (output) => {
          for (;;) output.phrase(phraseOf("0123456789"));
        },
        { bytes: 100_000 },
      ),
    ).toBe("limit");
  });

  it("is nobody else's, though writing it may write another", () => {
    const inner = () => text((output) => output.string("inner"));
    expect(
      text((output) => {
        output.byte(91);
        expect(inner()).toBe('"inner"');
        output.string("outer");
        Output.judge(resolveLimits(), (other) => other.string("judged"));
        output.byte(93);
      }),
    ).toBe('["outer"]');
  });

  it("is as deep and as many as the limits say", () => {
    const nested: Write = (output) => {
      output.open(91);
      output.value();
      output.open(91);
      output.value();
      output.byte(49);
      output.close(93);
      output.close(93);
      expect(output.depth).toBe(1);
    };
    expect(text(nested)).toBe("[[1]]");
    expect([refused(nested, { depth: 3 }), refused(nested, { depth: 2 })]).toEqual(["none", "limit"]);
    expect([refused(nested, { values: 3 }), refused(nested, { values: 2 })]).toEqual(["none", "limit"]);
  });
});

describe("an array of strings", () => {
  const takes = (items: readonly unknown[], limits: Partial<Limits> = {}) => {
    let taken = false;
    const written = text((output) => {
      taken = output.strings(items);
    }, limits);
    expect(written).toBe(taken ? JSON.stringify(items) : "");
    return taken;
  };

  it("is written at once where that is worth while", () => {
    expect(takes(["x".repeat(400)])).toBe(true);
    expect(takes(["x".repeat(399)])).toBe(false);
    // Sixteen units each.
    expect([takes(new Array(25).fill("x".repeat(16))), takes(new Array(27).fill("x".repeat(15)))]).toEqual([true, false]);
    expect(takes([])).toBe(false);
    expect(takes(["x".repeat(400), 1])).toBe(false);
    expect(takes(["x".repeat(400), '"\\\n\u00e9\u{1f600}'])).toBe(true);
  });

  it("is left to be written one by one where a limit or the half of a pair may be met", () => {
    const items = ["x".repeat(300), "y".repeat(300)];
    expect([takes(items, { string: 900 }), takes(items, { string: 899 })]).toEqual([true, false]);
    expect([takes(items, { members: 2 }), takes(items, { members: 1 })]).toEqual([true, false]);
    expect([takes(items, { values: 3 }), takes(items, { values: 2 })]).toEqual([true, false]);
    expect([takes(items, { depth: 2 }), takes(items, { depth: 1 })]).toEqual([true, false]);
    expect(takes(items, { bytes: 599 })).toBe(false);
    expect([takes(["x".repeat(400), "\ud800"]), takes(["x".repeat(400), "\\ud800"])]).toEqual([false, false]);
  });

  it("counts its values", () => {
    const items = ["x".repeat(300), "y".repeat(300)];
    const write: Write = (output) => {
      expect(output.strings(items)).toBe(true);
      output.value();
    };
    expect([refused(write, { values: 4 }), refused(write, { values: 3 })]).toEqual(["none", "limit"]);
  });
});

it("writes any strings as the platform does, one after the other", () => {
  const string = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.string({ unit: "binary", minLength: 390, maxLength: 420 }));
  fc.assert(
    fc.property(fc.array(string, { maxLength: 30 }), (strings) => {
      const written = text((output) => {
        for (const one of strings) output.string(one);
      });
      expect(written).toBe(strings.map((one) => JSON.stringify(one)).join(""));
    }),
  );
});
