/**
 * Changes of JSON texts that keep most of their structure: values, members and items are moved, copied, left out, wrapped and
 * replaced. The text need not be whole JSON; what can be made out of it is used.
 */
import type { Random } from "../types/random.ts";
import { bounded, mutateText, pick } from "./text.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Parts {
  /** Every value. */
  readonly values: readonly Span[];
  /** Every member, its name included, and every item. */
  readonly entries: readonly Span[];
  readonly names: readonly Span[];
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[-\w.+]+|[[\]{},:]/gs;

export function partsOf(text: string): Parts {
  const values: Span[] = [];
  const entries: Span[] = [];
  const names: Span[] = [];
  const open: { readonly start: number; readonly entry: number }[] = [];
  let entry = -1;
  const closed = (start: number, end: number, from: number): void => {
    values.push({ start, end });
    if (open.length > 0) entries.push({ start: from, end });
    entry = -1;
  };
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const start = match.index;
    const end = start + token.length;
    if (token === "{" || token === "[") {
      open.push({ start, entry: entry < 0 ? start : entry });
      entry = -1;
    } else if (token === "}" || token === "]") {
      const container = open.pop();
      if (container !== undefined) closed(container.start, end, container.entry);
    } else if (token === ",") entry = -1;
    else if (token !== ":") {
      if (/^\s*:/.test(text.slice(end, end + 4))) {
        names.push({ start, end });
        entry = start;
      } else closed(start, end, entry < 0 ? start : entry);
    }
  }
  return { values, entries, names };
}

/** Values at the edges of what JSON and its readers can hold. */
const VALUES = [
  ..."0|-0|1|-1|1.0|1.5|-0.0|1e0|1E+2|1e-2|0e9|10e-1|2147483648|4294967296|9007199254740991|9007199254740992|9007199254740993".split("|"),
  ..."123456789012345|1234567890123456|0.1234567890123456|1e21|1e400|-1e400|1e-400|5e-324|1e4095|1e4096|1e-4096|1e99999999999".split("|"),
  ...'true|false|null|[]|{}|[[]]|[{}]|[0]|[0,0]|{"":0}|{"a":{}}|""|"a"|"\\u0000"|"\\ud800"|"\\ud83d\\ude00"|"\\/"'.split("|"),
  ...'"__proto__"|"constructor"|"toString"|"length"|"~1/~0"|"\u00e9"|"\u{1f600}"|"\ufeff"|"AA=="|"Z"'.split("|"),
  "9".repeat(4_096),
  `0.${"1".repeat(4_095)}`,
  `"${"x".repeat(300)}"`,
];

const NAMES = [
  '""',
  '"a"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"~/"',
  '"\\u0061"',
  '"\\ud800"',
  '"0"',
  '"\u00e9"',
  '"\uffff"',
  '"\u{10000}"',
];

/** One change of a JSON text. `words` are JSON texts of the language at hand, names and values. */
export function mutateJson(text: string, random: Random, words: readonly string[], other: string): string {
  if (random(6) === 0) return mutateText(text, random, words, other);
  const { values, entries, names } = partsOf(text);
  const value = pick(random, values);
  if (value === undefined) return mutateText(text, random, words, other);
  const put = ({ start, end }: Span, by: string): string => bounded(text.slice(0, start) + by + text.slice(end));
  const textOf = (span: Span): string => text.slice(span.start, span.end);
  switch (random(9)) {
    case 0:
      return put(value, pick(random, VALUES));
    case 1:
      return put(value, pick(random, words));
    case 2:
      return put(value, textOf(pick(random, values)));
    case 3: {
      const donor = pick(random, partsOf(other).values);
      return donor === undefined ? text : put(value, other.slice(donor.start, donor.end));
    }
    case 4: {
      const depth = 2 ** random(random(8) === 0 ? 9 : 3);
      return random(2) === 0
        ? put(value, `${"[".repeat(depth)}${textOf(value)}${"]".repeat(depth)}`)
        : put(value, `${'{"a":'.repeat(depth)}${textOf(value)}${"}".repeat(depth)}`);
    }
    case 5: {
      const entry = pick(random, entries);
      if (entry === undefined) return text;
      return put(
        entry,
        Array(1 + 2 ** random(random(8) === 0 ? 9 : 2))
          .fill(textOf(entry))
          .join(","),
      );
    }
    case 6: {
      const entry = pick(random, entries);
      if (entry === undefined) return text;
      // With the comma on one of its sides.
      const after = /^\s*,/.exec(text.slice(entry.end))?.[0].length ?? 0;
      const before = after > 0 ? 0 : (/,\s*$/.exec(text.slice(0, entry.start))?.[0].length ?? 0);
      return put({ start: entry.start - before, end: entry.end + after }, "");
    }
    case 7: {
      const name = pick(random, names);
      if (name === undefined) return text;
      return put(name, random(2) === 0 ? pick(random, NAMES) : textOf(pick(random, names)));
    }
    default: {
      const entry = pick(random, entries);
      const donor = pick(random, partsOf(other).entries);
      return entry === undefined || donor === undefined ? text : put(entry, `${textOf(entry)},${other.slice(donor.start, donor.end)}`);
    }
  }
}
