/** Bytes, Instant and Duration: strings with a spelling of their own (R8, R9, R10). */
import { Refusal } from "../json/errors.ts";
import { stringTooLong } from "../json/output.ts";
import { describeJson } from "../json/value.ts";
import { base64Length, compareBytes, decodeBase64, encodeBase64 } from "../values/bytes.ts";
import { Duration, parseDuration } from "../values/duration.ts";
import type { TimeFault } from "../values/fraction.ts";
import { Instant, parseInstant } from "../values/instant.ts";
import { GIVE_UP } from "./account.ts";
import { type Node, refuseKind } from "./node.ts";

const scalar = { takesNull: false, takesUndefined: false } as const;

export const bytesNode: Node = {
  ...scalar,
  title: "Bytes",
  decode(json) {
    if (typeof json !== "string") throw refuseKind("Bytes (a base64 string)", json);
    const bytes = decodeBase64(json);
    if (bytes === undefined) throw new Refusal("spelling", "Bytes in standard, padded base64", describeJson(json));
    return bytes;
  },
  take(json, account) {
    const bytes = typeof json === "string" ? decodeBase64(json) : undefined;
    if (bytes === undefined) throw GIVE_UP;
    account.string(json as string);
    return bytes;
  },
  write(value, output) {
    if (!(value instanceof Uint8Array)) throw refuseKind("Bytes (a Uint8Array)", value);
    // Judged before it is written out.
    if (base64Length(value.length) > output.limits.string) throw stringTooLong(output.limits);
    output.quoted(encodeBase64(value));
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
  take(json, account) {
    const instant = typeof json === "string" ? parseInstant(json) : undefined;
    if (!(instant instanceof Instant)) throw GIVE_UP;
    account.string(json as string);
    return instant;
  },
  write(value, output) {
    if (!(value instanceof Instant)) throw refuseKind("Instant", value);
    output.quoted(value.toString());
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
  take(json, account) {
    const duration = typeof json === "string" ? parseDuration(json) : undefined;
    if (!(duration instanceof Duration)) throw GIVE_UP;
    account.string(json as string);
    return duration;
  },
  write(value, output) {
    if (!(value instanceof Duration)) throw refuseKind("Duration", value);
    output.quoted(value.toString());
  },
  compare(a, b) {
    return (a as Duration).compare(b as Duration);
  },
};

function fault(code: TimeFault, spelling: string, range: string, json: string): Refusal {
  return new Refusal(code, code === "spelling" ? spelling : range, describeJson(json));
}
