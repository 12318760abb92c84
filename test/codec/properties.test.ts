/** What must hold of every type, every value and every text. A failure prints the seed that leads to it again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Codec, DecodeOptions } from "../../src/codec/codec.ts";
import { contextOf, decodeExactly, decodeQuickly, FAILED, type Grant, type Mode } from "../../src/codec/decode.ts";
import { isFlowError, Refusal } from "../../src/json/errors.ts";
import { type Limits, resolveLimits } from "../../src/json/limits.ts";
import { parseJson } from "../../src/json/read.ts";
import { isWellFormed } from "../../src/json/text.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { type RandomType, randomType } from "../support/random-types.ts";
import { mutated, randomValue } from "../support/random-values.ts";
import { damaged, spelled } from "../support/spellings.ts";
import { type Random, randomFrom, type Wishes } from "../types/random.ts";

/** Types; each comes with several values, and each of those with several texts. */
const RUNS = { numRuns: 300 };
const bytes = (text: string) => new TextEncoder().encode(text);

interface Sample extends RandomType {
  readonly random: Random;
  readonly values: readonly unknown[];
  /** The canonical texts of the values. */
  readonly texts: readonly string[];
}

/** A type and a few of its values; those of types without any are left out. */
function sampleOf(seed: number, count = 3, wishes: Wishes = {}): Sample | undefined {
  const random = randomFrom(seed);
  const type = randomType(seed, wishes);
  const values: unknown[] = [];
  for (let i = 0; i < count; i++) {
    const made = randomValue(random, type.term, type.declarations, { exact: true, wild: i > 0 });
    if (made !== undefined) values.push(made.value);
  }
  return values.length === 0 ? undefined : { ...type, random, values, texts: values.map((value) => type.codec.encode(value)) };
}

/** What becomes of a text: the canonical text of its value, or code and place of the refusal. */
function outcome(codec: Codec, work: () => unknown): string {
  try {
    return `value ${codec.encode(work())}`;
  } catch (caught) {
    const error = caught instanceof Refusal ? caught.toFlowError() : caught;
    // Anything else than a FlowError is a fault of the library.
    if (!isFlowError(error)) throw caught;
    return `${error.code} at ${String(error.at)}`;
  }
}

/** What the exact way alone makes of a text. */
function exactly(codec: Codec, text: string, mode: Mode, grant: Grant, limits: Limits): string {
  return outcome(codec, () => decodeExactly(codec["type"].node, text, contextOf(mode, grant), limits));
}

const MODES = ["lenient", "strict"] as const;
const GRANTS = ["none", "tokens", "all"] as const;

describe("every value of every type", () => {
  it("comes back from its text, from the bytes of its text and from its JSON", () => {
    let values = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        for (const [i, text] of sample?.texts.entries() ?? []) {
          const { values: made } = sample as Sample;
          const codec: Codec = (sample as Sample).codec;
          const options: DecodeOptions = { mode: "strict", grant: "all" };
          for (const source of [text, bytes(text), ...asJson(text)]) {
            const back = codec.decode(source, options);
            expect(codec.encode(back)).toBe(text);
            if (isOrdered(codec, back)) expect(codec.compare(back, made[i])).toBe(0);
          }
          codec.check(made[i]);
          values++;
        }
      }),
      RUNS,
    );
    expect(values).toBeGreaterThan(500);
  });

  it("is read the quick way from its canonical text, if its numbers allow it", () => {
    const counted = { quick: 0, slow: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const { codec, term, declarations } = randomType(seed);
        const made = randomValue(random, term, declarations);
        if (made === undefined) return;
        const text = codec.encode(made.value);
        const value = decodeQuickly(codec["type"], text, text, contextOf("strict", "all"), resolveLimits());
        if (value === FAILED) counted.slow++;
        else {
          counted.quick++;
          expect(codec.encode(value)).toBe(text);
        }
      }),
      RUNS,
    );
    // Sums of nanoseconds and escaped names may lead to the exact way; hardly anything else does.
    expect(counted.slow / counted.quick, JSON.stringify(counted)).toBeLessThan(0.1);
  });

  it("has one text: equal values have equal texts, different values different ones, and the order is total", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed, 5, { hosts: false });
        if (sample === undefined) return;
        const { codec, values, texts } = sample;
        const sorted = values.map((value, i) => ({ value, text: texts[i] })).sort((a, b) => codec.compare(a.value, b.value));
        for (const [i, a] of sorted.entries()) {
          for (const [j, b] of sorted.entries()) {
            const sign = Math.sign(codec.compare(a.value, b.value));
            expect(sign === 0).toBe(a.text === b.text);
            expect(sign + Math.sign(codec.compare(b.value, a.value))).toBe(0);
            // Sorted by a total order, later ones are never before earlier ones, however far apart.
            if (i < j) expect(sign).toBeLessThanOrEqual(0);
            compared++;
          }
        }
      }),
      RUNS,
    );
    expect(compared).toBeGreaterThan(2_000);
  });
});

describe("every text", () => {
  it("is the same to both ways of reading, whatever the mode, the grant and the limits", () => {
    const counted = { values: 0, refused: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        if (sample === undefined) return;
        const { random, codec } = sample;
        for (const text of textsOf(sample)) {
          const mode = MODES[random(2)] as Mode;
          const grant = GRANTS[random(3)] as Grant;
          const limits = random(3) === 0 ? lowered(random) : resolveLimits();
          const exact = exactly(codec, text, mode, grant, limits);
          expect(outcome(codec, () => codec.decode(text, { mode, grant, limits }))).toBe(withBytes(exact, text, limits));
          // Bytes cannot hold half a surrogate pair.
          if (isWellFormed(text))
            expect(outcome(codec, () => codec.decode(bytes(text), { mode, grant, limits }))).toBe(withBytes(exact, text, limits));
          if (exact.startsWith("value")) counted.values++;
          else counted.refused++;
        }
      }),
      RUNS,
    );
    expect(counted.values).toBeGreaterThan(1_000);
    expect(counted.refused).toBeGreaterThan(1_000);
  });

  it("that decodes has the value of its canonical text", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        if (sample === undefined) return;
        for (const text of textsOf(sample)) {
          const { codec } = sample;
          const found = outcome(codec, () => codec.decode(text, { grant: "all" }));
          if (!found.startsWith("value ")) continue;
          const canonical = found.slice("value ".length);
          expect(outcome(codec, () => codec.decode(canonical, { mode: "strict", grant: "all" }))).toBe(found);
        }
      }),
      RUNS,
    );
  });

  it("that spells a value in another way has that value", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        for (const text of sample?.texts ?? []) {
          const { random, codec } = sample as Sample;
          const other = spelled(random, parseJson(text), { spaces: true, shuffled: true, escapes: true, numbers: random(2) === 0 });
          expect(outcome(codec, () => codec.decode(other, { mode: "strict", grant: "all" }))).toBe(`value ${text}`);
          expect(canonicalText(parseJson(other))).toBe(text);
        }
      }),
      RUNS,
    );
  });

  it("that strict decoding takes is the same to lenient decoding; strict refuses what lenient skips, and nothing else", () => {
    const counted = { both: 0, skipped: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        if (sample === undefined) return;
        for (const text of textsOf(sample)) {
          const { codec } = sample;
          const lenient = outcome(codec, () => codec.decode(text, { mode: "lenient", grant: "all" }));
          const strict = outcome(codec, () => codec.decode(text, { mode: "strict", grant: "all" }));
          if (strict.startsWith("undeclared-member")) counted.skipped++;
          else {
            expect(strict).toBe(lenient);
            counted.both++;
          }
        }
      }),
      RUNS,
    );
    expect(counted.skipped).toBeGreaterThan(20);
    expect(counted.both).toBeGreaterThan(2_000);
  });
});

describe("every value under lowered limits", () => {
  it("encodes exactly if its canonical text decodes under them, and is refused at the same place", () => {
    const counted = { values: 0, refused: 0 };
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const sample = sampleOf(seed);
        for (const [i, text] of sample?.texts.entries() ?? []) {
          const { random, codec, values } = sample as Sample;
          const limits = lowered(random);
          const decoded = withBytes(exactly(codec, text, "strict", "all", limits), text, limits);
          const encoded = outcome(codec, () => {
            const written = codec.encode(values[i], limits);
            expect(written).toBe(text);
            return values[i];
          });
          // A writer knows how many items there are before it writes the first, a reader only when it meets one too many.
          if (limits.members < 20) expect(encoded.startsWith("limit")).toBe(decoded.startsWith("limit"));
          else expect(encoded).toBe(decoded);
          if (decoded.startsWith("value")) counted.values++;
          else counted.refused++;
        }
      }),
      RUNS,
    );
    expect(counted.values).toBeGreaterThan(100);
    expect(counted.refused).toBeGreaterThan(100);
  });
});

/** A document over the limit on bytes is refused before anything is read. */
function withBytes(found: string, text: string, limits: Limits): string {
  return bytes(text).length > limits.bytes ? "limit at " : found;
}

/** Canonical texts, other spellings of them, and damaged ones. */
function textsOf({ random, texts }: Sample): string[] {
  return texts.flatMap((text) => {
    const json = parseJson(text);
    const changed = mutated(random, json);
    const other = spelled(random, changed);
    return [text, spelled(random, json), canonicalText(changed), other, damaged(random, text), damaged(random, other)];
  });
}

/** JSON that is not a string, which would be taken for a text. */
function asJson(text: string): Exclude<JsonValue, string>[] {
  const json = parseJson(text);
  return typeof json === "string" ? [] : [json];
}

/** Limits of which one is so low that it may be crossed. */
function lowered(random: Random): Limits {
  const name = (["bytes", "depth", "values", "members", "string", "digits"] as const)[random(6)] as keyof Limits;
  return resolveLimits({ [name]: 1 + random(name === "bytes" ? 60 : 12) });
}

function isOrdered(codec: Codec, value: unknown): boolean {
  try {
    codec.compare(value, value);
    return true;
  } catch (caught) {
    if (isFlowError(caught) && caught.code === "order") return false;
    throw caught;
  }
}
