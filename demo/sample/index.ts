/**
 * The sample: four Tools, a program that calls them, and two runs of it. The same code runs in the terminal, in the
 * page and on edge workers; only where the component's core module comes from differs.
 */
import { type Binding, bindComponent, createHost, type GetCoreModule, readTools, type ToolEntry, type ToolsDocument } from "flow-host";
import { instantiate } from "../../dist/components/search/search.js";
import listed from "../tools.json" with { type: "text" };
import { bindCatalog } from "./catalog.ts";
import { bindLedger, olderLedger } from "./ledger.ts";
import { ledgerProgram, POST, sampleProgram } from "./program.ts";
import { type Print, refusals, result, title, transcriptHooks } from "./transcript.ts";

export { ACCOUNT, AMOUNT } from "./program.ts";
export { plain, shortName, type TranscriptLine } from "./transcript.ts";

/** The `tools` output of the sample's declarations. */
export function sampleTools(): Promise<ToolsDocument> {
  return readTools(listed);
}

/** An implementation for each of the sample's Tools. */
export function sampleBindings(tools: ToolsDocument, getCoreModule: GetCoreModule): ReadonlyMap<string, Binding> {
  const search = bindComponent(instantiate, getCoreModule, { title: "component" });
  const makers: Readonly<Record<string, (entry: ToolEntry) => Binding>> = { read: bindCatalog, find: () => search, post: bindLedger };
  return new Map(
    tools.tools.map((entry) => [
      entry.tool,
      (makers[entry.tool.slice(entry.tool.lastIndexOf(".") + 1)] as (entry: ToolEntry) => Binding)(entry),
    ]),
  );
}

/** Runs the sample and prints its transcript. */
export async function runSample(getCoreModule: GetCoreModule, print: Print): Promise<void> {
  const tools = await sampleTools();
  const bindings = sampleBindings(tools, getCoreModule);
  const host = createHost({ bindings, ...transcriptHooks(print) });
  try {
    print(title("A program calls its Tools"));
    const { result: value } = await host.start({ program: sampleProgram(tools), input: { query: "tool" } });
    print(result(String(await value)));

    print(title("The same ledger, bound to an implementation of its older declaration"));
    const entry = tools.tools.find(({ tool }) => tool === POST) as ToolEntry;
    try {
      await host.start({ program: ledgerProgram(tools), bindings: { [POST]: bindLedger(olderLedger(entry)) } });
    } catch (caught) {
      for (const line of refusals(caught)) print(line);
    }
  } finally {
    await host[Symbol.asyncDispose]();
  }
}
