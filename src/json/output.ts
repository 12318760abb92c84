/**
 * Where canonical text is written: one growing array of UTF-8 bytes, decoded once at the end.
 *
 * Building the text by concatenating strings is as fast as this for documents of a few kilobytes and falls to a fifth
 * of it at 8 MB: every `+` makes an object of 32 bytes, and once those outlive a young collection they are copied,
 * traced and at last flattened. Bytes need no such objects, numbers go into them without becoming strings first, and
 * the limit on bytes counts itself.
 */
import type { Decimal } from "./decimal.ts";
import { Refusal } from "./errors.ts";
import { documentTooLarge, type Limits, tooMany } from "./limits.ts";
import { decodeUtf8, exceedsUtf8, isWellFormed, loneSurrogate } from "./text.ts";

const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Strings up to this many units are written by a loop; a call of the platform's encoder costs as much as 60 units. */
const SHORT = 60;

/** Every digit string of a safe integer fits, with sign and point. */
const NUMBER_ROOM = 24;

/** What must be looked at before a string is written between quotes as it stands. */
const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** 1 for each ASCII character that stands for itself in a string. */
const PLAIN = new Uint8Array(128).fill(1, 0x20);
PLAIN[QUOTE] = 0;
PLAIN[92] = 0;

const encoder = new TextEncoder();

/** Memory for the next output, kept from the one before: fresh memory for each of many small texts costs more than writing them. */
let spare: Uint8Array<ArrayBuffer> | undefined;
const SPARE_SIZE = 16_384;
const LARGEST_SPARE = 1_048_576;

export interface OutputMark {
  readonly at: number;
  readonly values: number;
}

export class Output {
  readonly limits: Limits;
  /** The depth of the value that is being written; the root's is 1. */
  depth = 1;
  /** How many values were begun, the root included. */
  private values = 1;
  private bytes: Uint8Array<ArrayBuffer>;
  private at = 0;
  /** No string of at most this many units can pass the limit on strings. */
  private readonly safeUnits: number;

  private constructor(limits: Limits) {
    this.limits = limits;
    this.safeUnits = Math.floor(limits.string / 3);
    // While this output has it nobody else may: writing can run a getter, and a getter can encode something.
    this.bytes = spare ?? new Uint8Array(SPARE_SIZE);
    spare = undefined;
  }

  /**
   * The text that `write` writes.
   * @throws Refusal `limit` past the limit on bytes, and what `write` throws
   */
  static textOf(limits: Limits, write: (output: Output) => void): string {
    const output = new Output(limits);
    try {
      write(output);
      if (output.at > limits.bytes) throw documentTooLarge(limits);
      return decodeUtf8(output.bytes.subarray(0, output.at)) as string;
    } finally {
      if (output.bytes.length <= LARGEST_SPARE) spare = output.bytes;
    }
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

  /** The place where the output is now, for {@link rewind}. */
  mark(): OutputMark {
    return { at: this.at, values: this.values };
  }

  /** Takes back what was written since, at the same depth. */
  rewind({ at, values }: OutputMark): void {
    this.at = at;
    this.values = values;
  }

  /** One ASCII character. */
  byte(code: number): void {
    if (this.at >= this.bytes.length) this.grow(1);
    this.bytes[this.at++] = code;
  }

  /** ASCII text that was made bytes before. */
  ascii(text: Uint8Array): void {
    const { length } = text;
    if (this.at + length > this.bytes.length) this.grow(length);
    const { bytes } = this;
    let { at } = this;
    for (let i = 0; i < length; i++) bytes[at++] = text[i] as number;
    this.at = at;
  }

  /** ASCII text: a number, a date, base64. */
  characters(text: string): void {
    const { length } = text;
    if (this.at + length > this.bytes.length) this.grow(length);
    if (length > SHORT) {
      this.at += encoder.encodeInto(text, this.bytes.subarray(this.at)).written;
      return;
    }
    const { bytes } = this;
    let { at } = this;
    for (let i = 0; i < length; i++) bytes[at++] = text.charCodeAt(i);
    this.at = at;
  }

  /** ASCII text in quotes that needs no escapes. @throws Refusal `limit` */
  quoted(text: string): void {
    if (text.length > this.limits.string) throw stringTooLong(this.limits);
    this.byte(QUOTE);
    this.characters(text);
    this.byte(QUOTE);
  }

  /** A string in quotes, with the canonical escapes. @throws Refusal `limit`, `lone-surrogate` */
  string(text: string): void {
    const { length } = text;
    if (length > SHORT || length > this.safeUnits) {
      this.longString(text);
      return;
    }
    if (this.at + length + 2 > this.bytes.length) this.grow(length + 2);
    const { bytes } = this;
    let { at } = this;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127 || PLAIN[unit] === 0) {
        this.encoded(quoteWithCare(text));
        return;
      }
      bytes[at++] = unit;
    }
    bytes[at++] = QUOTE;
    this.at = at;
  }

  private longString(text: string): void {
    if (exceedsUtf8(text, this.limits.string)) throw stringTooLong(this.limits);
    if (NEEDS_CARE.test(text)) {
      this.encoded(quoteWithCare(text));
      return;
    }
    this.byte(QUOTE);
    this.encoded(text);
    this.byte(QUOTE);
  }

  /** Any well-formed text as it stands. */
  private encoded(text: string): void {
    if (this.at + text.length > this.bytes.length) this.grow(text.length);
    for (let rest = text; ; ) {
      const { read, written } = encoder.encodeInto(rest, this.bytes.subarray(this.at));
      this.at += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.grow(rest.length + 4);
    }
  }

  /** A whole number. @throws Refusal `limit` */
  bigint(value: bigint): void {
    const number = Number(value);
    const { digits } = this.limits;
    // Through a JavaScript number where it is exact: a quarter of the time of `BigInt#toString`.
    if (number <= Number.MAX_SAFE_INTEGER && number >= -Number.MAX_SAFE_INTEGER && digits >= 16) {
      this.integer(number, 1);
      return;
    }
    if (exceedsDigits(value, digits)) throw numberTooLong(this.limits);
    this.characters(value.toString());
  }

  /** A decimal number. @throws Refusal `limit` */
  decimal(value: Decimal): void {
    const { units, scale } = value;
    if (typeof units === "number" && scale <= 15 && this.limits.digits >= 32) {
      this.integer(units, scale + 1);
      if (scale > 0) this.point(scale);
      return;
    }
    if (
      scale >= this.limits.digits ||
      (typeof units === "bigint" ? exceedsDigits(units, this.limits.digits) : value.digits > this.limits.digits)
    ) {
      throw numberTooLong(this.limits);
    }
    this.characters(value.toString());
  }

  /** A safe integer in at least `least` digits. */
  private integer(value: number, least: number): void {
    if (this.at + NUMBER_ROOM > this.bytes.length) this.grow(NUMBER_ROOM);
    const { bytes } = this;
    let rest = value;
    if (rest < 0) {
      bytes[this.at++] = MINUS;
      rest = -rest;
    }
    let length = least;
    for (let power = 10 ** least; rest >= power; power *= 10) length++;
    let at = this.at + length;
    this.at = at;
    // Divisions of 32-bit integers are several times as fast as those of other numbers.
    while (rest > 0x7fffffff) {
      const quotient = Math.floor(rest / 10);
      bytes[--at] = ZERO + (rest - quotient * 10);
      rest = quotient;
      length--;
    }
    for (let small = rest | 0; length > 0; length--) {
      const quotient = (small / 10) | 0;
      bytes[--at] = ZERO + (small - quotient * 10);
      small = quotient;
    }
  }

  /** Puts a point before the last `scale` bytes. */
  private point(scale: number): void {
    const { bytes, at } = this;
    const point = at - scale;
    for (let i = at; i > point; i--) bytes[i] = bytes[i - 1] as number;
    bytes[point] = POINT;
    this.at = at + 1;
  }

  private grow(need: number): void {
    // What has been written may be past the limit by one string at most.
    if (this.at > this.limits.bytes) throw documentTooLarge(this.limits);
    const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.at + need + NUMBER_ROOM));
    larger.set(this.bytes.subarray(0, this.at));
    this.bytes = larger;
  }
}

/** `text`, quoted as JSON, in ASCII or UTF-8 bytes: for names that are written many times. */
export function quotedBytes(text: string, before = "", after = ""): Uint8Array {
  return encoder.encode(`${before}${JSON.stringify(text)}${after}`);
}

/** A string between quotes, with the canonical escapes, which are those of `JSON.stringify` for well-formed text. @throws Refusal `lone-surrogate` */
export function quoteWithCare(text: string): string {
  if (!isWellFormed(text)) {
    const unit = text.charCodeAt(loneSurrogate(text)).toString(16);
    throw new Refusal("lone-surrogate", "strings of Unicode scalar values", `the lone surrogate \\u${unit}`);
  }
  return JSON.stringify(text);
}

export function stringTooLong(limits: Limits): Refusal {
  return tooMany("string", `a string of at most ${limits.string} UTF-8 bytes`);
}

function numberTooLong(limits: Limits): Refusal {
  return tooMany("digits", `a number of at most ${limits.digits} digits`);
}

/** 10^n for the few n that limits use, so that judging a bigint does not write it out. */
const powersOfTen = new Map<number, bigint>();

/** Whether a bigint needs more than `digits` decimal digits. */
export function exceedsDigits(value: bigint, digits: number): boolean {
  let power = powersOfTen.get(digits);
  if (power === undefined) {
    power = 10n ** BigInt(digits);
    if (powersOfTen.size < 16) powersOfTen.set(digits, power);
  }
  return value >= power || value <= -power;
}
