/** Bindings as the page names them. */
import { type Binding, bindComponent, bindFetch, bindFunction, bindWorker, type Outcome, type ToolEntry } from "flow-host";
import { instantiate } from "../../dist/components/search/search.js";
import { bindBroken } from "./break.ts";
import { contextOf } from "./context.ts";
import { coreModule } from "./core-module.ts";
import type { DroppedComponents } from "./dropped.ts";
import type { ToolSetup } from "./messages.ts";
import { blobAddress, loadFunction } from "./modules.ts";
import type { PageFunction } from "./page-function.ts";

/** A start that is refused is refused soon: everything is in this browser, or answers. */
const START_MS = 5_000;

/** What bindings are made of beside a Tool and its setup. */
export interface Means {
  /** The `tools` output that the Tool is declared in. */
  readonly tools: string;
  readonly dropped: DroppedComponents;
}

/** @throws Error where a function's module does not load, or a dropped component is not here */
export async function bindTool(entry: ToolEntry, setup: ToolSetup, means: Means): Promise<Binding> {
  const inner = await plain(entry, setup, means);
  return setup.fault === undefined ? inner : bindBroken(inner, entry, setup.fault);
}

async function plain(entry: ToolEntry, setup: ToolSetup, { tools, dropped }: Means): Promise<Binding> {
  const { kind, source = "", url = "", component = "" } = setup;
  switch (kind) {
    case "function": {
      const written = await loadFunction<PageFunction>(source, `the function of ${entry.tool}`);
      return bindFunction(entry, (values, { signal }) => written(values, contextOf(entry, signal)) as Outcome, { title: "function" });
    }
    case "component":
      return bindComponent(instantiate, coreModule, { title: "component" });
    case "dropped":
      return dropped.bind(component);
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
