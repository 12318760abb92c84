/** Components that were dropped on the page: transpiled there, and run here, each in a Worker of its own. */
import { type Binding, bindComponent } from "flow-host";
import { describedText } from "./described.ts";
import type { DroppedComponent } from "./messages.ts";
import { blobAddress } from "./modules.ts";

/** What one may use beside what it is given: it can read a clock, take random bytes and write to the log, and reach nothing. */
const GRANTS = { clocks: true, random: true, log: true };
const START_MS = 5_000;

export class DroppedComponents {
  private readonly byId = new Map<string, { readonly component: DroppedComponent; readonly script: string }>();

  add(component: DroppedComponent): void {
    this.byId.set(component.id, { component, script: workerAddress(component.glue) });
  }

  /** @throws Error for one that is not here */
  bind(id: string): Binding {
    const known = this.byId.get(id);
    if (known === undefined) throw new Error("the component was dropped on another page, and no link can carry it: drop it here");
    const { component, script } = known;
    const { name, modules } = component;
    const getCoreModule = (path: string): WebAssembly.Module => {
      const module = modules[path];
      if (module === undefined) throw new Error(`${name} has no core module ${path}`);
      return module;
    };
    const open = (): Worker => new Worker(script, { type: "module", name });
    return bindComponent(open, getCoreModule, { in: "worker", wasi: GRANTS, startMs: START_MS, title: name });
  }

  /**
   * Has a component say what it serves.
   * @returns its description as JSON text
   * @throws FlowError where it does not start, or imports what is not granted
   */
  async describe(id: string): Promise<string> {
    const binding = this.bind(id);
    try {
      return await describedText(binding);
    } finally {
      await binding[Symbol.asyncDispose]();
    }
  }
}

/** The address of a Worker's own script, a few lines that bring the glue and the server together. */
function workerAddress(glue: string): string {
  const server = new URL("component-worker.js", import.meta.url).href;
  return blobAddress(
    [
      `import { serve } from ${JSON.stringify(server)};`,
      `import { instantiate } from ${JSON.stringify(blobAddress(glue))};`,
      "serve(instantiate);",
    ].join("\n"),
  );
}
