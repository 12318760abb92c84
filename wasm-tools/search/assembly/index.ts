/** The component's exports. `answer` has the canonical ABI's parameters: the address and length of each string. */
import { FAILED, isServed, notRun, notServed, OK, outcome } from "../../assembly/tool";
import { begin } from "../../assembly/writer";
import { QUERY, queryLength, readArgs } from "./args";
import { hasWords, writeBadQuery, writeFound } from "./search";

export { cabi_realloc, describe, done } from "../../assembly/tool";

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
  if (!isServed(tool, toolLength)) return notServed(tool, toolLength);
  if (hasSchema || hasTypes) return notRun("schema and types belong to generic calls, and this Tool is not generic");
  const refusal = readArgs(args, argsLength);
  if (refusal.length > 0) return notRun(refusal);
  begin();
  if (!hasWords(QUERY, queryLength)) {
    writeBadQuery(QUERY, queryLength);
    return outcome(FAILED);
  }
  writeFound(QUERY, queryLength);
  return outcome(OK);
}
