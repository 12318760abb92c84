/**
 * The component's exports, in the canonical ABI's terms: addresses and lengths in, the address of a result out. The
 * build gives these functions their names in the interface, which AssemblyScript cannot spell.
 */

import { reset, retake, take } from "./arena";
import { QUERY, queryLength, readArgs } from "./args";
import { FINGERPRINT, SIGNATURE, TOOL, TOOL_AFTER_VERSION, TOOL_BEFORE_VERSION } from "./constants";
import { isTool } from "./identity";
import { hasWords, writeBadQuery, writeFound } from "./search";
import { begin, bytes, endAt, text } from "./writer";

/** `outcome`: its case in the first byte, its string's address and length behind. */
const OUTCOME: usize = memory.data(12, 4);
const OK: u8 = 0;
const FAILED: u8 = 1;
const NOT_RUN: u8 = 2;

/** `description`: the data version, and the address and length of the list with its one `served` of three strings. */
const DESCRIPTION: usize = memory.data(16, 4);
const SERVED: usize = memory.data(24, 4);

/** How the host takes memory to write a call's strings into. */
export function cabi_realloc(place: usize, oldSize: usize, align: usize, newSize: usize): usize {
  return place === 0 ? take(newSize, align) : retake(place, oldSize, newSize, align);
}

/** `describe`: this component serves one declaration, whatever version the host speaks. */
export function describe(_data: usize, _dataLength: usize): usize {
  writeAt(DESCRIPTION, "0.1");
  store<u32>(DESCRIPTION, <u32>SERVED, 8);
  store<u32>(DESCRIPTION, 1, 12);
  writeAt(SERVED, TOOL);
  writeAt(SERVED + 8, FINGERPRINT);
  writeAt(SERVED + 16, SIGNATURE);
  return DESCRIPTION;
}

/** `answer`: everything that can be refused is refused before the search begins. */
export function answer(
  _run: usize,
  _runLength: usize,
  _call: usize,
  _callLength: usize,
  tool: usize,
  toolLength: usize,
  args: usize,
  argsLength: usize,
  hasSchema: i32,
  _schema: usize,
  _schemaLength: usize,
  hasTypes: i32,
  _types: usize,
  _typesLength: usize,
): usize {
  begin();
  if (!isTool(tool, toolLength, TOOL_BEFORE_VERSION, TOOL_AFTER_VERSION)) {
    text("this component does not serve ");
    bytes(tool, toolLength);
    return outcome(NOT_RUN);
  }
  if (hasSchema || hasTypes) return notRun("schema and types belong to generic calls, and this Tool is not generic");
  const refusal = readArgs(args, argsLength);
  if (refusal.length > 0) return notRun(refusal);
  if (!hasWords(QUERY, queryLength)) {
    writeBadQuery(QUERY, queryLength);
    return outcome(FAILED);
  }
  writeFound(QUERY, queryLength);
  return outcome(OK);
}

/** The host has read the result of `describe` or `answer`: the memory of the call is free again. */
export function done(_result: usize): void {
  reset();
}

function notRun(reason: string): usize {
  text(reason);
  return outcome(NOT_RUN);
}

/** The outcome whose text has just been written. */
function outcome(which: u8): usize {
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
