/**
 * The call's view of its types, of which this Tool needs one thing: what `ok` is, since that is its type parameter. It checks
 * nothing else of the view, neither that `bindings` and `params` say the same nor that `schema` is the schema of it. A Tool
 * written with the toolkit does.
 */
import { next, open, readString, skipValue, takes, units } from "../../assembly/reader";

export const UNKNOWN: i32 = -1;
export const INT: i32 = 0;
export const DECIMAL: i32 = 1;
export const BOOL: i32 = 2;

const TEXT: usize = memory.data(32, 2);
const CAPACITY: i32 = 16;

/** What `ok` is in the view; UNKNOWN for every other type, and for a text that is no view. */
export function kindIn(from: usize, length: usize): i32 {
  let kind = UNKNOWN;
  open(from, length);
  if (!takes(0x7b)) return UNKNOWN;
  do {
    next();
    if (!readString(TEXT, CAPACITY) || !takes(0x3a)) return UNKNOWN;
    if (!is("ok")) {
      if (!skipValue()) return UNKNOWN;
      continue;
    }
    next();
    // A type without parts is a string, and every other one an object.
    if (!readString(TEXT, CAPACITY)) return UNKNOWN;
    kind = is("Int") ? INT : is("Decimal") ? DECIMAL : is("Bool") ? BOOL : UNKNOWN;
  } while (takes(0x2c));
  return takes(0x7d) && next() < 0 ? kind : UNKNOWN;
}

function is(name: string): bool {
  return units === name.length && memory.compare(TEXT, changetype<usize>(name), (<usize>units) << 1) === 0;
}
