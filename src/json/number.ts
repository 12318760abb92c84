/** JSON number texts, taken apart without being converted: what they are worth is known before anything is built. */

/** The parts of a number text. The value is `±digits × 10^power`, digits having no zero at either end. */
export interface NumberParts {
  /** The offset behind the last character of the number. */
  readonly end: number;
  readonly negative: boolean;
  /** Offsets of the first significant digit and behind the last one; a point may stand between them. */
  readonly first: number;
  readonly last: number;
  /** How many significant digits; 0 for zero. */
  readonly significant: number;
  readonly power: number;
}

/** Past this, an exponent decides alone: no text is long enough to bring the value back within any digit limit. */
const EXPONENT_CLAMP = 1e12;

const ZERO = 48;
const NINE = 57;

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** Takes apart the RFC 8259 number that starts at `start`; `undefined` where none does. */
export function numberParts(text: string, start: number): NumberParts | undefined {
  let i = start;
  const negative = text.charCodeAt(i) === 45;
  if (negative) i++;
  const whole = i;
  if (text.charCodeAt(i) === ZERO) i++;
  else while (isDigit(text.charCodeAt(i))) i++;
  if (i === whole) return undefined;
  let point = i;
  let mantissa = i;
  if (text.charCodeAt(i) === 46) {
    point = i++;
    while (isDigit(text.charCodeAt(i))) i++;
    if (i === point + 1) return undefined;
    mantissa = i;
  }
  let exponent = 0;
  if ((text.charCodeAt(i) | 32) === 101) {
    i++;
    const sign = text.charCodeAt(i);
    if (sign === 43 || sign === 45) i++;
    const digits = i;
    while (isDigit(text.charCodeAt(i))) {
      if (exponent < EXPONENT_CLAMP) exponent = exponent * 10 + (text.charCodeAt(i) - ZERO);
      i++;
    }
    if (i === digits) return undefined;
    if (exponent > EXPONENT_CLAMP) exponent = EXPONENT_CLAMP;
    if (sign === 45) exponent = -exponent;
  }
  // Leave out zeros at both ends; the point does not count as a digit.
  let first = whole;
  while (first < mantissa && (text.charCodeAt(first) === ZERO || first === point)) first++;
  if (first === mantissa) return { end: i, negative, first, last: first, significant: 0, power: 0 };
  let last = mantissa;
  while (text.charCodeAt(last - 1) === ZERO || last - 1 === point) last--;
  const pointInside = first < point && point < last;
  const significant = last - first - (pointInside ? 1 : 0);
  // The last significant digit stands `point - last` places before the point, or `last - 1 - point` behind it.
  const power = exponent + (last <= point ? point - last : point + 1 - last);
  return { end: i, negative, first, last, significant, power };
}

/** How many digits the value needs in plain notation, the 0 before a point counted (R13). */
export function plainDigits(parts: NumberParts): number {
  const { significant, power } = parts;
  if (significant === 0) return 1;
  if (power >= 0) return significant + power;
  return significant > -power ? significant : -power + 1;
}

const halves = new Int32Array(2);
const whole = new BigInt64Array(halves.buffer);
/** Whether the lower half of a number stands first in memory, as on every platform met. */
const littleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A safe integer as a bigint: through memory in half the time of `BigInt()`, which is a call out of compiled code. */
export const bigintOf: (value: number) => bigint = littleEndian
  ? (value) => {
      halves[0] = value | 0;
      halves[1] = Math.floor(value / 4_294_967_296);
      return whole[0] as bigint;
    }
  : BigInt;

/** How many digits a whole number has that is not negative. */
export function digitsOf(value: number): number {
  if (value < 10) return 1;
  if (value < 100) return 2;
  if (value < 1000) return 3;
  if (value < 1e4) return 4;
  if (value < 1e5) return 5;
  if (value < 1e6) return 6;
  let digits = 7;
  for (let power = 1e7; value >= power; power *= 10) digits++;
  return digits;
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
