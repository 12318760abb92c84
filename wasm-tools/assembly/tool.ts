/**
 * What the exports of every small Tool have in common, in the canonical ABI's terms: addresses and lengths in, the address of a
 * result out. The build gives the functions their names in the interface, which AssemblyScript cannot spell.
 */
import { reset, retake, take } from "./arena";
import { FINGERPRINT, SIGNATURE, TOOL, TOOL_AFTER_VERSION, TOOL_BEFORE_VERSION } from "./constants";
import { isTool } from "./identity";
import { begin, bytes, endAt, text } from "./writer";

/** `outcome`: its case in the first byte, its string's address and length behind. */
const OUTCOME: usize = memory.data(12, 4);
export const OK: u8 = 0;
export const FAILED: u8 = 1;
const NOT_RUN: u8 = 2;

/** `description`: the data version, and the address and length of the list with its one `served` of three strings. */
const DESCRIPTION: usize = memory.data(16, 4);
const SERVED: usize = memory.data(24, 4);

/** How the host takes memory to write a call's strings into. */
export function cabi_realloc(place: usize, oldSize: usize, align: usize, newSize: usize): usize {
  return place === 0 ? take(newSize, align) : retake(place, oldSize, newSize, align);
}

/** `describe`: one declaration, whatever version the host speaks. */
export function describe(_data: usize, _dataLength: usize): usize {
  writeAt(DESCRIPTION, "0.1");
  store<u32>(DESCRIPTION, <u32>SERVED, 8);
  store<u32>(DESCRIPTION, 1, 12);
  writeAt(SERVED, TOOL);
  writeAt(SERVED + 8, FINGERPRINT);
  writeAt(SERVED + 16, SIGNATURE);
  return DESCRIPTION;
}

/** The host has read the result of `describe` or `answer`: the memory of the call is free again. */
export function done(_result: usize): void {
  reset();
}

/** Whether a call is for this component's declaration. */
export function isServed(tool: usize, length: usize): bool {
  return isTool(tool, length, TOOL_BEFORE_VERSION, TOOL_AFTER_VERSION);
}

/** `not-run` for another declaration. */
export function notServed(tool: usize, length: usize): usize {
  begin();
  text("this component does not serve ");
  bytes(tool, length);
  return outcome(NOT_RUN);
}

/** `not-run` with a reason. */
export function notRun(reason: string): usize {
  begin();
  text(reason);
  return outcome(NOT_RUN);
}

/** The outcome whose text has been written since `begin`. */
export function outcome(which: u8): usize {
  store<u8>(OUTCOME, which);
  endAt(OUTCOME + 4);
  return OUTCOME;
}

/** Writes a text and stores where it lies. */
function writeAt(slot: usize, value: string): void {
  begin();
  text(value);
  endAt(slot);
}
