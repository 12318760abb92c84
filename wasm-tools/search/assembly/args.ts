/** Decodes the arguments, `{"query": Text}`, strictly: what is not exactly that is refused before anything runs. */
import { bytes, next, open, readString, takes, units } from "../../assembly/reader";

/** The Tool's own limit, far below a host's: a longer query is refused, not searched for. */
export const MAX_QUERY_BYTES: i32 = 256;

/** The code units of the query. No text has more code units than UTF-8 bytes, so what is within the limit fits. */
export const QUERY: usize = memory.data(512, 2);
/** How many code units the query has. */
export let queryLength: i32 = 0;

/** Room to tell `query` from every other member name. */
const NAME: usize = memory.data(16, 2);
const NAME_CAPACITY: i32 = 8;

/** Reads the query out of `args`. The result is empty, or says why the call is refused. */
export function readArgs(from: usize, length: usize): string {
  open(from, length);
  if (!takes(0x7b)) return "args is not a JSON object";
  if (next() === 0x7d) return "args has no member query";
  let seen = false;
  let queryBytes = 0;
  do {
    next();
    if (!readString(NAME, NAME_CAPACITY)) return "args is not JSON text";
    if (!isQuery()) return "args has a member other than query";
    if (seen) return "args has the member query twice";
    seen = true;
    if (!takes(0x3a)) return "args is not JSON text";
    if (next() !== 0x22) return "query is not a string";
    if (!readString(QUERY, MAX_QUERY_BYTES)) return "query is not a JSON string of Unicode text";
    queryLength = units;
    queryBytes = bytes;
  } while (takes(0x2c));
  if (!takes(0x7d) || next() >= 0) return "args is not JSON text";
  if (queryBytes > MAX_QUERY_BYTES) return "query is longer than 256 bytes, the limit of this Tool";
  return "";
}

/** Whether the member name read last is `query`. */
function isQuery(): bool {
  const name = "query";
  return units === name.length && memory.compare(NAME, changetype<usize>(name), (<usize>units) << 1) === 0;
}
