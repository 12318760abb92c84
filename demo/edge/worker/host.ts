/**
 * A Cloudflare Worker that hosts the sample's program. Each run is a Durable Object with the run's history in its storage: when the
 * isolate goes away in the middle of a run, the next request, or the object's own alarm, takes the run up where it was.
 *
 *     POST /runs/ID?query=…    begins the run or goes on with it, and answers with its result
 *     GET  /runs/ID            its history, line by line
 */
import { type Fetcher, readTools, type ToolsDocument } from "flow-host";
import * as ledger from "../../../dist/components/ledger/workerd.js";
import * as search from "../../../dist/components/search/workerd.js";
import listed from "../../tools.json" with { type: "text" };
import { edgeBindings } from "../bindings.ts";
import { driveRun, type RunReport } from "../runs.ts";
import { DurableStore, type Storage } from "./history.ts";

interface Env {
  readonly RUNS: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } };
  /** The service binding of the Worker in `catalog-service.ts`. */
  readonly CATALOG: Extract<Fetcher, { fetch: unknown }>;
}

interface State {
  readonly storage: Storage & {
    get(key: string): Promise<string | undefined>;
    setAlarm(at: number): Promise<void>;
    deleteAlarm(): Promise<void>;
  };
}

/** How long after a run was last heard of its object looks after it. */
const ALARM_MS = 30_000;

let tools: Promise<ToolsDocument> | undefined;

/** The name is that of `wrangler.toml`. */
export class RunObject {
  private readonly state: State;
  private readonly env: Env;
  private readonly store: DurableStore;
  /** The run as this isolate drives it. */
  private driven: Promise<RunReport> | undefined;

  constructor(state: State, env: Env) {
    this.state = state;
    this.env = env;
    this.store = new DurableStore(state.storage);
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const id = decodeURIComponent(pathname.slice("/runs/".length));
    if (request.method === "GET") return new Response(await this.store.read(), { headers: { "content-type": "application/jsonl" } });
    const query = searchParams.get("query") ?? "tool";
    // What an alarm needs to know, should this be the isolate's last act.
    await this.state.storage.put("request", JSON.stringify([id, query]));
    return Response.json(await this.drive(id, query));
  }

  async alarm(): Promise<void> {
    const [id, query] = JSON.parse((await this.state.storage.get("request")) ?? "[]") as string[];
    if (id !== undefined && query !== undefined) await this.drive(id, query);
  }

  /** Once at a time, however many ask. */
  private drive(id: string, query: string): Promise<RunReport> {
    this.driven ??= this.toItsEnd(id, query).finally(() => {
      this.driven = undefined;
    });
    return this.driven;
  }

  private async toItsEnd(id: string, query: string): Promise<RunReport> {
    await this.state.storage.setAlarm(Date.now() + ALARM_MS);
    tools ??= readTools(listed);
    const document = await tools;
    const bindings = edgeBindings({ search, ledger, catalog: this.env.CATALOG, catalogUrl: "https://catalog.internal/" });
    const report = await driveRun(id, query, this.store, document, bindings);
    await this.state.storage.deleteAlarm();
    return report;
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!/^\/runs\/[^/]{1,200}$/.test(pathname) || !["GET", "POST"].includes(request.method)) {
      return new Response("POST /runs/ID?query=... or GET /runs/ID\n", { status: 404 });
    }
    return env.RUNS.get(env.RUNS.idFromName(pathname)).fetch(request);
  },
};
