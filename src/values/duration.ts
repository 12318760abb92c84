/** Duration: a length of time on whole nanoseconds, with fewer than 2^53 whole seconds (R10). */
import { FlowError } from "../json/errors.ts";
import { fractionText, parseFraction, type TimeFault } from "./fraction.ts";
import { temporal } from "./temporal.ts";

const NANOS_BIG = 1_000_000_000n;

/** What a `Temporal.Duration` has; a polyfill's will do. */
export interface TemporalDurationLike {
  readonly years: number;
  readonly months: number;
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly milliseconds: number;
  readonly microseconds: number;
  readonly nanoseconds: number;
}

/** An immutable length of time: `sign * (seconds + nanos / 1e9)`. */
export class Duration {
  /** -1, 0 or 1. */
  readonly sign: number;
  /** Whole seconds of the magnitude. */
  readonly seconds: number;
  /** The rest of the magnitude, 0 to 999,999,999. */
  readonly nanos: number;

  private constructor(sign: number, seconds: number, nanos: number) {
    this.sign = sign;
    this.seconds = seconds;
    this.nanos = nanos;
  }

  /** @throws FlowError `limit` from 2^53 whole seconds on. */
  static fromNanoseconds(nanoseconds: bigint): Duration {
    const magnitude = nanoseconds < 0n ? -nanoseconds : nanoseconds;
    const seconds = magnitude / NANOS_BIG;
    if (seconds > BigInt(Number.MAX_SAFE_INTEGER)) throw outOfRange(`${nanoseconds} ns`);
    return Duration.unchecked(nanoseconds < 0n, Number(seconds), Number(magnitude % NANOS_BIG));
  }

  /** A whole number of milliseconds, as timers and the difference of two Dates have them. @throws FlowError `not-whole` */
  static fromMilliseconds(milliseconds: number): Duration {
    if (!Number.isSafeInteger(milliseconds)) throw new FlowError("not-whole", `expected whole milliseconds, met ${milliseconds}`);
    return Duration.fromNanoseconds(BigInt(milliseconds) * 1_000_000n);
  }

  /**
   * Takes a `Temporal.Duration`; its days have 24 hours, as Temporal itself has it without a reference point.
   * @throws FlowError `kind` for years, months or weeks, whose length is not fixed; `limit`.
   */
  static fromTemporal(value: TemporalDurationLike): Duration {
    if (value.years !== 0 || value.months !== 0 || value.weeks !== 0) {
      throw new FlowError("kind", "expected a duration of days and smaller units, met years, months or weeks, whose length is not fixed");
    }
    const hours = BigInt(value.days) * 24n + BigInt(value.hours);
    const seconds = (hours * 60n + BigInt(value.minutes)) * 60n + BigInt(value.seconds);
    const milliseconds = seconds * 1000n + BigInt(value.milliseconds);
    return Duration.fromNanoseconds((milliseconds * 1000n + BigInt(value.microseconds)) * 1000n + BigInt(value.nanoseconds));
  }

  /** Reads the spelling of R10. @throws FlowError `spelling` or `limit`. */
  static parse(text: string): Duration {
    const duration = parseDuration(text);
    if (duration === "limit") throw outOfRange(JSON.stringify(text));
    if (duration === "spelling") throw new FlowError("spelling", `expected a duration such as "PT90.5S", met ${JSON.stringify(text)}`);
    return duration;
  }

  /** @internal A magnitude that is known to be in range. */
  static unchecked(negative: boolean, seconds: number, nanos: number): Duration {
    const sign = seconds === 0 && nanos === 0 ? 0 : negative ? -1 : 1;
    return new Duration(sign, seconds, nanos);
  }

  /** The span in nanoseconds. */
  get nanoseconds(): bigint {
    const magnitude = BigInt(this.seconds) * NANOS_BIG + BigInt(this.nanos);
    return this.sign < 0 ? -magnitude : magnitude;
  }

  /**
   * Milliseconds, for timers.
   * @param finer What becomes of a part below a millisecond: refused (the default), or cut off.
   * @throws FlowError `not-whole` where a part would be lost, `limit` where no exact number holds them.
   */
  toMilliseconds(finer: "refuse" | "truncate" = "refuse"): number {
    if (finer === "refuse" && this.nanos % 1_000_000 !== 0) {
      throw new FlowError("not-whole", `expected whole milliseconds, met ${this}; toMilliseconds("truncate") cuts the rest off`);
    }
    const magnitude = this.seconds * 1000 + Math.floor(this.nanos / 1_000_000);
    const milliseconds = this.sign < 0 ? 0 - magnitude : magnitude;
    if (!Number.isSafeInteger(milliseconds)) throw outOfRange(`${this} as milliseconds`);
    return milliseconds;
  }

  /** A `Temporal.Duration` of seconds and nanoseconds. @throws FlowError `unsupported` where the platform has no Temporal. */
  toTemporal(): unknown {
    const { sign } = this;
    return temporal().Duration.from({ seconds: sign * this.seconds, nanoseconds: sign * this.nanos });
  }

  /** Negative, zero or positive as this is below, equal to or above `other`. */
  compare(other: Duration): number {
    if (this.sign !== other.sign) return this.sign - other.sign;
    const magnitude = this.seconds - other.seconds || this.nanos - other.nanos;
    return this.sign < 0 ? 0 - magnitude : magnitude;
  }

  /** Whether two spans are the same. */
  equals(other: Duration): boolean {
    return this.sign === other.sign && this.seconds === other.seconds && this.nanos === other.nanos;
  }

  /** The canonical text, `PT` and seconds. */
  toString(): string {
    return `PT${this.sign < 0 ? "-" : ""}${this.seconds}${fractionText(this.nanos)}S`;
  }

  /** The canonical text, as the encoding has it (R10). */
  toJSON(): string {
    return this.toString();
  }

  /** Throws, so that nothing takes it for a number. @throws TypeError always */
  valueOf(): never {
    throw new TypeError("a Duration is not a number: use compare, equals or nanoseconds");
  }
}

/** The duration of a text, or why it is none. */
export function parseDuration(text: string): Duration | TimeFault {
  if (!text.startsWith("PT")) return "spelling";
  const negative = text.charCodeAt(2) === 45;
  const first = negative ? 3 : 2;
  let at = first;
  let seconds = 0;
  for (; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    // Past 2^53 the exact sum no longer matters, only that it stays past it.
    seconds = seconds * 10 + digit;
  }
  if (at === first || (at > first + 1 && text.charCodeAt(first) === 48)) return "spelling";
  const nanos = parseFraction(text, at, 83);
  if (nanos < 0) return "spelling";
  if (negative && seconds === 0 && nanos === 0) return "spelling";
  return seconds > Number.MAX_SAFE_INTEGER ? "limit" : Duration.unchecked(negative, seconds, nanos);
}

function outOfRange(met: string): FlowError {
  return new FlowError("limit", `expected a duration of fewer than 2^53 seconds, met ${met}`);
}
