/** The search itself: which documents have every word of the query, and the reply that lists them. */

import { jsonString, jsonUnits, text } from "../../assembly/writer";
import { BODIES, IDS, TITLES } from "./corpus";
import { foldInPlace, hasWord, isWordUnit } from "./words";

/** Whether the query has a word to look for. */
export function hasWords(query: usize, length: i32): bool {
  for (let i = 0; i < length; i++) if (isWordUnit(load<u16>(query + ((<usize>i) << 1)))) return true;
  return false;
}

/** Writes the declared error `BadQuery` with what is wrong with the query, and the query itself unless it is empty. */
export function writeBadQuery(query: usize, length: i32): void {
  text('{"BadQuery":"');
  if (length === 0) {
    text("the query is empty");
  } else {
    text("no word to look for in: ");
    jsonUnits(query, length);
  }
  text('"}');
}

/** Writes the list of the documents that have every word of the query, in the order of the corpus. */
export function writeFound(query: usize, length: i32): void {
  foldInPlace(query, length);
  let first = true;
  text("[");
  for (let i = 0; i < IDS.length; i++) {
    if (!matches(i, query, length)) continue;
    text(first ? '{"body":' : ',{"body":');
    jsonString(unchecked(BODIES[i]));
    text(',"id":');
    jsonString(unchecked(IDS[i]));
    text(',"title":');
    jsonString(unchecked(TITLES[i]));
    text("}");
    first = false;
  }
  text("]");
}

/** Whether each word of the folded query begins a word of the document's title or body. */
function matches(document: i32, query: usize, length: i32): bool {
  let at = 0;
  while (at < length) {
    const start = at;
    while (at < length && isWordUnit(load<u16>(query + ((<usize>at) << 1)))) at++;
    if (at > start) {
      const word = query + ((<usize>start) << 1);
      if (!hasWord(unchecked(TITLES[document]), word, at - start) && !hasWord(unchecked(BODIES[document]), word, at - start)) return false;
    }
    at++;
  }
  return true;
}
