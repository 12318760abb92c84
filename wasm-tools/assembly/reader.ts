/**
 * Reads the parts of JSON text that the arguments are made of: marks, whitespace and strings. The text is UTF-8 in
 * memory; the host guarantees that it is valid, since it is a WIT string.
 */

let at: usize = 0;
let end: usize = 0;

/** Of the string read last: its length in UTF-16 code units. */
export let units: i32 = 0;
/** Of the string read last: its length in UTF-8 bytes. */
export let bytes: i32 = 0;

/** Starts to read the text of `length` bytes at `from`. */
export function open(from: usize, length: usize): void {
  at = from;
  end = from + length;
}

/** Where the next byte to read lies. */
export function place(): usize {
  return at;
}

/** Skips whitespace, and says which byte comes next: -1 at the end. */
export function next(): i32 {
  while (at < end) {
    const byte = <i32>load<u8>(at);
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte;
    at++;
  }
  return -1;
}

/** Skips whitespace, and takes the byte `mark` if that comes next. */
export function takes(mark: i32): bool {
  if (next() !== mark) return false;
  at++;
  return true;
}

/**
 * Reads a string, which is to begin here, and stores its UTF-16 code units at `into`, at most `capacity` of them. A
 * longer string is read to its end and counted all the same. False if this is no JSON string, or one with a lone
 * surrogate.
 */
export function readString(into: usize, capacity: i32): bool {
  units = 0;
  bytes = 0;
  if (at >= end || load<u8>(at) !== 0x22) return false;
  at++;
  while (at < end) {
    const byte = <i32>load<u8>(at);
    if (byte === 0x22) {
      at++;
      return true;
    }
    if (byte < 0x20) return false;
    const point = byte === 0x5c ? escaped() : byte < 0x80 ? ascii(byte) : beyondAscii(byte);
    if (point < 0) return false;
    put(point, into, capacity);
  }
  return false;
}

/** How deep values may nest, as a host has it by default. */
const DEEPEST: i32 = 128;

/** Reads a value of any kind and keeps nothing of it. False if this is no JSON value. Whether an object has a name twice is not looked at. */
export function skipValue(depth: i32 = 1): bool {
  if (depth > DEEPEST) return false;
  const mark = next();
  if (mark === 0x22) return readString(0, 0);
  if (mark === 0x7b || mark === 0x5b) return skipContainer(mark, depth);
  if (mark === 0x74) return skipWord("true");
  if (mark === 0x66) return skipWord("false");
  if (mark === 0x6e) return skipWord("null");
  return skipNumber();
}

/** An object or an array. Its end mark is two code points behind its beginning. */
function skipContainer(mark: i32, depth: i32): bool {
  at++;
  if (takes(mark + 2)) return true;
  do {
    next();
    if (mark === 0x7b && (!readString(0, 0) || !takes(0x3a))) return false;
    if (!skipValue(depth + 1)) return false;
  } while (takes(0x2c));
  return takes(mark + 2);
}

function skipWord(word: string): bool {
  if (end - at < <usize>word.length) return false;
  for (let i = 0; i < word.length; i++) if (<i32>load<u8>(at + i) !== word.charCodeAt(i)) return false;
  at += word.length;
  return true;
}

function skipNumber(): bool {
  if (at < end && load<u8>(at) === 0x2d) at++;
  if (at < end && load<u8>(at) === 0x30) at++;
  else if (!digits()) return false;
  if (at < end && load<u8>(at) === 0x2e) {
    at++;
    if (!digits()) return false;
  }
  if (at < end && (load<u8>(at) | 0x20) === 0x65) {
    at++;
    if (at < end && (load<u8>(at) === 0x2b || load<u8>(at) === 0x2d)) at++;
    return digits();
  }
  return true;
}

/** One digit or more. */
function digits(): bool {
  const start = at;
  while (at < end && load<u8>(at) >= 0x30 && load<u8>(at) <= 0x39) at++;
  return at > start;
}

/** Stores a code point, where there is room for it. */
function put(point: i32, into: usize, capacity: i32): void {
  bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  const to = into + ((<usize>units) << 1);
  const wide = point > 0xffff;
  units += wide ? 2 : 1;
  if (units > capacity) return;
  if (wide) {
    store<u16>(to, 0xd7c0 + (point >> 10));
    store<u16>(to, 0xdc00 | (point & 0x3ff), 2);
  } else {
    store<u16>(to, point);
  }
}

function ascii(byte: i32): i32 {
  at++;
  return byte;
}

/** A code point of several bytes, the first of which says how many. */
function beyondAscii(first: i32): i32 {
  const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  if (at + more >= end) return -1;
  let point = first & (0x3f >> more);
  for (let i = 1; i <= more; i++) point = (point << 6) | (<i32>load<u8>(at + i) & 0x3f);
  at += more + 1;
  return point;
}

/** The code point of an escape, a surrogate pair of two escapes included; -1 if it is none. */
function escaped(): i32 {
  if (at + 1 >= end) return -1;
  const name = <i32>load<u8>(at, 1);
  at += 2;
  switch (name) {
    case 0x22:
    case 0x5c:
    case 0x2f:
      return name;
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    case 0x75:
      break;
    default:
      return -1;
  }
  const high = hex4();
  if (high < 0xd800 || high > 0xdfff) return high;
  if (high > 0xdbff || at + 2 > end || load<u8>(at) !== 0x5c || load<u8>(at, 1) !== 0x75) return -1;
  at += 2;
  const low = hex4();
  if (low < 0xdc00 || low > 0xdfff) return -1;
  return 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
}

/** Four hexadecimal digits in either case; -1 if they are not. */
function hex4(): i32 {
  if (at + 4 > end) return -1;
  let value = 0;
  for (let i = 0; i < 4; i++) {
    const byte = <i32>load<u8>(at + i);
    const letter = byte | 0x20;
    let digit = -1;
    if (byte >= 0x30 && byte <= 0x39) digit = byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) digit = letter - 0x57;
    if (digit < 0) return -1;
    value = (value << 4) | digit;
  }
  at += 4;
  return value;
}
