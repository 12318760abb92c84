/**
 * Writes one UTF-8 text at the end of the arena. Only one is written at a time and nothing else takes memory meanwhile,
 * so the text grows where it is, without a buffer to move.
 */
import { mark, take } from "./arena";

/** How much more than is needed is taken at once. */
const SPARE: usize = 1024;

let start: usize = 0;
let at: usize = 0;
let end: usize = 0;

/** Begins a text. */
export function begin(): void {
  start = mark();
  at = start;
  end = start;
}

/** Ends the text and stores its address and length at `slot`, as the canonical ABI lays out a string. */
export function endAt(slot: usize): void {
  store<u32>(slot, <u32>start);
  store<u32>(slot, <u32>(at - start), 4);
}

/** Room for the next bytes of the text. */
function room(size: usize): usize {
  const place = at;
  at += size;
  if (at > end) {
    take(at - end + SPARE, 1);
    end = mark();
  }
  return place;
}

/** One ASCII character. */
function ascii(unit: i32): void {
  store<u8>(room(1), unit);
}

/** A string as it is. */
export function text(value: string): void {
  for (let i = 0; i < value.length; i++) i += codePoint(changetype<usize>(value) + ((<usize>i) << 1));
}

/** UTF-8 bytes as they are. */
export function bytes(from: usize, length: usize): void {
  memory.copy(room(length), from, length);
}

/** A string as a canonical JSON string: only `"`, `\` and the control characters are escaped. */
export function jsonString(value: string): void {
  ascii(0x22);
  jsonUnits(changetype<usize>(value), value.length);
  ascii(0x22);
}

/** What stands between the quotes of a canonical JSON string, from well-formed UTF-16. */
export function jsonUnits(from: usize, length: i32): void {
  for (let i = 0; i < length; i++) {
    const at = from + ((<usize>i) << 1);
    const unit = <i32>load<u16>(at);
    if (unit < 0x20) {
      control(unit);
    } else {
      if (unit === 0x22 || unit === 0x5c) ascii(0x5c);
      i += codePoint(at);
    }
  }
}

/** A control character: `\b \t \n \f \r` by name, the others by number. */
function control(unit: i32): void {
  ascii(0x5c);
  if (unit === 8) ascii(0x62);
  else if (unit === 9) ascii(0x74);
  else if (unit === 10) ascii(0x6e);
  else if (unit === 12) ascii(0x66);
  else if (unit === 13) ascii(0x72);
  else {
    const low = unit & 15;
    text(unit < 16 ? "u000" : "u001");
    ascii(low < 10 ? 0x30 + low : 0x57 + low);
  }
}

/** The code point at `at`, in UTF-8. The result is how many further code units it took: 1 for a surrogate pair. */
function codePoint(at: usize): i32 {
  const unit = <i32>load<u16>(at);
  if (unit < 0x80) {
    ascii(unit);
    return 0;
  }
  if (unit < 0x800) {
    const to = room(2);
    store<u8>(to, 0xc0 | (unit >> 6));
    store<u8>(to, 0x80 | (unit & 0x3f), 1);
    return 0;
  }
  if (unit < 0xd800 || unit > 0xdfff) {
    const to = room(3);
    store<u8>(to, 0xe0 | (unit >> 12));
    store<u8>(to, 0x80 | ((unit >> 6) & 0x3f), 1);
    store<u8>(to, 0x80 | (unit & 0x3f), 2);
    return 0;
  }
  const point = 0x10000 + ((unit & 0x3ff) << 10) + (<i32>load<u16>(at, 2) & 0x3ff);
  const to = room(4);
  store<u8>(to, 0xf0 | (point >> 18));
  store<u8>(to, 0x80 | ((point >> 12) & 0x3f), 1);
  store<u8>(to, 0x80 | ((point >> 6) & 0x3f), 2);
  store<u8>(to, 0x80 | (point & 0x3f), 3);
  return 1;
}
