/** A Tool's implementation as it is written in the page. */
import type { Outcome } from "flow-host";

export interface PageContext {
  /** Aborted when the host asks to stop. */
  readonly signal: AbortSignal;
  /** Outcomes from JSON texts, read at the declared types. */
  readonly ok: (json: string) => Outcome;
  readonly err: (json: string) => Outcome;
}

export type PageFunction = (values: Readonly<Record<string, unknown>>, context: PageContext) => Outcome | Promise<Outcome>;
