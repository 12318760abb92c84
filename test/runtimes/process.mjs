/** The smoke suite in a process of its own, on Node, Deno or Bun: `process.mjs ADDRESS`. Prints one line of JSON. */
import { readFile } from "node:fs/promises";
import { argv } from "node:process";
import { smoke } from "./smoke.js";

const dist = (path) => new URL(`../../dist/${path}`, import.meta.url);
const isNode = globalThis.Deno === undefined && globalThis.Bun === undefined;
// What is written for pages runs on Deno and Bun as it is.
const entry = isNode ? "node.js" : "web.js";
const NodeWorker = isNode ? (await import("node:worker_threads")).Worker : undefined;
const script = dist("components/search/worker.js");

const result = await smoke({
  flow: await import(dist("flow-host.js").href),
  contracts: await import(dist("contracts.js").href),
  tools: await readFile(new URL("../../demo/tools.json", import.meta.url), "utf8"),
  component: await import(dist(`components/search/${entry}`).href),
  openWorker: () => (isNode ? new NodeWorker(script) : new Worker(script, { type: "module" })),
  address: argv[2],
});
console.log(JSON.stringify(result));
