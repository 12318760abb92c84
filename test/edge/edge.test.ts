/** The edge examples, driven for real: a run in each, and one that outlives whatever was running it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Response as MiniflareResponse } from "miniflare";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startWorkers } from "../../demo/edge/worker/serve.mjs";
import { readHistory } from "../../src/host/history.ts";
import { canonicalText } from "../../src/json/write.ts";
import type { ToolEntry } from "../../src/signature/tools.ts";
import { demoTools } from "../components/built.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Starting a runtime on a busy machine. */
const START_MS = 60_000;

const TAGS = ["Ok", "Failed", "NotRun", "Ok", "Failed", "Unknown", "Unknown", "Ok"];
const UNCHANGED = "the ledger's numbers came back unchanged";

interface Report {
  readonly found: string;
  readonly result: string;
  readonly transcript: readonly string[];
}

let directory: string;
let description: string;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-edge-"));
  const { tool, fingerprint, signature } = (await demoTools()).tools[0] as ToolEntry;
  description = `{"data":"0.1","tools":[{"fingerprint":"${fingerprint}","signature":${canonicalText(signature)},"tool":"${tool}"}]}`;
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function post(address: string, run: string): Promise<Report> {
  const response = await fetch(new URL(`runs/${run}?query=tool`, address), { method: "POST" });
  const body = await response.text();
  expect(body).toMatch(/^\{/);
  return JSON.parse(body);
}

async function historyOf(address: string, run: string): Promise<string> {
  return (await fetch(new URL(`runs/${run}`, address))).text();
}

/** The tags of a history's outcomes, in the order of their calls. */
function tagsIn(history: string): readonly string[] {
  const outcomes = readHistory(history).entries.flatMap((entry) =>
    entry.kind === "outcome" ? [[Number(entry.call), entry.tag] as const] : [],
  );
  return outcomes.sort(([a], [b]) => a - b).map(([, tag]) => tag);
}

/**
 * A catalog that describes itself and has every document, but leaves the first call without an answer.
 * It keeps each call's ids, and tells when the first has come.
 */
function unreliableCatalog() {
  const calls: string[] = [];
  let arrived: () => void = () => {};
  const first = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  async function answer(body: string): Promise<string> {
    const { id, method, params } = JSON.parse(body);
    if (method === "describe") return `{"id":${JSON.stringify(id)},"jsonrpc":"2.0","result":${description}}`;
    const { run, call, args } = params;
    calls.push(`${run} ${call}`);
    if (calls.length === 1) {
      arrived();
      await new Promise(() => {});
    }
    const document = { body: "", id: args.id, title: "" };
    return JSON.stringify({ jsonrpc: "2.0", method: "reply", params: { run, call, outcome: { Ok: document } } });
  }
  return { calls, first, answer };
}

describe("the Cloudflare Worker", () => {
  const start = async (options: Parameters<typeof startWorkers>[0] = {}) => {
    const workers = await startWorkers(options);
    closing.push(workers.close);
    return workers;
  };

  it(
    "runs the program with two components and a service binding, and keeps the history",
    async () => {
      const { address } = await start();
      const report = await post(address, "one");
      expect(report).toMatchObject({ found: "new", result: UNCHANGED });
      expect(report.transcript.filter((line) => line.startsWith("  ->")).map((line) => line.split("  [").at(-1))).toEqual([
        ...Array(3).fill("component]"),
        ...Array(4).fill("service]"),
        "component]",
      ]);
      expect(tagsIn(await historyOf(address, "one"))).toEqual(TAGS);
      expect(await post(address, "one")).toMatchObject({ found: "ended", result: UNCHANGED });
      expect((await fetch(new URL("runs/", address))).status).toBe(404);
    },
    START_MS,
  );

  it(
    "takes a run up again after its isolate is gone, and sends the open call again under its ids",
    async () => {
      const { calls, first, answer } = unreliableCatalog();
      const catalog = async (request: { text(): Promise<string> }) => new MiniflareResponse(await answer(await request.text()));
      const storage = join(directory, "durable");
      const before = await startWorkers({ storage, catalog: catalog as never });
      const cutOff = post(before.address, "two").catch((error: unknown) => error);
      await first;
      await before.close();
      await cutOff;
      const { address } = await start({ storage, catalog: catalog as never });
      expect(tagsIn(await historyOf(address, "two"))).toEqual(TAGS.slice(0, 3));
      expect(await post(address, "two")).toMatchObject({ found: "interrupted", result: UNCHANGED });
      expect(calls).toEqual(["two 4", "two 4", "two 5", "two 6", "two 7"]);
      expect(tagsIn(await historyOf(address, "two"))).toEqual(["Ok", "Failed", "NotRun", "Ok", "Ok", "Ok", "Ok", "Ok"]);
    },
    START_MS,
  );
});

describe("the Deno server", () => {
  async function start(more: readonly string[] = []): Promise<{ address: string; child: ChildProcess }> {
    const args = ["run", "--no-prompt", "--no-remote", "--allow-net=127.0.0.1", `--allow-read=${ROOT},${directory}`];
    const script = join(ROOT, "demo/edge/deno/server.ts");
    const child = spawn(join(ROOT, "node_modules/.bin/deno"), [...args, `--allow-write=${directory}`, script, directory, "0", ...more], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
    });
    closing.push(() => stop(child));
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [address] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as [string];
    expect(address).toMatch(/^http:/);
    return { address, child };
  }

  async function stop(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  it(
    "runs the program, and keeps the history in a file",
    async () => {
      const { address } = await start();
      expect(await post(address, "one")).toMatchObject({ found: "new", result: UNCHANGED });
      expect(tagsIn(await historyOf(address, "one"))).toEqual(TAGS);
      expect(await post(address, "one")).toMatchObject({ found: "ended", result: UNCHANGED });
    },
    START_MS,
  );

  it(
    "takes a run up again after it was killed",
    async () => {
      const { calls, first, answer } = unreliableCatalog();
      const service: Server = createServer(async (request, response) => {
        const body = await answer(await text(request));
        response.writeHead(200, { "content-type": "application/json" }).end(body);
      });
      await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
      closing.push(() => {
        service.closeAllConnections();
        service.close();
      });
      const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
      const before = await start([url]);
      const cutOff = post(before.address, "two").catch((error: unknown) => error);
      await first;
      await stop(before.child);
      await cutOff;
      const { address } = await start([url]);
      expect(tagsIn(await historyOf(address, "two"))).toEqual(TAGS.slice(0, 3));
      expect(await post(address, "two")).toMatchObject({ found: "interrupted", result: UNCHANGED });
      expect(calls).toEqual(["two 4", "two 4", "two 5", "two 6", "two 7"]);
    },
    START_MS,
  );
});
