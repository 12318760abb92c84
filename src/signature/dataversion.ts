/** The data version (R1): one for the value encoding, the protocol and the history format. */
import { describeJson, type JsonValue } from "../json/value.ts";
import { quoted, refusal } from "../types/refuse.ts";

/** The data version that this library speaks. */
export const DATA_VERSION = "0.1";

const FORM = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/;

/** A data version, taken apart. */
export interface DataVersion {
  /** Decimal digits without leading zeros, so that equal texts are equal numbers of any size. */
  readonly major: string;
  /** Decimal digits, like the major. */
  readonly minor: string;
}

/**
 * Takes a data version apart.
 * @param at Its JSON Pointer, for the error.
 * @throws FlowError `shape` for what is no data version.
 */
export function parseDataVersion(value: JsonValue | undefined, at = ""): DataVersion {
  const [, major, minor] = (typeof value === "string" ? FORM.exec(value) : null) ?? [];
  if (major === undefined || minor === undefined) throw refusal("shape", at, "a data version, major.minor", describeJson(value));
  return { major, minor };
}

/** Negative, zero or positive: how a data version stands to another, by number. @throws FlowError `shape`. */
export function compareDataVersion(a: string, b: string): number {
  const x = parseDataVersion(a);
  const y = parseDataVersion(b);
  return compareDigits(x.major, y.major) || compareDigits(x.minor, y.minor);
}

/**
 * Requires a version that this library can work with: the same major, any minor, since minors only add.
 * @throws FlowError `shape` for a malformed version; `version` for another major, which is no shape error.
 */
export function requireDataVersion(value: JsonValue | undefined, at = ""): DataVersion {
  const theirs = parseDataVersion(value, at);
  if (theirs.major !== parseDataVersion(DATA_VERSION).major) {
    throw refusal("version", at, `a data version that fits ${DATA_VERSION}`, quoted(String(value)));
  }
  return theirs;
}

function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a === b ? 0 : a < b ? -1 : 1;
}
