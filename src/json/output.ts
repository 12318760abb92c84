/**
 * Where canonical text is written: UTF-8 bytes, turned into pieces of text when they are many, joined at the end.
 *
 * Building the text by concatenating strings takes twice as long for records and four times for numbers, and much
 * more than that at 8 MB: every `+` makes an object of 32 bytes, and once those outlive a young collection they are
 * copied, traced and at last flattened. Bytes need no such objects, and numbers go into them without becoming strings
 * first. Long strings are the exception: the platform quotes and joins those far faster than any loop over their units.
 */
import type { Decimal } from "./decimal.ts";
import { Refusal } from "./errors.ts";
import { documentTooLarge, type Limits, tooMany } from "./limits.ts";
import { digitsOf, exceedsDigits } from "./number.ts";
import type { Phrase } from "./phrase.ts";
import { isPolluted } from "./plain.ts";
import { decodeUtf8, exceedsUtf8, isWellFormed, loneSurrogate, utf8Length } from "./text.ts";

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const BACKSLASH = 92;

/** Strings of more units are quoted by the platform and become a piece of their own. */
const LONG = 400;

/** Bytes become a piece of text when so many have come together, which is few enough to stay in the processor's cache. */
const PIECE = 32_768;

/** Every digit string of a safe integer fits, with sign and point. */
const NUMBER_ROOM = 24;

/** What stands behind the backslash for each unit that is escaped with one letter; 117 (`u`) for the other control characters. */
const ESCAPES = new Uint8Array(128).fill(117, 0, 0x20);
for (const [unit, letter] of Object.entries({ 8: "b", 9: "t", 10: "n", 12: "f", 13: "r", 34: '"', 92: "\\" }))
  ESCAPES[Number(unit)] = letter.charCodeAt(0);

/** What must be looked at before a string is written between quotes as it stands. */
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Memory for the next output, kept from the one before: fresh memory for each of many small texts costs more than writing them. */
let spare: Uint8Array<ArrayBuffer> | undefined;
const LARGEST_SPARE = 1_048_576;

export interface OutputMark {
  readonly at: number;
  readonly pieces: number;
  readonly pieceUnits: number;
  readonly values: number;
}

export class Output {
  readonly limits: Limits;
  /** The depth of the value that is being written; the root's is 1. */
  depth = 1;
  /** How many values were begun, the root included. */
  private values = 1;
  private bytes: Uint8Array<ArrayBuffer>;
  private view: DataView;
  private at = 0;
  private readonly pieces: string[] = [];
  /** The UTF-16 units of the pieces. */
  private pieceUnits = 0;
  /** How many marks are set: until they are taken away bytes stay bytes. */
  private marks = 0;
  /** Whether objects seem to have members that they do not have. */
  readonly polluted: boolean;
  /** No string of at most this many units can pass the limit on strings. */
  private readonly safeUnits: number;

  private constructor(limits: Limits) {
    this.limits = limits;
    this.safeUnits = Math.min(LONG, Math.floor(limits.string / 3));
    // While this output has it nobody else may: writing can run a getter, and a getter can encode something.
    this.bytes = spare ?? new Uint8Array(PIECE + 4096);
    this.view = new DataView(this.bytes.buffer);
    spare = undefined;
    this.polluted = isPolluted();
  }

  /**
   * The text that `write` writes.
   * @throws Refusal `limit` past the limit on bytes, and what `write` throws
   */
  static textOf(limits: Limits, write: (output: Output) => void): string {
    const output = new Output(limits);
    try {
      write(output);
      return output.finish();
    } finally {
      if (output.bytes.length <= LARGEST_SPARE) spare = output.bytes;
    }
  }

  /**
   * Only finds out whether `write` could write its text. For a value that stays in this process nobody wants the text, and
   * making it of the bytes is a third of the time of a small one.
   * @throws Refusal as {@link textOf} does
   */
  static judge(limits: Limits, write: (output: Output) => void): void {
    const output = new Output(limits);
    try {
      write(output);
      if (output.pieces.length > 0) output.finish();
      else if (output.at > limits.bytes) throw documentTooLarge(limits);
    } finally {
      if (output.bytes.length <= LARGEST_SPARE) spare = output.bytes;
    }
  }

  private finish(): string {
    const { bytes } = this.limits;
    if (this.pieces.length === 0) {
      if (this.at > bytes) throw documentTooLarge(this.limits);
      return decodeUtf8(this.bytes.subarray(0, this.at)) as string;
    }
    if (3 * this.pieceUnits + this.at > bytes) {
      const total = this.pieces.reduce((sum, piece) => sum + utf8Length(piece), this.at);
      if (total > bytes) throw documentTooLarge(this.limits);
    }
    this.flush();
    // Left to be joined when somebody reads it, as the platform leaves its own: a string of more than 128 KB is memory
    // of its own, fresh from the system, which costs as much as writing the text did. Whoever sends it may never need it.
    let text = "";
    for (const piece of this.pieces) text += piece;
    return text;
  }

  /** Makes room for `count` more bytes. @throws Refusal `limit` where more was written than any document may hold */
  private reserve(count: number): void {
    if (this.at + count > this.bytes.length) this.grow(count);
  }

  private grow(count: number): void {
    if (this.marks === 0) this.flush();
    else if (this.at > this.limits.bytes) throw documentTooLarge(this.limits);
    if (this.at + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + count));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  /** Turns the bytes into a piece of text. */
  private flush(): void {
    if (this.at === 0) return;
    this.piece(decodeUtf8(this.bytes.subarray(0, this.at)) as string);
    this.at = 0;
  }

  private piece(text: string): void {
    this.pieces.push(text);
    this.pieceUnits += text.length;
    if (this.pieceUnits > this.limits.bytes) throw documentTooLarge(this.limits);
  }

  /** The place where the output is now, for {@link rewind}; {@link unmark} has to follow. */
  mark(): OutputMark {
    this.marks++;
    return { at: this.at, pieces: this.pieces.length, pieceUnits: this.pieceUnits, values: this.values };
  }

  unmark(): void {
    this.marks--;
  }

  /** Takes back what was written since a mark, at the same depth. */
  rewind({ at, pieces, pieceUnits, values }: OutputMark): void {
    this.at = at;
    this.pieces.length = pieces;
    this.pieceUnits = pieceUnits;
    this.values = values;
  }

  /** Steps into a container that is not empty. @throws Refusal `limit` where what it holds would lie too deep; this bounds the stack too. */
  open(bracket: number): void {
    this.deeper();
    this.byte(bracket);
  }

  /** Steps out again. */
  close(bracket: number): void {
    this.depth--;
    this.byte(bracket);
  }

  /** @throws Refusal `limit` */
  deeper(): void {
    if (++this.depth > this.limits.depth) throw tooMany("depth", `values nested at most ${this.limits.depth} deep`);
  }

  /** Counts one more value, which must be within the limits. @throws Refusal `limit` */
  value(): void {
    if (++this.values > this.limits.values) throw tooMany("values", `at most ${this.limits.values} values in one document`);
  }

  /** One ASCII character. */
  byte(code: number): void {
    if (this.at >= this.bytes.length) this.grow(1);
    this.bytes[this.at++] = code;
  }

  /** Text that was prepared before. */
  phrase({ words, length }: Phrase): void {
    this.reserve(length + 3);
    const { view, at } = this;
    for (let i = 0; i < words.length; i++) view.setUint32(at + 4 * i, words[i] as number);
    this.at = at + length;
  }

  /** ASCII text: a number, a date. */
  private characters(text: string): void {
    const { length } = text;
    this.reserve(length);
    const { bytes, at } = this;
    for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
    this.at = at + length;
  }

  /** ASCII text in quotes that needs no escapes. @throws Refusal `limit` */
  quoted(text: string): void {
    if (text.length > this.limits.string) throw stringTooLong(this.limits);
    if (text.length > LONG && this.marks === 0) {
      this.flush();
      this.piece(`"${text}"`);
      return;
    }
    this.byte(QUOTE);
    this.characters(text);
    this.byte(QUOTE);
  }

  /** A string in quotes, with the canonical escapes. @throws Refusal `limit`, `lone-surrogate` */
  string(text: string): void {
    const { length } = text;
    if (length > this.safeUnits) {
      if (exceedsUtf8(text, this.limits.string)) throw stringTooLong(this.limits);
      if (length > LONG && this.marks === 0) {
        this.flush();
        this.piece(NEEDS_CARE.test(text) ? quoteWithCare(text) : `"${text}"`);
        return;
      }
    }
    // A unit takes six bytes at most, as an escaped control character.
    this.reserve(6 * length + 2);
    const { bytes } = this;
    let { at } = this;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        const letter = ESCAPES[unit] as number;
        if (letter === 0) bytes[at++] = unit;
        else {
          bytes[at++] = BACKSLASH;
          bytes[at++] = letter;
          if (letter === 117) at = hexadecimal(bytes, at, unit);
        }
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else {
        const low = i + 1 < length ? text.charCodeAt(++i) : 0;
        if (unit > 0xdbff || (low & 0xfc00) !== 0xdc00) throw loneSurrogateIn(text);
        const point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        bytes[at++] = 0xf0 | (point >> 18);
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[at++] = 0x80 | (point & 0x3f);
      }
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  /**
   * A whole array of strings at once, where that is worth while: the platform writes long ones three times as fast.
   * @returns Whether it did; where it did not, nothing was written and the strings are to be written one by one.
   */
  strings(items: readonly unknown[]): boolean {
    if (this.marks > 0 || this.depth >= this.limits.depth || items.length > this.limits.members) return false;
    let units = 0;
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (typeof item !== "string" || item.length * 3 > this.limits.string) return false;
      units += item.length;
    }
    if (units < LONG || units < 16 * items.length || units > this.limits.bytes || this.values + items.length > this.limits.values)
      return false;
    const text = JSON.stringify(items);
    // So a lone surrogate is written; or it is such a text behind an escaped backslash, or a character that is escaped.
    if (text.includes("\\ud")) return false;
    this.values += items.length;
    this.flush();
    this.piece(text);
    return true;
  }

  /** A whole number. @throws Refusal `limit` */
  bigint(value: bigint): void {
    const number = Number(value);
    const { digits } = this.limits;
    // Through a JavaScript number where it is exact: a quarter of the time of `BigInt#toString`.
    if (number <= Number.MAX_SAFE_INTEGER && number >= -Number.MAX_SAFE_INTEGER && digits >= 16) {
      this.decimalDigits(number, 0);
      return;
    }
    if (exceedsDigits(value, digits)) throw numberTooLong(this.limits);
    this.characters(value.toString());
  }

  /** A decimal number. @throws Refusal `limit` */
  decimal(value: Decimal): void {
    const { units, scale } = value;
    const { digits } = this.limits;
    if (typeof units === "number" && scale <= 15 && digits >= 16) {
      this.decimalDigits(units, scale);
      return;
    }
    if (scale >= digits || (typeof units === "bigint" ? exceedsDigits(units, digits) : value.digits > digits))
      throw numberTooLong(this.limits);
    this.characters(value.toString());
  }

  /** `units / 10^scale` for a safe integer, from its last digit to the first. */
  private decimalDigits(units: number, scale: number): void {
    this.reserve(NUMBER_ROOM);
    const { bytes } = this;
    let rest = units;
    if (rest < 0) {
      bytes[this.at++] = MINUS;
      rest = -rest;
    }
    const digits = digitsOf(rest);
    let at = this.at + (digits > scale ? digits : scale + 1) + (scale > 0 ? 1 : 0);
    this.at = at;
    let places = scale;
    // Divisions of 32-bit integers are several times as fast as those of other numbers.
    while (rest > 0x7fffffff) {
      const quotient = Math.floor(rest / 10);
      bytes[--at] = ZERO + (rest - quotient * 10);
      rest = quotient;
      if (--places === 0) bytes[--at] = POINT;
    }
    let small = rest | 0;
    for (; places > 0; places--) {
      const quotient = (small / 10) | 0;
      bytes[--at] = ZERO + (small - quotient * 10);
      small = quotient;
      if (places === 1) bytes[--at] = POINT;
    }
    do {
      const quotient = (small / 10) | 0;
      bytes[--at] = ZERO + (small - quotient * 10);
      small = quotient;
    } while (small > 0);
  }
}

const HEX = "0123456789abcdef";

/** The `00XX` of an escaped control character. */
function hexadecimal(bytes: Uint8Array, at: number, unit: number): number {
  bytes[at] = ZERO;
  bytes[at + 1] = ZERO;
  bytes[at + 2] = HEX.charCodeAt(unit >> 4);
  bytes[at + 3] = HEX.charCodeAt(unit & 15);
  return at + 4;
}

/** A string between quotes, with the canonical escapes, which are those of `JSON.stringify` for well-formed text. @throws Refusal `lone-surrogate` */
export function quoteWithCare(text: string): string {
  if (!isWellFormed(text)) throw loneSurrogateIn(text);
  return JSON.stringify(text);
}

function loneSurrogateIn(text: string): Refusal {
  const unit = text.charCodeAt(loneSurrogate(text)).toString(16);
  return new Refusal("lone-surrogate", "strings of Unicode scalar values", `the lone surrogate \\u${unit}`);
}

export function stringTooLong(limits: Limits): Refusal {
  return tooMany("string", `a string of at most ${limits.string} UTF-8 bytes`);
}

function numberTooLong(limits: Limits): Refusal {
  return tooMany("digits", `a number of at most ${limits.digits} digits`);
}
