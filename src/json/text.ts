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

/**
 * Whether the string holds anything past U+00FF.
 * V8 keeps strings without such characters one byte a unit and knows that this expression cannot match there: the
 * answer for a plain document of 8 MB takes no measurable time. Elsewhere it is a native search.
 */
export function hasWideUnits(text: string): boolean {
  return WIDE.test(text);
}

const WIDE = /[\u0100-\uffff]/;

/**
 * Whether a character that was found `count` times before `index` stands so densely that going over every character is
 * quicker than a native search from each to the next. A search costs about as much as 60 characters.
 */
export function isDense(count: number, index: number): boolean {
  return count > 4 && index < 64 * count;
}

/** The length in UTF-8 bytes of a well-formed string. */
export function utf8Length(text: string): number {
  return text.length > CHUNK ? longUtf8Length(text) : shortUtf8Length(text);
}

function shortUtf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes: each of its halves adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Units that are encoded at a time; a scratch of three bytes for each always holds them. */
const CHUNK = 16_384;
const encoder = new TextEncoder();
let scratch: Uint8Array | undefined;

/** The platform's encoder is twice to thirty times as fast as a loop over the units (two-byte and one-byte strings). */
function longUtf8Length(text: string): number {
  let bytes = 0;
  for (const { written } of encodedChunks(text)) bytes += written;
  return bytes;
}

/**
 * The UTF-8 bytes of a well-formed text, a piece at a time, each in the same scratch memory: it is good until the next
 * piece is asked for.
 */
export function* encodedChunks(text: string): Generator<{ readonly bytes: Uint8Array; readonly written: number }> {
  scratch ??= new Uint8Array(3 * CHUNK);
  const bytes = scratch;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + CHUNK, text.length);
    // A pair stays together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    yield { bytes, written: encoder.encodeInto(text.slice(start, end), bytes).written };
    start = end;
  }
}

/** Whether the string takes more than `limit` UTF-8 bytes, without counting them where its length already tells. */
export function exceedsUtf8(text: string, limit: number): boolean {
  const { length } = text;
  if (length > limit) return true;
  if (length * 3 <= limit || (length * 2 <= limit && !hasWideUnits(text))) return false;
  return utf8Length(text) > limit;
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
