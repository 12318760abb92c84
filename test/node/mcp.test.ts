/** MCP servers, one made by hand and two of the world's (R40): rows of docs/outcomes.md. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { DropEvent, RestartEvent } from "../../src/host/hooks.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import type { CallOptions, Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { JsonObject } from "../../src/json/value.ts";
import { bindMcp, type McpOptions } from "../../src/node/mcp.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { readTools, type ToolsDocument, writeTools } from "../../src/signature/tools.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { ACT, contractTools, SAME } from "../contract/tools.ts";
import { until } from "./faults.ts";

const SERVER = fileURLToPath(new URL("./mcp-server.mjs", import.meta.url));
const posting = { account: 73786976294838206465n, amount: Decimal.from("123456789012345.678901234567891") };
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function temporary(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "flow-host-mcp-")));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function make(starts: readonly string[] = ["well"], options: McpOptions = {}) {
  const directory = await temporary();
  const tools = await contractTools([ACT]);
  const drops: DropEvent[] = [];
  const restarts: RestartEvent[] = [];
  const log: string[] = [];
  const host = createHost({
    bindings: { [ACT]: bindMcp([process.execPath, SERVER, directory, ...starts], directory, tools.tools, options) },
    graceMs: 100,
    onDrop: (event) => drops.push(event),
    onRestart: (event) => restarts.push(event),
    log: (line) => log.push(line),
  });
  cleanups.push(() => host[Symbol.asyncDispose]());
  const run = <T>(work: (call: (order: string, options?: CallOptions) => Promise<Outcome>) => Promise<T>) =>
    running(host, tools, (run) => work((order, options) => run.call(ACT, { order, posting }, options)));
  return {
    run,
    drops,
    restarts,
    log,
    call: (order: string, options?: CallOptions) => run((call) => call(order, options)),
    trace: () => (existsSync(join(directory, "trace")) ? readFileSync(join(directory, "trace"), "utf8") : ""),
    started: () => [1, 2, 3, 4].filter((i) => existsSync(join(directory, `started-${i}`))).length,
  };
}

async function running<T>(host: Host, tools: ToolsDocument, work: (run: Run) => Promise<T>): Promise<T> {
  const { result } = await host.start({ program: { tools, run: (run) => work(run) } });
  return (await result) as T;
}

describe("what a server answers", () => {
  it.each(["structured", "structured null", "text", "text beside others"])(
    "row 13: %s is the value, exact to the last digit",
    async (order) => {
      const { call } = await make();
      const outcome = await call(order);
      expect(outcome).toMatchObject({ tag: "Ok", value: { account: posting.account } });
      expect(String((outcome.value as typeof posting).amount)).toBe(String(posting.amount));
    },
  );

  it.each(["error result", "error result, structured"])("row 13: %s is the declared error", async (order) => {
    expect(await (await make()).call(order)).toEqual({ tag: "Failed", value: "no" });
  });

  it.each([
    "two texts",
    "no content",
    "text that is no JSON",
    "no object",
    "error response",
    "error result that does not decode",
    "isError of another kind",
    "20 MiB",
  ])("row 18: %s is BadReply, and the server goes on", async (order) => {
    const { run, started } = await make();
    expect(await run(async (call) => [await call(order), await call("text")])).toMatchObject([{ tag: "BadReply" }, { tag: "Ok" }]);
    expect(started()).toBe(1);
  });

  it("R40: numbers go out as exact as they come in, under the call's own id", async () => {
    const { call, trace } = await make();
    await call("arguments");
    expect(trace()).toContain(
      '{"id":"1","jsonrpc":"2.0","method":"tools/call","params":{"arguments":{"order":"arguments","posting":{"account":73786976294838206465,"amount":123456789012345.678901234567891}},"name":"act"}}',
    );
  });

  it("R40: a response under a number is foreign, the one under the string counts", async () => {
    const { call, drops } = await make();
    expect(await call("number for id")).toMatchObject({ tag: "Ok", value: { account: posting.account } });
    expect(drops).toMatchObject([{ why: "foreign" }]);
  });

  it("row 15: a second response is dropped", async () => {
    const { run, drops } = await make();
    expect(await run(async (call) => [await call("twice"), await call("text")])).toMatchObject([{ tag: "Ok" }, { tag: "Ok" }]);
    expect(drops).toMatchObject([{ why: "second", ids: { call: "1" } }]);
  });
});

describe("what a server asks and says", () => {
  it("R40: ping is answered, other requests are not offered, nothing is advertised, notifications change nothing", async () => {
    const { call, trace, drops, log } = await make();
    expect(await call("asks")).toMatchObject({ tag: "Ok" });
    await until(() => trace().includes('"s3"'));
    expect(trace().trim().split("\n")).toEqual([
      "capabilities {}",
      "initialized",
      'answer "s1" {}',
      "answer 2 -32601",
      'answer "s3" -32601',
    ]);
    expect(drops).toEqual([]);
    expect(log).toEqual([expect.stringContaining("a word")]);
  });

  it("row 14: a cancel is notifications/cancelled", async () => {
    const { call, trace } = await make();
    expect(await call("never", { timeoutMs: 20 })).toMatchObject({ tag: "Unknown" });
    await until(() => trace().includes("cancelled 1"));
  });
});

describe("a server that cannot be used", () => {
  it.each([
    ["refuses", "shape"],
    ["speaks the future", "start"],
    ["lacks it", "unbound"],
  ])("rows 2 and 19: one that %s refuses the run with %s", async (start, code) => {
    const { call } = await make([start]);
    await expect(call("text")).rejects.toMatchObject({ code: "refused", errors: [{ code }] });
  });

  it("R39: one that is silent refuses the run once its time is over", async () => {
    const { call } = await make(["is silent"], { startMs: 300 });
    await expect(call("text")).rejects.toMatchObject({ errors: [{ code: "start" }] });
  });

  it("R40: a list of tools that goes in circles ends", async () => {
    expect(await (await make(["goes in circles"])).call("text")).toMatchObject({ tag: "Ok" });
  });

  it("R40: a list of tools that goes on without end is refused", async () => {
    const { call } = await make(["lists without end"], { startMs: 60_000 });
    await expect(call("text")).rejects.toMatchObject({ errors: [{ code: "limit" }] });
  });

  it("R40: one that asks without end and does not read the answers is ended", async () => {
    const { run, started } = await make();
    const outcomes = await run(async (call) => [await call("asks without end"), await call("text")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown", value: expect.stringContaining("does not read the answers") }, { tag: "Ok" }]);
    expect(started()).toBe(2);
  });

  it("R40: a generic declaration is a configuration error", async () => {
    const { tools } = await contractTools([SAME]);
    expect(() => bindMcp("x", ".", tools)).toThrow(expect.objectContaining({ code: "generic-mcp" }));
  });

  it("row 6: one that ends is a process that ends, and is started again", async () => {
    const { run, restarts, started } = await make();
    const outcomes = await run(async (call) => [...(await Promise.all([call("never"), call("exit")])), await call("text")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, { tag: "Ok" }]);
    expect(restarts).toHaveLength(1);
    expect(started()).toBe(2);
  });

  it("row 4: where it then lacks the tool, the call is NotRun", async () => {
    const { run } = await make(["well", "lacks it"]);
    expect(await run(async (call) => [await call("exit"), await call("text")])).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }]);
  });
});

describe("connections", () => {
  it("R40: runs beside each other have one each, and runs after each other share one", async () => {
    const { run, started } = await make();
    let letGo: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const first = run(async (call) => {
      const before = await call("text");
      await held;
      return [before, await call("text")];
    });
    await until(() => started() === 1);
    const second = await run(async (call) => call("text"));
    letGo();
    expect(await first).toMatchObject([{ tag: "Ok" }, { tag: "Ok" }]);
    expect(second).toMatchObject({ tag: "Ok" });
    expect(started()).toBe(2);
    expect(await run(async (call) => call("text"))).toMatchObject({ tag: "Ok" });
    expect(started()).toBe(2);
  });

  it("R40: one that still owes an answer does not go back to the pool", async () => {
    const { call, started } = await make();
    expect(await call("never", { timeoutMs: 20 })).toMatchObject({ tag: "Unknown" });
    expect(await call("text")).toMatchObject({ tag: "Ok" });
    expect(started()).toBe(2);
  });
});

describe("servers of the world", () => {
  const { resolve } = createRequire(import.meta.url);
  const bin = (name: string) => join(resolve(`@modelcontextprotocol/${name}/package.json`), "../dist/index.js");

  async function declared(specs: Readonly<Record<string, unknown>>): Promise<ToolsDocument> {
    const documents = Object.entries(specs).map(async ([tool, spec]) =>
      readTools(await writeTools([{ tool, doc: null, spec: readTypeSpec(spec as JsonObject) }])),
    );
    const read = await Promise.all(documents);
    return { data: "0.1", tools: read.flatMap(({ tools }) => tools), types: new Map(read.flatMap(({ types }) => [...types])) };
  }

  function record(name: string, fields: Readonly<Record<string, unknown>>) {
    const list = Object.entries(fields).map(([name, type]) => ({ name, type, doc: null }));
    return {
      name,
      identity: `world.flow.${name}`,
      lexical_ordinal: 1n,
      generic: [],
      opaque: false,
      kind: "record",
      doc: null,
      fields: list,
    };
  }
  const named = (declaration: string) => ({ Named: { declaration, args: [] } });

  async function host(tools: ToolsDocument, command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Host> {
    const binding = bindMcp(command, cwd, tools.tools, { env: { ...process.env, ...env } });
    const host = createHost({ bindings: new Map(tools.tools.map(({ tool }) => [tool, binding])) });
    cleanups.push(() => host[Symbol.asyncDispose]());
    return host;
  }

  it("server-memory: a graph is written and read back", async () => {
    const directory = await temporary();
    const entity = record("Entity", { name: "Text", entityType: "Text", observations: { List: "Text" } });
    const graph = record("Graph", { entities: { List: named("t1") }, relations: { List: "json.Value" } });
    const created = record("Created", { entities: { List: named("t1") } });
    const tools = await declared({
      "world.flow.create_entities": {
        generic: [],
        params: [{ name: "entities", type: { List: named("t1") } }],
        ok: named("t3"),
        err: "Text",
        declarations: { t1: entity, t3: created },
      },
      "world.flow.read_graph": { generic: [], params: [], ok: named("t2"), err: "Text", declarations: { t1: entity, t2: graph } },
    });
    const memory = await host(tools, [process.execPath, bin("server-memory")], directory, {
      MEMORY_FILE_PATH: join(directory, "memory.jsonl"),
    });
    const entities = [{ name: "Flow", entityType: "language", observations: ["knows nothing of MCP"] }];
    const outcomes = await running(memory, tools, async (run) => [
      await run.call("world.flow.create_entities", { entities }),
      await run.call("world.flow.read_graph", {}),
    ]);
    expect(outcomes).toMatchObject([
      { tag: "Ok", value: { entities } },
      { tag: "Ok", value: { entities, relations: [] } },
    ]);
  });

  it("server-filesystem: a file is read, and one outside of its folder is an error that no declaration has", async () => {
    const directory = await temporary();
    await writeFile(join(directory, "a.txt"), "a text\n");
    const content = record("Content", { content: "Text" });
    const tools = await declared({
      "world.flow.read_text_file": {
        generic: [],
        params: [{ name: "path", type: "Text" }],
        ok: named("t1"),
        err: "Text",
        declarations: { t1: content },
      },
    });
    const files = await host(tools, [process.execPath, bin("server-filesystem"), directory], directory);
    const outcomes = await running(files, tools, async (run) => [
      await run.call("world.flow.read_text_file", { path: join(directory, "a.txt") }),
      await run.call("world.flow.read_text_file", { path: "/etc/hostname" }),
    ]);
    expect(outcomes).toMatchObject([{ tag: "Ok", value: { content: "a text\n" } }, { tag: "BadReply" }]);
  });
});
