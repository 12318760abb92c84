/** Facts about strings that several readers and writers need: code-point order, UTF-8 length, well-formedness. */

/**
 * Compares by code points, as R12 and the canonical form want: negative, zero or positive.
 * JavaScript's own `<` compares UTF-16 code units, which puts U+10000 and above before U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above every other code unit.
    if (x >= 0xd800 && y >= 0xd800) return lift(x) - lift(y);
    return x - y;
  }
  return a.length - b.length;
}

/** Moves surrogates above U+E000 to U+FFFF and keeps the order otherwise. */
function lift(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** The length in UTF-8 bytes of a well-formed string. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each of its halves adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Whether the string takes more than `limit` UTF-8 bytes, without counting them where its length already tells. */
export function exceedsUtf8(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && utf8Length(text) > limit;
}

/** The index of the first lone surrogate, or -1. */
export function loneSurrogate(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = unit < 0xdc00 && i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    if (next < 0xdc00 || next > 0xdfff) return i;
    i++;
  }
  return -1;
}

/** Native where the platform has it (one-byte strings answer at once there), a loop elsewhere. */
export const isWellFormed: (text: string) => boolean =
  typeof (String.prototype as { isWellFormed?: unknown }).isWellFormed === "function"
    ? (text) => (text as unknown as { isWellFormed(): boolean }).isWellFormed()
    : (text) => loneSurrogate(text) < 0;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, byte-order mark kept, or `undefined` where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
