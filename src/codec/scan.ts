/**
 * One look over a whole text for everything that `JSON.parse` would lose or that a limit might forbid. It is what
 * decides where the books of `account.ts` do not come out, and it comes first where a text may hold too many values to
 * be built at all.
 *
 * It goes over UTF-8 bytes: the units of a string are three times as slow to look at one by one, and turning them into
 * bytes is quick in every engine.
 */
import type { Limits } from "../json/limits.ts";
import { encodedChunks, isDense } from "../json/text.ts";

export const HAZARD = -1;

/** Any decimal of this many digits is told apart from every other by its binary64 number. */
const SAFE_DIGITS = 15;

const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const BACKSLASH = 92;

/**
 * How many members the objects of a text have, or {@link HAZARD} where it may hold a number of more than 15 digits or
 * with an exponent, or more of something than `limits` allows: values, members, items, depth, digits. Duplicate members are
 * found by the count: the parsed objects then hold fewer. Strings are the account's to judge, and the text need not be
 * JSON: `JSON.parse` is the judge of that.
 * @param source The text or the UTF-8 bytes it came from.
 */
export function scan(source: string | Uint8Array, limits: Limits): number {
  const scanner = new Scanner(Math.min(SAFE_DIGITS, limits.digits), limits.depth);
  if (typeof source !== "string") {
    if (!scanner.take(source, source.length)) return HAZARD;
  } else {
    for (const { bytes, written } of encodedChunks(source)) if (!scanner.take(bytes, written)) return HAZARD;
  }
  // Each value but the first stands behind a comma or an opening bracket, so there are at most this many.
  const values = scanner.separators + 1;
  return values > limits.values || values > limits.members ? HAZARD : scanner.members;
}

const OPENING = [91, 123] as const;

/** 1 for each of the bytes that are to be counted. */
function marking(bytes: readonly number[]): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of bytes) marks[byte] = 1;
  return marks;
}

/** The bytes behind which a value may begin, and those that open a container. */
const BEFORE_VALUE = marking([COMMA, ...OPENING]);
const OPENINGS = marking(OPENING);

/**
 * Whether a text is certain to hold at most `most` values: no more commas and opening brackets than that, those in
 * strings counted as well. Not telling strings apart takes a fifth of the time of {@link scan}.
 */
export function fewValues(source: string | Uint8Array, most: number): boolean {
  const sparse = typeof source === "string" ? countSparse(source, [",", "[", "{"]) : countSparse(source, [COMMA, ...OPENING]);
  return sparse === undefined ? fewMarked(source, BEFORE_VALUE, most) : sparse < most;
}

/** Shorter texts are parsed in milliseconds, however deep they nest. */
const LONG = 262_144;

/**
 * Whether so much of a long text are opening brackets that they may be open all at once: V8 holds each open container by a
 * handle and looks at all handles at each collection, so that two million brackets take it 0.6 s, and a tenth as many a
 * hundredth of that. Then the depth is looked at before anything is built.
 */
export function mayNestDeeply(source: string | Uint8Array): boolean {
  const { length } = source;
  if (length < LONG) return false;
  const most = Math.floor(length / 10);
  const sparse = typeof source === "string" ? countSparse(source, ["[", "{"]) : countSparse(source, OPENING);
  return sparse === undefined ? !fewMarked(source, OPENINGS, most) : sparse >= most;
}

/** Whether fewer than `most` of a text's bytes are marked. */
function fewMarked(source: string | Uint8Array, marks: Uint8Array, most: number): boolean {
  if (typeof source !== "string") return countMarked(source, source.length, marks) < most;
  let count = 0;
  for (const { bytes, written } of encodedChunks(source)) {
    count += countMarked(bytes, written, marks);
    if (count >= most) return false;
  }
  return true;
}

/**
 * How often the marks stand in a text of long strings, where native searches skip from one to the next: a tenth of the
 * time of a loop over all bytes. Where they are not that rare, nothing.
 */
function countSparse<T>(
  source: { readonly length: number; indexOf(mark: T, from?: number): number },
  marks: readonly T[],
): number | undefined {
  let total = 0;
  for (const mark of marks) {
    let count = 0;
    for (let i = source.indexOf(mark); i >= 0; i = source.indexOf(mark, i + 1)) if (isDense(++count, i)) return undefined;
    total += count;
  }
  return total;
}

function countMarked(bytes: Uint8Array, end: number, marks: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < end; i++) count += marks[bytes[i] as number] as number;
  return count;
}

class Scanner {
  members = 0;
  separators = 0;
  private depth = 0;
  private inString = false;
  /** Whether the next byte is an escaped one. */
  private escaped = false;
  /** How many digits and points of a number were met so far. */
  private run = 0;
  private readonly digits: number;
  private readonly deepest: number;

  constructor(digits: number, deepest: number) {
    this.digits = digits;
    this.deepest = deepest;
  }

  /** Goes on with the next `end` bytes; false where they may hold a hazard. */
  take(bytes: Uint8Array, end: number): boolean {
    const { digits, deepest } = this;
    let { members, separators, depth, run } = this;
    let i = this.inString ? this.string(bytes, 0, end) : 0;
    while (i < end) {
      const byte = bytes[i++] as number;
      if (byte <= NINE) {
        if (byte >= ZERO || byte === POINT) {
          // A point counts as a digit here, so a number of 15 digits may be one too long; the exact way takes it.
          if (++run > digits) return false;
          continue;
        }
        if (byte === QUOTE) i = this.string(bytes, i, end);
        else if (byte === COMMA) separators++;
      } else if (byte === COLON) members++;
      else if ((byte | 32) === 123) {
        separators++;
        if (++depth >= deepest) return false;
      } else if ((byte | 32) === 125) depth--;
      else if ((byte | 32) === 101 && run > 0) return false;
      run = 0;
    }
    this.members = members;
    this.separators = separators;
    this.depth = depth;
    this.run = run;
    return true;
  }

  /** The place behind a string's closing quote, or `end`. */
  private string(bytes: Uint8Array, start: number, end: number): number {
    let i = start;
    if (this.escaped && i < end) {
      i++;
      this.escaped = false;
    }
    for (; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) {
        this.inString = false;
        return i + 1;
      }
      if (byte === BACKSLASH && ++i >= end) this.escaped = true;
    }
    this.inString = true;
    return end;
  }
}
