/**
 * What one document may hold (R13). A receiver chooses the limits, every number is inclusive, and every limit is
 * judged by value: how a number or a string is spelled never counts.
 */
import { DocumentRefusal, FlowError, Refusal } from "./errors.ts";

/** What one document, message or value may hold (R13). All are inclusive. */
export interface Limits {
  /** UTF-8 bytes of one document, message or reply. */
  readonly bytes: number;
  /** Depth of JSON values; the root has depth 1. */
  readonly depth: number;
  /** JSON values in one document, containers included. */
  readonly values: number;
  /** Members of one object, items of one array. */
  readonly members: number;
  /** UTF-8 bytes of one string or member name. */
  readonly string: number;
  /** Decimal digits a number needs in plain notation: no sign, no point, the 0 before a point counted. */
  readonly digits: number;
}

/** What a reader allows unless told otherwise. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  bytes: 16_777_216,
  depth: 128,
  values: 1_048_576,
  members: 1_048_576,
  string: 8_388_608,
  digits: 4_096,
});

/**
 * The deepest nesting a host may ask for. Readers and codecs recurse once or twice for each level; 1,000 levels
 * take about a fifth of the smallest stack met (a Chromium worker), so depth always ends before the stack does.
 */
export const DEEPEST_LIMIT = 1_000;

/** The longest document a host may ask for: a string of twice the length is the longest that every engine can hold. */
export const LONGEST_DOCUMENT = 268_435_456;

/** The longest number a host may ask for: reading a million digits takes an engine as long as a document of megabytes. */
export const LONGEST_NUMBER = 1_000_000;

const HIGHEST: Readonly<Partial<Record<keyof Limits, number>>> = { bytes: LONGEST_DOCUMENT, depth: DEEPEST_LIMIT, digits: LONGEST_NUMBER };

/**
 * The default limits with some of them replaced.
 * @throws FlowError `usage` for an unknown limit, one that is no positive whole number, a `depth` past 1,000, `bytes` past 268,435,456
 *   or `digits` past 1,000,000.
 */
export function resolveLimits(changes?: Partial<Limits>): Limits {
  if (changes === undefined || changes === DEFAULT_LIMITS) return DEFAULT_LIMITS;
  const limits: Record<string, number> = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw new FlowError("usage", `there is no limit named ${JSON.stringify(name)}`);
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new FlowError("usage", `the limit ${name} must be a whole number of at least 1, met ${String(value)}`);
    }
    const highest = HIGHEST[name as keyof Limits];
    if (highest !== undefined && value > highest) throw new FlowError("usage", `the limit ${name} can be at most ${highest}, met ${value}`);
    limits[name] = value;
  }
  return limits as unknown as Limits;
}

/** The refusal of what is past one of the limits. `expected` says how much would have been admitted. */
export function tooMany(limit: keyof Limits, expected: string, met = "", offset?: number): Refusal {
  return new Refusal("limit", `${expected} (limit ${limit})`, met, offset);
}

export function documentTooLarge({ bytes }: Limits, met = ""): Refusal {
  return new DocumentRefusal("limit", `a document of at most ${bytes} UTF-8 bytes (limit bytes)`, met);
}
