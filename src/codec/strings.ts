/** Bytes, Instant and Duration: the types whose encoding is a string with a spelling of its own (R8, R9, R10). */
import { Refusal } from "../json/errors.ts";
import { tooMany } from "../json/read.ts";
import { describeJson } from "../json/value.ts";
import { compareBytes, decodeBase64, encodeBase64 } from "../values/bytes.ts";
import { Duration, parseDuration } from "../values/duration.ts";
import type { TimeFault } from "../values/fraction.ts";
import { Instant, parseInstant } from "../values/instant.ts";
import { type Node, refuseKind } from "./node.ts";

const scalar = { takesNull: false, takesUndefined: false, children: () => [] } as const;

export const bytesNode: Node = {
  ...scalar,
  title: "Bytes",
  decode(json) {
    if (typeof json !== "string") throw refuseKind("Bytes (a base64 string)", json);
    const bytes = decodeBase64(json);
    if (bytes === undefined) throw new Refusal("spelling", "Bytes in standard, padded base64", describeJson(json));
    return bytes;
  },
  write(value, { limits }) {
    if (!(value instanceof Uint8Array)) throw refuseKind("Bytes (a Uint8Array)", value);
    if (Math.ceil(value.length / 3) * 4 > limits.string) throw tooMany("string", `a string of at most ${limits.string} UTF-8 bytes`);
    return `"${encodeBase64(value)}"`;
  },
  compare(a, b) {
    return compareBytes(a as Uint8Array, b as Uint8Array);
  },
};

export const instantNode: Node = {
  ...scalar,
  title: "Instant",
  decode(json) {
    if (typeof json !== "string") throw refuseKind("Instant (a string)", json);
    const instant = parseInstant(json);
    if (instant instanceof Instant) return instant;
    throw fault(instant, 'Instant such as "2026-11-30T16:28:00.5Z"', "Instant within 100,000,000 days of 1970", json);
  },
  write(value) {
    if (value instanceof Instant) return `"${value.toString()}"`;
    throw refuseKind("Instant", value);
  },
  compare(a, b) {
    return (a as Instant).compare(b as Instant);
  },
};

export const durationNode: Node = {
  ...scalar,
  title: "Duration",
  decode(json) {
    if (typeof json !== "string") throw refuseKind("Duration (a string)", json);
    const duration = parseDuration(json);
    if (duration instanceof Duration) return duration;
    throw fault(duration, 'Duration such as "PT90.5S"', "Duration of fewer than 2^53 seconds", json);
  },
  write(value) {
    if (value instanceof Duration) return `"${value.toString()}"`;
    throw refuseKind("Duration", value);
  },
  compare(a, b) {
    return (a as Duration).compare(b as Duration);
  },
};

function fault(code: TimeFault, spelling: string, range: string, json: string): Refusal {
  return new Refusal(code, code === "spelling" ? spelling : range, describeJson(json));
}
