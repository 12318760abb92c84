/** The component's exports. `answer` has the canonical ABI's parameters: the address and length of each string. */
import { FAILED, isServed, notRun, notServed, OK, outcome } from "../../assembly/tool";
import { begin, bytes, text } from "../../assembly/writer";
import { isEmpty, least, leastLength, readItems } from "./items";
import { kindIn, UNKNOWN } from "./view";

export { cabi_realloc, describe, done } from "../../assembly/tool";

/** `answer`: which order is meant, the call's types say. */
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
  types: usize,
  typesLength: usize,
): usize {
  if (!isServed(tool, toolLength)) return notServed(tool, toolLength);
  if (!hasSchema || !hasTypes) return notRun("a call of a generic Tool has schema and types");
  const kind = kindIn(types, typesLength);
  if (kind === UNKNOWN) return notRun("this Tool orders Int, Decimal and Bool, and types binds T to none of them");
  const refusal = readItems(args, argsLength, kind);
  if (refusal.length > 0) return notRun(refusal);
  begin();
  if (isEmpty) {
    text('"Empty"');
    return outcome(FAILED);
  }
  bytes(least, leastLength);
  return outcome(OK);
}
