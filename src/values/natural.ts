/** The order of values that carry their own (R12), for collections built without a codec at hand. */
import { Decimal } from "../json/decimal.ts";
import { FlowError } from "../json/errors.ts";
import { compareCodePoints } from "../json/text.ts";
import { compareBytes } from "./bytes.ts";
import { Duration } from "./duration.ts";
import { Instant } from "./instant.ts";

/** @throws FlowError `kind` for two values of different kinds, or of a kind whose order only its type tells. */
export function naturalOrder(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Decimal && b instanceof Decimal) return a.compare(b);
  if (a instanceof Instant && b instanceof Instant) return a.compare(b);
  if (a instanceof Duration && b instanceof Duration) return a.compare(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  throw new FlowError("kind", "expected values of one kind that carry their own order; give the codec's compare for all others");
}
