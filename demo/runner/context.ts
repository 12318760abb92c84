/** What a function written in the page gets beside its arguments. */
import { codecFor, type ToolEntry } from "flow-host";
import type { PageContext } from "./page-function.ts";

export function contextOf(entry: ToolEntry, signal: AbortSignal): PageContext {
  const { ok, err, declarations } = entry.spec;
  return {
    signal,
    ok: (json) => ({ tag: "Ok", value: codecFor(ok, declarations).decode(json) }),
    err: (json) => ({ tag: "Failed", value: codecFor(err, declarations).decode(json) }),
  };
}
