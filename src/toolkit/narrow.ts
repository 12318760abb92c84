/**
 * Checked narrowing (*Toolkits*): from the exact numbers of Flow to the numbers of a machine. Each conversion either
 * keeps the value or fails; what becomes of a value that does not fit is the author's decision.
 */
import { Decimal } from "../json/decimal.ts";
import { FlowError } from "../json/errors.ts";

/** An Int as a JavaScript number. @throws FlowError `limit` outside ±(2^53 - 1) */
export function toSafeNumber(value: bigint): number {
  return Number(within(value, BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER), "a safe JavaScript number"));
}

/** An Int as a signed number of 8, 16 or 32 bits. @throws FlowError `limit` where it does not fit */
export function toInt(value: bigint, bits: 8 | 16 | 32): number {
  return Number(signed(value, bits));
}

/** An Int as an unsigned number of 8, 16 or 32 bits. @throws FlowError `limit` where it does not fit */
export function toUint(value: bigint, bits: 8 | 16 | 32): number {
  return Number(unsigned(value, bits));
}

/** An Int that fits into 64 bits, signed; still a bigint, which is what `BigInt64Array` takes. @throws FlowError `limit` */
export function toInt64(value: bigint): bigint {
  return signed(value, 64);
}

/** An Int that fits into 64 bits, unsigned. @throws FlowError `limit` */
export function toUint64(value: bigint): bigint {
  return unsigned(value, 64);
}

/**
 * A Decimal as the JavaScript number that reads and prints as the same decimal: 0.1 passes, although no binary64 number
 * is exactly 0.1; a decimal of more digits than a number keeps does not.
 * @throws FlowError `limit` where digits would be lost, or the value is out of range
 */
export function toNumber(value: Decimal): number {
  const number = value.toApproximateNumber();
  if (!Number.isFinite(number) || !Decimal.fromNumber(number).equals(value)) {
    throw new FlowError("limit", `expected a Decimal that a JavaScript number keeps, met ${value}`);
  }
  return number;
}

function signed(value: bigint, bits: number): bigint {
  const half = 1n << BigInt(bits - 1);
  return within(value, -half, half - 1n, `a signed integer of ${bits} bits`);
}

function unsigned(value: bigint, bits: number): bigint {
  return within(value, 0n, (1n << BigInt(bits)) - 1n, `an unsigned integer of ${bits} bits`);
}

function within(value: bigint, least: bigint, most: bigint, what: string): bigint {
  if (value < least || value > most) throw new FlowError("limit", `expected ${what}, met ${value}`);
  return value;
}
