/** Instant: a point in time on whole nanoseconds, in ECMAScript's range (R9). */
import { FlowError } from "../json/errors.ts";
import { fractionText, parseFraction, type TimeFault } from "./fraction.ts";
import { temporal } from "./temporal.ts";

/** The last whole second of ECMAScript's time range, 100,000,000 days from the epoch in both directions. */
const LAST_SECOND = 8_640_000_000_000;

const NANOS = 1_000_000_000;

/** Days of the months of a year that starts on 1 March, as cumulative counts: the leap day comes last. */
const DAYS_BEFORE_MARCH_MONTH = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337] as const;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Days of 400, 100 and 4 years of the proleptic Gregorian calendar. */
const DAYS_PER_ERA = 146_097;
/** From 0000-03-01 to 1970-01-01. */
const EPOCH_DAY = 719_468;

/** An immutable point in time. `seconds` is rounded down, `nanos` (0 to 999,999,999) is what remains. */
export class Instant {
  /** Whole seconds since 1970, rounded down. */
  readonly seconds: number;
  /** Nanoseconds beyond `seconds`, from 0 to 999,999,999. */
  readonly nanos: number;

  private constructor(seconds: number, nanos: number) {
    this.seconds = seconds;
    this.nanos = nanos;
  }

  /** @throws FlowError `limit` outside ±8.64e21 ns. */
  static fromEpochNanoseconds(nanoseconds: bigint): Instant {
    const seconds = floorDivide(nanoseconds, NANOS);
    const instant = within(Number(seconds), Number(nanoseconds - seconds * BigInt(NANOS)));
    if (instant === undefined) throw outOfRange(`${nanoseconds} ns`);
    return instant;
  }

  /** @throws FlowError `kind` for an invalid Date. */
  static fromDate(date: Date): Instant {
    const milliseconds = date.getTime();
    if (Number.isNaN(milliseconds)) throw new FlowError("kind", "expected a valid Date");
    const seconds = Math.floor(milliseconds / 1000);
    return new Instant(seconds, (milliseconds - seconds * 1000) * 1_000_000);
  }

  /** Takes a `Temporal.Instant`, of the platform or a polyfill. */
  static fromTemporal(value: { readonly epochNanoseconds: bigint }): Instant {
    return Instant.fromEpochNanoseconds(value.epochNanoseconds);
  }

  /** Reads the spelling of R9. @throws FlowError `spelling` or `limit`. */
  static parse(text: string): Instant {
    const instant = parseInstant(text);
    if (instant === "limit") throw outOfRange(JSON.stringify(text));
    if (instant === "spelling") {
      throw new FlowError("spelling", `expected an instant such as "2026-11-30T16:28:00.5Z", met ${JSON.stringify(text)}`);
    }
    return instant;
  }

  /** @internal Seconds and nanos that are known to be in range. */
  static unchecked(seconds: number, nanos: number): Instant {
    return new Instant(seconds, nanos);
  }

  /** Nanoseconds since 1970. */
  get epochNanoseconds(): bigint {
    return BigInt(this.seconds) * BigInt(NANOS) + BigInt(this.nanos);
  }

  /**
   * A Date of this instant.
   * @param finer What becomes of a part below a millisecond: refused (the default), or rounded down.
   * @throws FlowError `not-whole` where a part below a millisecond would be lost.
   */
  toDate(finer: "refuse" | "floor" = "refuse"): Date {
    if (finer === "refuse" && this.nanos % 1_000_000 !== 0) {
      throw new FlowError("not-whole", `expected whole milliseconds for a Date, met ${this}; toDate("floor") rounds down`);
    }
    return new Date(this.seconds * 1000 + Math.floor(this.nanos / 1_000_000));
  }

  /** A `Temporal.Instant`. @throws FlowError `unsupported` where the platform has no Temporal. */
  toTemporal(): unknown {
    return temporal().Instant.fromEpochNanoseconds(this.epochNanoseconds);
  }

  /** Negative, zero or positive as this is before, at or after `other`. */
  compare(other: Instant): number {
    return this.seconds - other.seconds || this.nanos - other.nanos;
  }

  /** Whether two points are the same. */
  equals(other: Instant): boolean {
    return this.seconds === other.seconds && this.nanos === other.nanos;
  }

  /** The canonical text: UTC, `Z`, the fewest digits of a fraction. */
  toString(): string {
    const day = Math.floor(this.seconds / 86_400);
    const second = this.seconds - day * 86_400;
    const clock = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
    return `${dateText(day)}T${clock}${fractionText(this.nanos)}Z`;
  }

  /** The canonical text, as the encoding has it (R9). */
  toJSON(): string {
    return this.toString();
  }

  /** Throws, so that nothing takes it for a number. @throws TypeError always */
  valueOf(): never {
    throw new TypeError("an Instant is not a number: use compare, equals or epochNanoseconds");
  }
}

/** The instant of a text, or why it is none. */
export function parseInstant(text: string): Instant | TimeFault {
  const sign = text.charCodeAt(0);
  let yearDigits = 4;
  let at = 0;
  if (sign === 43 || sign === 45) {
    at = 1;
    const dash = text.indexOf("-", 1);
    yearDigits = dash - 1;
    // A sign is for years outside 0000 to 9999 alone, and only four digits may be padded with zeros.
    if (yearDigits < 4 || (yearDigits > 4 && text.charCodeAt(1) === 48) || (sign === 43 && yearDigits === 4)) return "spelling";
  }
  let year = digits(text, at, yearDigits);
  at += yearDigits;
  const month = digits(text, at + 1, 2);
  const day = digits(text, at + 4, 2);
  const hour = digits(text, at + 7, 2);
  const minute = digits(text, at + 10, 2);
  const second = digits(text, at + 13, 2);
  if (
    !(year >= 0 && month >= 1 && month <= 12 && day >= 1 && hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59) ||
    !(second >= 0 && second <= 59) ||
    text.charCodeAt(at) !== 45 ||
    text.charCodeAt(at + 3) !== 45 ||
    text.charCodeAt(at + 6) !== 84 ||
    text.charCodeAt(at + 9) !== 58 ||
    text.charCodeAt(at + 12) !== 58
  ) {
    return "spelling";
  }
  if (sign === 45) {
    if (year === 0) return "spelling";
    year = -year;
  }
  const nanos = parseFraction(text, at + 15, 90);
  if (nanos < 0) return "spelling";
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  if (day > (DAYS_IN_MONTH[month - 1] as number) + leap) return "spelling";
  return within(dayNumber(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second, nanos) ?? "limit";
}

function within(seconds: number, nanos: number): Instant | undefined {
  if (!(seconds >= -LAST_SECOND && (seconds < LAST_SECOND || (seconds === LAST_SECOND && nanos === 0)))) return undefined;
  return Instant.unchecked(seconds, nanos);
}

function outOfRange(met: string): FlowError {
  return new FlowError("limit", `expected an instant within 100,000,000 days of 1970-01-01T00:00:00Z, met ${met}`);
}

/** A number of exactly `count` digits, or NaN. */
function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Days from 1970-01-01 to a date (Howard Hinnant's `days_from_civil`: years that start in March put leap days last). */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = (DAYS_BEFORE_MARCH_MONTH[(month + 9) % 12] as number) + day - 1;
  return era * DAYS_PER_ERA + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - EPOCH_DAY;
}

/** The date of a day number (`civil_from_days`), with a sign outside the years 0000 to 9999. */
function dateText(dayFromEpoch: number): string {
  const shifted = dayFromEpoch + EPOCH_DAY;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - (DAYS_BEFORE_MARCH_MONTH[marchMonth] as number) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const magnitude = String(Math.abs(year)).padStart(4, "0");
  const yearText = year < 0 ? `-${magnitude}` : year > 9999 ? `+${magnitude}` : magnitude;
  return `${yearText}-${two(month)}-${two(day)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function floorDivide(value: bigint, by: number): bigint {
  const divisor = BigInt(by);
  const quotient = value / divisor;
  return value < 0n && quotient * divisor !== value ? quotient - 1n : quotient;
}
