/** How this room and those below it say no: one code of R35, one place, one sentence. */
import { type FlowError, quoted as quotedText, Refusal } from "../json/errors.ts";
import { escapeSegment } from "../json/pointer.ts";

/** The error for a fault at a JSON Pointer. `expected` and `met` read as in "expected X at P, met Y". */
export function refusal(code: string, at: string, expected: string, met = ""): FlowError {
  const error = new Refusal(code, expected, met);
  error.at = at;
  return error.toFlowError();
}

/** The JSON Pointer of a path of member names and indices. */
export function pointer(path: readonly (string | number)[]): string {
  let text = "";
  for (const segment of path) text += `/${typeof segment === "number" ? segment : escapeSegment(segment)}`;
  return text;
}

/** A name of a description inside a sentence. Identities are longer than most texts, and are needed whole. */
export function quoted(name: string): string {
  return quotedText(name, 80);
}
