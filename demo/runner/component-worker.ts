/** The inside of a Worker that runs a dropped component, so that one that loops can be ended. */
import type { Instantiate } from "flow-host";
// What `flow-host component build` bundles to a component's `worker.js`; the package has it as a source alone.
import { serveComponentWorker } from "../../src/bindings/component-server.ts";

/** @param instantiate What the component's glue exports. */
export function serve(instantiate: Instantiate): void {
  serveComponentWorker(instantiate, globalThis as unknown as Parameters<typeof serveComponentWorker>[1]);
}
