/**
 * What one document may hold (R13). A receiver chooses the limits, every number is inclusive, and every limit is
 * judged by value: how a number or a string is spelled never counts.
 */
import { FlowError } from "./errors.ts";

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

/**
 * The default limits with some of them replaced.
 * @throws FlowError `usage` for an unknown limit, one that is no positive whole number, or a depth past {@link DEEPEST_LIMIT}.
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
    limits[name] = value;
  }
  if ((limits["depth"] as number) > DEEPEST_LIMIT) {
    throw new FlowError("usage", `the limit depth can be at most ${DEEPEST_LIMIT}, met ${limits["depth"]}`);
  }
  return limits as unknown as Limits;
}
