/** The items, and the order of each type: numbers by their digits, so that no size and no precision is lost; false before true. */
import { next, open, place, readString, skipValue, takes, units } from "../../assembly/reader";
import { BOOL, INT } from "./view";

const NAME: usize = memory.data(16, 2);
const NAME_CAPACITY: i32 = 8;

/** The least item so far: its text. */
export let least: usize = 0;
export let leastLength: usize = 0;
export let isEmpty: bool = true;

/** Reads `{"items":[…]}` and keeps the least item. The result is empty, or says why the call is refused. */
export function readItems(from: usize, length: usize, kind: i32): string {
  const items = "items";
  isEmpty = true;
  open(from, length);
  if (!takes(0x7b)) return "args is not a JSON object";
  next();
  if (!readString(NAME, NAME_CAPACITY) || units !== items.length) return "args is not an object with the one member items";
  if (memory.compare(NAME, changetype<usize>(items), 10) !== 0 || !takes(0x3a)) return "args is not an object with the one member items";
  if (!takes(0x5b)) return "items is not an array";
  if (next() !== 0x5d) {
    do {
      next();
      const start = place();
      if (!skipValue()) return "args is not JSON text";
      const size = place() - start;
      if (!isOf(kind, start, size)) return "an item is not a value of the type that types binds T to";
      if (isEmpty || isBefore(kind, start, size)) {
        least = start;
        leastLength = size;
        isEmpty = false;
      }
    } while (takes(0x2c));
  }
  if (!takes(0x5d) || !takes(0x7d) || next() >= 0) return "args is not an object with the one member items";
  return "";
}

/** Whether a value is one of the type, in canonical spelling. */
function isOf(kind: i32, from: usize, length: usize): bool {
  if (kind === BOOL) return load<u8>(from) === 0x74 || load<u8>(from) === 0x66;
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(from + i);
    if (byte >= 0x30 && byte <= 0x39) continue;
    if (byte === 0x2d && i === 0) continue;
    if (byte === 0x2e && kind !== INT) continue;
    return false;
  }
  return true;
}

/** Whether a value comes before the least one so far. */
function isBefore(kind: i32, from: usize, length: usize): bool {
  if (kind === BOOL) return load<u8>(from) === 0x66 && load<u8>(least) === 0x74;
  const negative = load<u8>(from) === 0x2d;
  if (negative !== (load<u8>(least) === 0x2d)) return negative;
  return negative ? compare(from + 1, length - 1, least + 1, leastLength - 1) > 0 : compare(from, length, least, leastLength) < 0;
}

/** Compares two canonical numbers without a sign: by how many digits stand before the point, and then digit by digit. */
function compare(left: usize, leftLength: usize, right: usize, rightLength: usize): i32 {
  const wholes = <i32>whole(left, leftLength) - <i32>whole(right, rightLength);
  if (wholes !== 0) return wholes;
  const shorter = leftLength < rightLength ? leftLength : rightLength;
  const difference = memory.compare(left, right, shorter);
  // A canonical fraction ends in no zero, so the longer of two that begin alike is the larger.
  return difference !== 0 ? difference : <i32>leftLength - <i32>rightLength;
}

function whole(from: usize, length: usize): usize {
  let count: usize = 0;
  while (count < length && load<u8>(from + count) !== 0x2e) count++;
  return count;
}
