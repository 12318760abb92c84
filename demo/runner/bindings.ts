/** Bindings as the page names them. */
import { type Binding, bindComponent, bindFetch, bindFunction, bindWorker, type Outcome, type ToolEntry } from "flow-host";
import { instantiate } from "../../dist/components/search/search.js";
import { bindBroken } from "./break.ts";
import { contextOf } from "./context.ts";
import { coreModule } from "./core-module.ts";
import type { ToolSetup } from "./messages.ts";
import { blobAddress, loadFunction } from "./modules.ts";
import type { PageFunction } from "./page-function.ts";

/** A start that is refused is refused soon: everything is in this browser, or answers. */
const START_MS = 5_000;

/** @throws Error where a function's module does not load */
export async function bindTool(entry: ToolEntry, setup: ToolSetup, tools: string): Promise<Binding> {
  const inner = await plain(entry, setup, tools);
  return setup.fault === undefined ? inner : bindBroken(inner, entry, setup.fault);
}

async function plain(entry: ToolEntry, { kind, source = "", url = "" }: ToolSetup, tools: string): Promise<Binding> {
  switch (kind) {
    case "function": {
      const written = await loadFunction<PageFunction>(source, `the function of ${entry.tool}`);
      return bindFunction(entry, (values, { signal }) => written(values, contextOf(entry, signal)) as Outcome, { title: "function" });
    }
    case "component":
      return bindComponent(instantiate, coreModule, { title: "component" });
    case "worker":
      return bindWorker(() => toolWorker(entry, source, tools), { title: "worker", startMs: START_MS, graceMs: 1_000 });
    case "url":
      return bindFetch((address, init) => fetch(address, init), url, { title: "fetch" });
  }
}

/** A Worker that serves one function. Its own script is a few lines that bring the two together. */
function toolWorker(entry: ToolEntry, source: string, tools: string): Worker {
  const server = new URL("tool-worker.js", import.meta.url).href;
  const script = [
    `import { serve } from ${JSON.stringify(server)};`,
    `import written from ${JSON.stringify(blobAddress(source))};`,
    `serve(written, ${JSON.stringify(entry.tool)}, ${JSON.stringify(tools)});`,
  ].join("\n");
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module", name: entry.tool });
}
