/** Whatever breaks in a Worker of Node, each call ends once, with the outcome that is true: rows of docs/outcomes.md. */
import { Worker } from "node:worker_threads";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bindWorker, type WorkerOptions } from "../../src/bindings/worker.ts";
import type { DropEvent, RestartEvent } from "../../src/host/hooks.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import type { CallOptions } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import type { ToolsDocument } from "../../src/signature/tools.ts";
import { ACT, contractTools } from "../contract/tools.ts";
import { handMade } from "../contract/toolset.ts";

/** A Worker that does at its start, and for each call, what it is told. */
const SCRIPT = `
const { parentPort, workerData: { start, described } } = require("node:worker_threads");
const OK = { Ok: { account: 1, amount: 1 } };
const say = (message) => parentPort.postMessage(typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message }));
const reply = (params, outcome) => say({ method: "reply", params: { run: params.run, call: params.call, outcome } });
if (start === "throws") throw new Error("broken on load");
if (start === "exits") process.exit(3);
if (start !== "is never ready") say({ method: "ready", params: { lock: "" } });
parentPort.on("message", (text) => {
  const { id, method, params } = JSON.parse(text);
  if (method === "ping") say({ id, result: {} });
  if (method === "describe") {
    if (start === "exits when asked") process.exit(4);
    if (start === "serves nothing") return say({ id, result: { data: "0.1", tools: [] } });
    say('{"jsonrpc":"2.0","id":' + id + ',"result":' + described + "}");
  }
  if (method !== "call") return;
  switch (params.args.order) {
    case "ok": return reply(params, OK);
    case "exit": return process.exit(5);
    case "throw": setImmediate(() => { throw new Error("out of order"); }); return;
    case "loop": for (;;) {}
    case "twice": reply(params, OK); return reply(params, { Failed: "again" });
    case "foreign": reply({ ...params, call: "999" }, OK); return reply(params, OK);
    case "rubbish": say("print"); parentPort.postMessage({ jsonrpc: "2.0" }); parentPort.postMessage(7); return reply(params, OK);
    case "20 MiB": return reply(params, { Ok: { account: 1, amount: 1, note: "n".repeat(20 * 1024 * 1024) } });
    case "20 MiB of nobody": return say("x".repeat(20 * 1024 * 1024));
  }
});
`;

let tools: ToolsDocument;
let described: string;
const hosts: Host[] = [];

beforeAll(async () => {
  tools = await contractTools([ACT]);
  described = await handMade(tools).describe("0.1");
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host[Symbol.asyncDispose]()));
});

function make(starts: readonly string[] = ["well"], options: WorkerOptions = {}) {
  const drops: DropEvent[] = [];
  const restarts: RestartEvent[] = [];
  let started = 0;
  const open = () => {
    const start = starts[Math.min(started++, starts.length - 1)];
    return new Worker(SCRIPT, { eval: true, workerData: { start, described }, stderr: true });
  };
  const host = createHost({
    bindings: { [ACT]: bindWorker(open, { graceMs: 150, ...options }) },
    graceMs: 100,
    onDrop: (event) => drops.push(event),
    onRestart: (event) => restarts.push(event),
  });
  hosts.push(host);
  async function run<T>(work: (call: (order: string, options?: CallOptions) => Promise<Outcome>) => Promise<T>): Promise<T> {
    const posting = { account: 1n, amount: Decimal.from("1") };
    const { result } = await host.start({
      program: { tools, run: (run) => work((order, options) => run.call(ACT, { order, posting }, options)) },
    });
    return (await result) as T;
  }
  return { drops, restarts, run, started: () => started };
}

const OK = { tag: "Ok" };

describe("a Worker that does not come up", () => {
  it.each([
    ["throws", "start"],
    ["exits", "start"],
    ["exits when asked", "start"],
    ["serves nothing", "not-served"],
  ])("row 2: one that %s refuses the run with %s", async (start, code) => {
    await expect(make([start]).run(async () => {})).rejects.toMatchObject({ code: "refused", errors: [{ code }] });
  });

  it("row 2: one that is never ready refuses the run once its time is over", async () => {
    await expect(make(["is never ready"], { startMs: 300 }).run(async () => {})).rejects.toMatchObject({ errors: [{ code: "start" }] });
  });

  it("row 2: one that cannot even be made refuses the run", async () => {
    const binding = bindWorker(() => {
      throw new Error("no Workers here");
    });
    await expect(binding.describe("0.1", new AbortController().signal)).rejects.toMatchObject({ code: "start" });
  });

  it.each(["throws", "exits", "exits when asked", "serves nothing"])(
    "rows 4 and 7: where it then %s, the call is NotRun",
    async (start) => {
      const outcomes = await make(["well", start]).run(async (call) => [await call("exit"), await call("ok")]);
      expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }]);
    },
  );
});

describe("a Worker that breaks during a call", () => {
  it.each(["exit", "throw"])("row 7: %s is Unknown for every call that was posted, and the next is started anew", async (order) => {
    const { run, restarts, started } = make();
    const outcomes = await run(async (call) => [...(await Promise.all([call("never"), call(order)])), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, OK]);
    expect(restarts).toHaveLength(1);
    expect(started()).toBe(2);
  });

  it("R41: one that loops answers no ping and is terminated, with all its calls", async () => {
    const { run, started } = make();
    const outcomes = await run(async (call) => {
      const neighbour = call("never");
      const looping = await call("loop", { timeoutMs: 20 });
      return [looping, await neighbour, await call("ok")];
    });
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, OK]);
    expect(started()).toBe(2);
  });

  it("R41: one that answers pings goes on", async () => {
    const { run, started } = make();
    const outcomes = await run(async (call) => [
      await call("never", { timeoutMs: 20 }),
      await call("never", { timeoutMs: 20 }),
      await call("ok"),
    ]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, OK]);
    expect(started()).toBe(1);
  });
});

describe("replies that are none", () => {
  it("row 15: a second reply and a foreign one are dropped", async () => {
    const { run, drops } = make();
    expect(await run(async (call) => [await call("twice"), await call("foreign")])).toMatchObject([OK, OK]);
    expect(drops.map(({ why }) => why)).toEqual(["second", "foreign"]);
  });

  it("row 16: what is no message is dropped", async () => {
    const { run, drops } = make();
    expect(await run((call) => call("rubbish"))).toMatchObject(OK);
    expect(drops.map(({ why }) => why)).toEqual(["malformed", "malformed", "malformed"]);
  });

  it("row 12: a reply of 20 MiB is BadReply for its call", async () => {
    const { run, started } = make();
    expect(await run(async (call) => [await call("20 MiB"), await call("ok")])).toMatchObject([{ tag: "BadReply" }, OK]);
    expect(started()).toBe(1);
  });

  it("row 10a: 20 MiB of nobody end the Worker", async () => {
    const { run, started } = make();
    const outcomes = await run(async (call) => [...(await Promise.all([call("never"), call("20 MiB of nobody")])), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, OK]);
    expect(started()).toBe(2);
  });
});
