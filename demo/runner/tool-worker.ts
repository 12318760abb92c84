/** The inside of a Worker that answers one Tool with a function written in the page. */
import { canonicalText, codecFor, isFlowError, type Outcome, parseJson, readTools, type ToolEntry } from "flow-host";
import { serveWorker } from "flow-host/toolkit";
import { contextOf } from "./context.ts";
import type { PageFunction } from "./page-function.ts";

/**
 * @param written What the page's function module exports.
 * @param tools The `tools` output that the Tool is declared in.
 */
export async function serve(written: PageFunction, tool: string, tools: string): Promise<void> {
  const { data, tools: listed } = await readTools(tools);
  const entry = listed.find((each) => each.tool === tool) as ToolEntry;
  const description = `{"fingerprint":${JSON.stringify(entry.fingerprint)},"signature":${canonicalText(entry.signature)},"tool":${JSON.stringify(tool)}}`;
  serveWorker({
    describe: () => `{"data":${JSON.stringify(data)},"tools":[${description}]}`,
    answer: async ({ args }, signal) => {
      let values: Readonly<Record<string, unknown>>;
      try {
        values = argumentsOf(entry, args);
      } catch (caught) {
        if (!isFlowError(caught)) throw caught;
        return `{"NotRun":${JSON.stringify(caught.message)}}`;
      }
      return textOf(entry, await written(values, contextOf(entry, signal)));
    },
  });
}

function argumentsOf({ spec }: ToolEntry, args: string): Readonly<Record<string, unknown>> {
  const json = parseJson(args) as Readonly<Record<string, never>>;
  return Object.fromEntries(
    spec.params.map(({ name, type }) => [
      name,
      codecFor(type, spec.declarations).decode(canonicalText(json[name] ?? null), { mode: "strict", grant: "all" }),
    ]),
  );
}

/** @throws FlowError where the value is none of its declared type, which makes the call Unknown (R42) */
function textOf({ spec: { ok, err, declarations } }: ToolEntry, { tag, value }: Outcome): string {
  if (tag === "Ok" || tag === "Failed") return `{"${tag}":${codecFor(tag === "Ok" ? ok : err, declarations).encode(value)}}`;
  return `{"${tag}":${JSON.stringify(value)}}`;
}
