/**
 * Decimal: an exact decimal number.
 *
 * A value is `coefficient / 10^scale` with `scale >= 0`, in lowest terms: a positive scale means that the last digit
 * of the coefficient is not 0. So one value has one representation and one text, and making one from a JSON number
 * costs two fields: building a decimal.js number instead took half as long as the whole `JSON.parse` of a document
 * of prices. Sums, differences and products are exact; what cannot be exact (quotients, roots, rounding) goes
 * through decimal.js and names its precision.
 */
import { Decimal as DecimalJs } from "decimal.js";
import { FlowError, Refusal } from "./errors.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import { type NumberParts, numberParts, plainDigits } from "./number.ts";

/** Rounding modes, in the words of IEEE 754 and of most decimal libraries. */
export type Rounding = "half-even" | "half-up" | "half-down" | "up" | "down" | "ceiling" | "floor";

const ROUNDING: Readonly<Record<Rounding, DecimalJs.Rounding>> = {
  up: 0,
  down: 1,
  ceiling: 2,
  floor: 3,
  "half-up": 4,
  "half-down": 5,
  "half-even": 6,
};

let exact: typeof DecimalJs | undefined;

/**
 * decimal.js with an exponent range and precision under which it never rounds a Decimal within the default digit limit. Made
 * when it is first needed: a tenth of the time of importing the core.
 */
function exactJs(): typeof DecimalJs {
  exact ??= DecimalJs.clone({ precision: 3 * DEFAULT_LIMITS.digits, toExpNeg: -9e15, toExpPos: 9e15, maxE: 9e15, minE: -9e15 });
  return exact;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** 10^k as exact binary64 numbers, k up to 22 (the largest exact power of ten). */
const POWERS: readonly number[] = Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

/** An exact decimal number of at most 4,096 digits by default (R13). Immutable; equal numbers have equal texts. */
export class Decimal {
  /** Magnitudes up to 2^53 - 1 are kept as a number, all others as a bigint: one value, one representation. */
  /** @internal */
  readonly units: number | bigint;
  /** How many digits stand after the point. */
  readonly scale: number;

  private constructor(units: number | bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /** The whole number `value * 10^scale`. */
  get coefficient(): bigint {
    return BigInt(this.units);
  }

  /**
   * The exact value of a JSON number text or a bigint.
   * @throws FlowError `syntax` for a text that is no JSON number, `limit` past the default digit limit (R13).
   */
  static from(value: string | bigint | Decimal): Decimal {
    if (value instanceof Decimal) return value;
    if (typeof value === "bigint") {
      const decimal = normalized(value, 0);
      return refuseLong(decimal);
    }
    const parts = typeof value === "string" ? numberParts(value, 0) : undefined;
    if (parts === undefined || parts.end !== (value as string).length) {
      throw new FlowError("syntax", `expected a decimal number such as "-12.50" or "1e3", met ${JSON.stringify(String(value))}`);
    }
    if (plainDigits(parts) > DEFAULT_LIMITS.digits) throw tooLong();
    return Decimal.fromParts(value as string, parts);
  }

  /**
   * The decimal whose text is the shortest one that reads back as `value`: `0.1` gives 0.1, not the binary64 number
   * next to it.
   * @throws FlowError `kind` for a number that is not finite.
   */
  static fromNumber(value: number): Decimal {
    if (!Number.isFinite(value)) throw new FlowError("kind", `expected a finite number, met ${value}`);
    return fromShortText(value) ?? Decimal.from(String(value));
  }

  /** @internal `coefficient / 10^scale`, brought to lowest terms. */
  static of(coefficient: bigint, scale: number): Decimal {
    return normalized(coefficient, scale);
  }

  /** @internal A number text that was already taken apart and found to be within the digit limit. */
  static fromParts(text: string, parts: NumberParts): Decimal {
    const digits = text.slice(parts.first, parts.last).replace(".", "");
    if (parts.power > 0) return make(BigInt(`${parts.negative ? "-" : ""}${digits}${"0".repeat(parts.power)}`), 0);
    if (parts.significant <= 15) {
      const units = Number(digits);
      return new Decimal(parts.negative && units !== 0 ? -units : units, 0 - parts.power);
    }
    return make(BigInt(parts.negative ? `-${digits}` : digits), 0 - parts.power);
  }

  /** @internal The decimal of at most 15 digits whose nearest binary64 number is `value`, where there is one. */
  static fromParsed(value: number): Decimal | undefined {
    return fromShortText(value);
  }

  /** @internal Only for {@link make}, which keeps the representation unique. */
  static unchecked(units: number | bigint, scale: number): Decimal {
    return new Decimal(units, scale);
  }

  /** Whether the value has no fraction. */
  get isWhole(): boolean {
    return this.scale === 0;
  }

  /** Whether it is 0. */
  get isZero(): boolean {
    return this.units === 0;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.units < 0 ? -1 : this.units === 0 ? 0 : 1;
  }

  /** Negative, zero or positive as this is below, equal to or above `other`. Exact. */
  compare(other: Decimal): number {
    const a = this.units;
    const b = other.units;
    if (this.scale === other.scale) return a < b ? -1 : a > b ? 1 : 0;
    if (this.sign !== other.sign) return this.sign - other.sign;
    if (typeof a === "number" && typeof b === "number" && this.scale <= 22 && other.scale <= 22) {
      // Both quotients are rounded correctly, and rounding keeps the order: only equal ones need the exact way.
      const difference = a / (POWERS[this.scale] as number) - b / (POWERS[other.scale] as number);
      if (difference !== 0) return difference;
    }
    const [x, y] = aligned(this, other);
    return x < y ? -1 : x > y ? 1 : 0;
  }

  /** Whether two numbers are the same, however they were written. */
  equals(other: Decimal): boolean {
    return this.scale === other.scale && this.units === other.units;
  }

  /** The exact sum. @throws FlowError `limit` past the default digit limit. */
  plus(other: Decimal): Decimal {
    const [x, y, scale] = aligned(this, other);
    return refuseLong(normalized(x + y, scale));
  }

  /** The exact difference. @throws FlowError `limit` past the default digit limit. */
  minus(other: Decimal): Decimal {
    const [x, y, scale] = aligned(this, other);
    return refuseLong(normalized(x - y, scale));
  }

  /** The exact product. @throws FlowError `limit` past the default digit limit. */
  times(other: Decimal): Decimal {
    return refuseLong(normalized(this.coefficient * other.coefficient, this.scale + other.scale));
  }

  /** The number with its sign turned; of 0 it is 0. */
  negated(): Decimal {
    return this.units === 0 ? this : new Decimal(-this.units, this.scale);
  }

  /** The number without its sign. */
  abs(): Decimal {
    return this.units < 0 ? this.negated() : this;
  }

  /**
   * The quotient rounded to `digits` significant digits.
   * @throws FlowError `usage` for a divisor of zero, or digits outside 1 to the default digit limit.
   */
  dividedBy(other: Decimal, digits: number, rounding: Rounding = "half-even"): Decimal {
    if (other.isZero) throw new FlowError("usage", "expected a divisor other than 0");
    requireDigits(digits, 1);
    // decimal.js's own constructor holds precision and rounding, so each division gets one of its own.
    const Scaled = exactJs().clone({ precision: digits, rounding: ROUNDING[rounding] });
    return Decimal.from(Scaled.div(this.toString(), other.toString()).toFixed());
  }

  /** The value with at most `places` digits after the point. @throws FlowError `usage` for a negative number of places. */
  round(places: number, rounding: Rounding = "half-even"): Decimal {
    requireDigits(places, 0);
    return this.scale <= places ? this : Decimal.from(this.toDecimalJs().toDecimalPlaces(places, ROUNDING[rounding]).toFixed());
  }

  /** The same value as a decimal.js number, for the operations of that library. */
  toDecimalJs(): DecimalJs {
    return new (exactJs())(this.toString());
  }

  /** The nearest binary64 number; it may differ from this value. */
  toApproximateNumber(): number {
    return Number(this.toString());
  }

  /** The canonical text: plain notation, no trailing zeros, no point when whole. */
  toString(): string {
    const { units, scale } = this;
    if (scale === 0) return String(units);
    const negative = units < 0;
    const digits = String(negative ? -units : units);
    const text =
      digits.length > scale
        ? `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`
        : `0.${"0".repeat(scale - digits.length)}${digits}`;
    return negative ? `-${text}` : text;
  }

  /** `JSON.stringify` would otherwise write the two fields; the text loses nothing. */
  toJSON(): string {
    return this.toString();
  }

  /** `a < b` on two objects would compare their texts; this makes the mistake loud. */
  valueOf(): never {
    throw new TypeError("a Decimal is not a number: use compare, equals, plus, minus, times");
  }

  /** How many digits plain notation needs (R13's `digits`). */
  get digits(): number {
    const { units, scale } = this;
    const significant = typeof units === "number" ? String(Math.abs(units)).length : bigintDigits(units);
    return significant > scale ? significant : scale + 1;
  }
}

/** The number of decimal digits of a bigint. */
export function bigintDigits(value: bigint): number {
  return String(value < 0n ? -value : value).length;
}

/** How many places the last decimal had that {@link fromShortText} found by trying. */
let lastScale = 2;

/**
 * Finds `units / 10^scale` for a binary64 number that is the nearest one to a decimal of at most 15 digits; such a
 * decimal is unique, and dividing two exact binary64 numbers rounds correctly, so the first scale that divides back
 * to the same number is the answer.
 */
function fromShortText(value: number): Decimal | undefined {
  // Neighbours tend to have equally many places. Beginning with those of the last one, and taking zeros off where they
  // are too many, makes a document of prices a quarter faster to read.
  const power = POWERS[lastScale] as number;
  let small = Math.round(value * power);
  if (small === (small | 0) && small / power === value) {
    let scale = lastScale;
    for (small |= 0; scale > 0 && small % 10 === 0; scale--) small = (small / 10) | 0;
    return Decimal.unchecked(small, scale);
  }
  for (let scale = 0; scale <= 15; scale++) {
    const power = POWERS[scale] as number;
    const units = Math.round(value * power);
    if (units > 999_999_999_999_999 || units < -999_999_999_999_999) return undefined;
    if (units / power !== value) continue;
    lastScale = scale;
    return Decimal.unchecked(units === 0 ? 0 : units, scale);
  }
  return undefined;
}

function make(units: bigint, scale: number): Decimal {
  return Decimal.unchecked(units <= MAX_SAFE && units >= -MAX_SAFE ? Number(units) : units, scale);
}

function normalized(coefficient: bigint, scale: number): Decimal {
  if (scale === 0) return make(coefficient, 0);
  if (coefficient === 0n) return make(0n, 0);
  let units = coefficient;
  let places = scale;
  // A product of two long decimals may end in thousands of zeros: they are counted in the text, not divided away.
  const digits = String(units);
  let zeros = 0;
  while (zeros < places && digits.charCodeAt(digits.length - 1 - zeros) === 48) zeros++;
  if (zeros > 0) {
    units = BigInt(digits.slice(0, digits.length - zeros));
    places -= zeros;
  }
  return make(units, places);
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.coefficient * 10n ** BigInt(scale - a.scale), b.coefficient * 10n ** BigInt(scale - b.scale), scale];
}

function tooLong(): FlowError {
  return new Refusal("limit", `a number of at most ${DEFAULT_LIMITS.digits} digits (limit digits)`).toFlowError();
}

function refuseLong(value: Decimal): Decimal {
  if (value.digits > DEFAULT_LIMITS.digits) throw tooLong();
  return value;
}

function requireDigits(digits: number, least: number): void {
  if (!Number.isSafeInteger(digits) || digits < least || digits > DEFAULT_LIMITS.digits) {
    throw new FlowError("usage", `expected a number of digits from ${least} to ${DEFAULT_LIMITS.digits}, met ${digits}`);
  }
}
