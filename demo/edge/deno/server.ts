/**
 * A Deno server that hosts the sample's program: `server.ts DIRECTORY [PORT]`. Each run has its history in a file of the directory;
 * when the server is gone in the middle of a run, the next one takes it up where it was.
 *
 *     POST /runs/ID?query=…    begins the run or goes on with it, and answers with its result
 *     GET  /runs/ID            its history, line by line
 *     POST /catalog            the service that reads documents, which could be anywhere
 */
import { readTools } from "flow-host";

import * as ledger from "../../../dist/components/ledger/web.js";

import * as search from "../../../dist/components/search/web.js";
import { edgeBindings } from "../bindings.ts";
import { serveCatalog } from "../catalog.ts";
import { driveRun, type RunReport } from "../runs.ts";
import type { DenoRuntime } from "./deno.ts";
import { FileStore } from "./store.ts";

const deno = (globalThis as unknown as { readonly Deno: DenoRuntime }).Deno;
const [directory, port = "0", catalogUrl] = deno.args;
if (directory === undefined) throw new Error("say where histories are kept: server.ts DIRECTORY [PORT [CATALOG]]");

const tools = await readTools(await deno.readTextFile(new URL("../../tools.json", import.meta.url)));
const driven = new Map<string, Promise<RunReport>>();

const server = deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: (address) => console.log(`http://127.0.0.1:${address.port}/`) },
  async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/catalog") return serveCatalog(tools, request);
    const [, id] = /^\/runs\/([\w-]{1,100})$/.exec(pathname) ?? [];
    if (id === undefined) return new Response("POST /runs/ID?query=... or GET /runs/ID\n", { status: 404 });
    const store = new FileStore(deno, `${directory}/${id}.jsonl`);
    if (request.method === "GET") return new Response(await store.read(), { headers: { "content-type": "application/jsonl" } });
    return Response.json(await drive(id, searchParams.get("query") ?? "tool", store));
  },
);

/** Once at a time, however many ask. */
function drive(id: string, query: string, store: FileStore): Promise<RunReport> {
  let report = driven.get(id);
  if (report === undefined) {
    const catalog = catalogUrl ?? `http://127.0.0.1:${server.addr.port}/catalog`;
    const bindings = edgeBindings({ search, ledger, catalog: fetch, catalogUrl: catalog });
    report = driveRun(id, query, store, tools, bindings).finally(() => driven.delete(id));
    driven.set(id, report);
  }
  return report;
}
