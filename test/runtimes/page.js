/** The smoke suite in a page: leaves its result where the driver of the browser finds it. */

import * as component from "/dist/components/search/web.js";
import * as contracts from "/dist/contracts.js";
import * as flow from "/dist/flow-host.js";
import { smoke } from "./smoke.js";

globalThis.outcome = (async () => {
  const tools = await (await fetch("/demo/tools.json")).text();
  const openWorker = () => new Worker("/dist/components/search/worker.js", { type: "module" });
  return JSON.stringify(await smoke({ flow, contracts, tools, component, openWorker, address: location.origin }));
})().catch((error) => `failed: ${error?.stack ?? error}`);
