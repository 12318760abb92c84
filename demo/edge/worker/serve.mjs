/** Both Workers in workerd on this machine. Nothing of it is needed where they are deployed: see README.md. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { buildWorkers } from "./build.mjs";

/**
 * Starts them.
 * @param {{ storage?: string, catalog?: (request: import("miniflare").Request) => Promise<import("miniflare").Response> }} [options]
 *   where the Durable Objects are kept, in memory by default; and what stands in for the service
 * @returns {Promise<{ address: string, close: () => Promise<void> }>}
 */
export async function startWorkers({ storage, catalog } = {}) {
  const directory = await buildWorkers();
  const module = async (type, path) => ({ type, path, contents: await readFile(join(directory, path)) });
  const shared = { compatibilityDate: "2026-01-01" };
  const runtime = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false, // or it would ask the network where it is
    durableObjectsPersist: storage ?? false,
    workers: [
      {
        ...shared,
        name: "host",
        modules: [
          await module("ESModule", "host.js"),
          await module("CompiledWasm", "search.core.wasm"),
          await module("CompiledWasm", "ledger.core.wasm"),
        ],
        durableObjects: { RUNS: { className: "RunObject", useSQLite: true } },
        serviceBindings: { CATALOG: catalog ?? "catalog" },
      },
      { ...shared, name: "catalog", modules: [await module("ESModule", "catalog-service.js")] },
    ],
  });
  const address = await runtime.ready;
  return { address: address.href, close: () => runtime.dispose() };
}
