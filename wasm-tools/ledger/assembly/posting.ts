/**
 * A posting, kept as the texts of its parts. No number becomes one of a machine's here: an account of any size and an amount of
 * any precision come back as they went in, and the one question about them is answered by their digits.
 */
import { next, open, place, readString, skipValue, takes, units } from "../../assembly/reader";
import { bytes, text } from "../../assembly/writer";

/** The largest amount that may be posted at once, 1e60. */
export const LIMIT: string = "1000000000000000000000000000000000000000000000000000000000000";

/** Room for the longest name of a member, and to tell it from longer ones. */
const NAME: usize = memory.data(32, 2);
const NAME_CAPACITY: i32 = 16;

/** Where each part's text lies, and how long it is: 0 where it is not there. */
let account: usize = 0;
let accountLength: usize = 0;
let amount: usize = 0;
let amountLength: usize = 0;
let note: usize = 0;
let noteLength: usize = 0;

/** Reads `{"posting":{"account":Int,"amount":Decimal,"note":Text}}`, the note perhaps absent. The result is empty, or says why not. */
export function readArgs(from: usize, length: usize): string {
  accountLength = amountLength = noteLength = 0;
  open(from, length);
  if (!takes(0x7b)) return "args is not a JSON object";
  next();
  if (!readString(NAME, NAME_CAPACITY) || !isName("posting") || !takes(0x3a)) return "args is not an object with the one member posting";
  if (!takes(0x7b)) return "posting is not an object";
  if (next() !== 0x7d) {
    do {
      const refusal = readMember();
      if (refusal.length > 0) return refusal;
    } while (takes(0x2c));
  }
  if (!takes(0x7d) || !takes(0x7d) || next() >= 0) return "args is not an object with the one member posting";
  if (accountLength === 0) return "posting has no member account";
  if (amountLength === 0) return "posting has no member amount";
  return "";
}

function readMember(): string {
  next();
  if (!readString(NAME, NAME_CAPACITY) || !takes(0x3a)) return "posting is not JSON text";
  // Before the value is read, which may be a string as well.
  const isAccount = isName("account");
  const isAmount = isName("amount");
  const isNote = isName("note");
  next();
  const from = place();
  if (!skipValue()) return "posting is not JSON text";
  const length = place() - from;
  if (isAccount) {
    if (accountLength > 0) return "posting has the member account twice";
    if (!isPlain(from, length, false)) return "account is not a whole number in plain digits";
    account = from;
    accountLength = length;
  } else if (isAmount) {
    if (amountLength > 0) return "posting has the member amount twice";
    if (!isPlain(from, length, true)) return "amount is not a number in plain digits";
    amount = from;
    amountLength = length;
  } else if (isNote) {
    if (noteLength > 0) return "posting has the member note twice";
    if (load<u8>(from) !== 0x22) return "note is not a string";
    note = from;
    noteLength = length;
  } else return "posting has a member that is not declared";
  return "";
}

/** Whether the name read last is this one. */
function isName(name: string): bool {
  return units === name.length && memory.compare(NAME, changetype<usize>(name), (<usize>units) << 1) === 0;
}

/** Whether a value is a number as canonical text has it: no exponent, and a point only where one may be. */
function isPlain(from: usize, length: usize, pointAllowed: bool): bool {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(from + i);
    if (byte >= 0x30 && byte <= 0x39) continue;
    if (byte === 0x2d && i === 0) continue;
    if (byte === 0x2e && pointAllowed) continue;
    return false;
  }
  return true;
}

/** Whether the amount is further from zero than the limit: by its digits before the point, and where these are as many, by them all. */
export function isTooLarge(): bool {
  const from = load<u8>(amount) === 0x2d ? amount + 1 : amount;
  const end = amount + amountLength;
  let whole = 0;
  while (from + whole < end && load<u8>(from + whole) !== 0x2e) whole++;
  if (whole !== LIMIT.length) return whole > LIMIT.length;
  if (load<u8>(from) !== 0x31) return true;
  for (let i: usize = from + 1; i < end; i++) {
    const byte = load<u8>(i);
    if (byte !== 0x30 && byte !== 0x2e) return true;
  }
  return false;
}

/** Writes the posting as it was booked. */
export function writePosting(): void {
  text('{"account":');
  bytes(account, accountLength);
  text(',"amount":');
  bytes(amount, amountLength);
  if (noteLength > 0) {
    text(',"note":');
    bytes(note, noteLength);
  }
  text("}");
}
