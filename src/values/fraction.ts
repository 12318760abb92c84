/** Fractions of a second, as Instant and Duration write them: whole nanoseconds, no zeros at the end. */

/** Why a text is no instant or duration: not written as R9 and R10 say, or written well and out of range. */
export type TimeFault = "spelling" | "limit";

/**
 * Reads an optional fraction and the unit that must end the text. Zeros at the end of a fraction are taken, a digit
 * other than zero behind the ninth is not.
 * @param end The UTF-16 unit that closes the text (`Z` or `S`).
 * @returns Nanoseconds, or -1 where the text is not spelled so.
 */
export function parseFraction(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) === end) return start === text.length - 1 ? 0 : -1;
  if (text.charCodeAt(start) !== 46) return -1;
  let nanos = 0;
  let places = 0;
  let i = start + 1;
  for (; i < text.length - 1; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    if (places < 9) {
      nanos = nanos * 10 + digit;
      places++;
    } else if (digit > 0) return -1;
  }
  for (; places < 9; places++) nanos *= 10;
  return i > start + 1 && text.charCodeAt(i) === end ? nanos : -1;
}

/** `.5` for half a second, nothing for none. */
export function fractionText(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  let last = 9;
  while (digits.charCodeAt(last - 1) === 48) last--;
  return `.${digits.slice(0, last)}`;
}
