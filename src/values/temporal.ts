/** The platform's `Temporal`, where it has one (Node 20, workerd and some browsers have none). */
import { FlowError } from "../json/errors.ts";

interface TemporalNamespace {
  readonly Instant: { fromEpochNanoseconds(nanoseconds: bigint): unknown };
  readonly Duration: { from(parts: { readonly seconds: number; readonly nanoseconds: number }): unknown };
}

/** @throws FlowError `unsupported` */
export function temporal(): TemporalNamespace {
  const found = (globalThis as { readonly Temporal?: TemporalNamespace }).Temporal;
  if (found === undefined) throw new FlowError("unsupported", "this platform has no Temporal; use epochNanoseconds, nanoseconds or a Date");
  return found;
}
