/** The component's exports. `answer` has the canonical ABI's parameters: the address and length of each string. */
import { FAILED, isServed, notRun, notServed, OK, outcome } from "../../assembly/tool";
import { begin, text } from "../../assembly/writer";
import { isTooLarge, LIMIT, readArgs, writePosting } from "./posting";

export { cabi_realloc, describe, done } from "../../assembly/tool";

/** `answer`: everything that can be refused is refused before anything is booked. */
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
  if (!isServed(tool, toolLength)) return notServed(tool, toolLength);
  if (hasSchema || hasTypes) return notRun("schema and types belong to generic calls, and this Tool is not generic");
  const refusal = readArgs(args, argsLength);
  if (refusal.length > 0) return notRun(refusal);
  begin();
  if (isTooLarge()) {
    text('{"TooLarge":{"limit":');
    text(LIMIT);
    text("}}");
    return outcome(FAILED);
  }
  writePosting();
  return outcome(OK);
}
