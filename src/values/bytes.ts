/** Bytes: unsigned order (R12) and RFC 4648 section 4 base64 in its one canonical spelling (R8). */

/** By unsigned bytes, a prefix first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));

/** What each ASCII character is worth; 64 and above for those outside the alphabet. */
const WORTH = new Uint8Array(128).fill(255);
for (let i = 0; i < CODES.length; i++) WORTH[CODES[i] as number] = i;

const PAD = 61;
const decoder = new TextDecoder();

/** The standard, padded base64 text. */
export function encodeBase64(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  const out = new Uint8Array(base64Length(bytes.length));
  let o = 0;
  for (let i = 0; i < whole; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number);
    out[o++] = CODES[group >> 18] as number;
    out[o++] = CODES[(group >> 12) & 63] as number;
    out[o++] = CODES[(group >> 6) & 63] as number;
    out[o++] = CODES[group & 63] as number;
  }
  if (whole < bytes.length) {
    const group = ((bytes[whole] as number) << 16) | ((bytes[whole + 1] ?? 0) << 8);
    out[o++] = CODES[group >> 18] as number;
    out[o++] = CODES[(group >> 12) & 63] as number;
    out[o++] = whole + 1 < bytes.length ? (CODES[(group >> 6) & 63] as number) : PAD;
    out[o] = PAD;
  }
  return decoder.decode(out);
}

/** The bytes of a canonical base64 text; `undefined` for every other text, unused bits that are not zero included. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const { length } = text;
  if (length % 4 !== 0) return undefined;
  if (length === 0) return new Uint8Array(0);
  const padding = text.charCodeAt(length - 1) !== PAD ? 0 : text.charCodeAt(length - 2) !== PAD ? 1 : 2;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const whole = padding === 0 ? length : length - 4;
  let o = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = worth(text, i);
    const b = worth(text, i + 1);
    const c = worth(text, i + 2);
    const d = worth(text, i + 3);
    if ((a | b | c | d) > 63) return undefined;
    bytes[o++] = (a << 2) | (b >> 4);
    bytes[o++] = (b << 4) | (c >> 2);
    bytes[o++] = (c << 6) | d;
  }
  if (padding > 0) {
    const a = worth(text, whole);
    const b = worth(text, whole + 1);
    const c = padding === 1 ? worth(text, whole + 2) : 0;
    const unused = padding === 1 ? c & 3 : b & 15;
    if ((a | b | c) > 63 || unused !== 0) return undefined;
    bytes[o++] = (a << 2) | (b >> 4);
    if (padding === 1) bytes[o] = (b << 4) | (c >> 2);
  }
  return bytes;
}

function worth(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (WORTH[unit] as number) : 255;
}

/** How long the base64 text of so many bytes is. */
export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}
