/** Components in Workers: what would hold this thread for ever is ended there, and nothing beside it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bindComponent, type ComponentWorkerOptions } from "../../src/bindings/component.ts";
import { createHost, type HostOptions } from "../../src/host/host.ts";
import type { FlowError } from "../../src/json/errors.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { signatureText } from "../../src/signature/signature.ts";
import type { ToolEntry, ToolsDocument } from "../../src/signature/tools.ts";
import { transpileComponent } from "../../wasm-tools/transpile.mjs";
import { DOES, oddComponent, type Served } from "../components/odd.ts";
import { program, rejection, toolsOf } from "../host/support.ts";

const TOOL = "odd.flow.act";

let tools: ToolsDocument;
let served: Served;
let directory: string;
/** Workers that were started and have not ended. */
const running = new Set<Worker>();
let started = 0;

beforeAll(async () => {
  tools = await toolsOf({ [TOOL]: { params: { n: "Int" } } });
  const { tool, fingerprint, signature } = tools.tools[0] as ToolEntry;
  served = { tool, fingerprint, signature: signatureText(signature) };
  directory = await mkdtemp(join(tmpdir(), "flow-worker-"));
  await writeFiles("odd", await oddComponent({ served: [served] }));
}, 60_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const hosts: { [Symbol.asyncDispose](): Promise<void> }[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
  // One that is not ended keeps this waiting, and fails.
  await Promise.all([...running].map((worker) => new Promise((resolve) => worker.once("exit", resolve))));
  started = 0;
}, 10_000);

async function writeFiles(name: string, component: Uint8Array): Promise<void> {
  const { files } = await transpileComponent(component, { name });
  for (const file of [`${name}.core.wasm`, "worker.js", "node.js", `${name}.js`]) {
    const prefixed = file === "worker.js" || file === "node.js" ? `${name}-${file}` : file;
    await writeFile(join(directory, prefixed.replace(/\.js$/, ".mjs")), text(files.get(file) as string | Uint8Array));
  }
}

function text(contents: string | Uint8Array): string | Uint8Array {
  return typeof contents === "string" ? contents.replaceAll('.js"', '.mjs"') : contents;
}

function open(name = "odd"): Worker {
  started++;
  const worker = new Worker(pathToFileURL(join(directory, `${name}-worker.mjs`)));
  running.add(worker);
  worker.once("exit", () => running.delete(worker));
  return worker;
}

async function modules(name = "odd"): Promise<(path: string) => Promise<WebAssembly.Module>> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(directory, `${name}-node.mjs`)).href)).getCoreModule;
}

async function bindOdd(options: Partial<ComponentWorkerOptions> = {}): Promise<Binding> {
  return bindComponent(() => open(), await modules(), { ...options, in: "worker" });
}

type Calls = readonly { readonly n: number; readonly timeoutMs?: number }[];

/** Runs a program that makes all calls at once, or one after the other. */
async function outcomesOf(
  binding: Binding,
  calls: Calls,
  how: "together" | "in turn",
  options: HostOptions = {},
): Promise<readonly Outcome[]> {
  const host = createHost({ graceMs: 30, ...options, bindings: { [TOOL]: binding } });
  hosts.push(host);
  const { result } = await host.start({
    program: program(tools, async (run) => {
      const make = ({ n, timeoutMs }: Calls[number]) => run.call(TOOL, { n: BigInt(n) }, timeoutMs === undefined ? {} : { timeoutMs });
      if (how === "together") return Promise.all(calls.map(make));
      const outcomes: Outcome[] = [];
      for (const call of calls) outcomes.push(await make(call));
      return outcomes;
    }),
  });
  return result;
}

describe("a component in a Worker", () => {
  it("answers as it does in this thread", async () => {
    const calls = [DOES.ok, DOES.failed, DOES.notRun, DOES.unknown, DOES.notUtf8, DOES.notJson].map((n) => ({ n }));
    expect((await outcomesOf(await bindOdd(), calls, "in turn")).map(({ tag }) => tag)).toEqual([
      "Ok",
      "Failed",
      "NotRun",
      "Unknown",
      "BadReply",
      "BadReply",
    ]);
  });

  it("is ended in a loop: cancelled, given its grace time, terminated, Unknown (row 8), and another takes the next call", async () => {
    const restarts: string[] = [];
    const outcomes = await outcomesOf(await bindOdd(), [{ n: DOES.loop, timeoutMs: 10 }, { n: DOES.ok }], "in turn", {
      onRestart: ({ reason }) => restarts.push(reason),
    });
    expect(outcomes).toEqual([
      { tag: "Unknown", value: "the call timed out after 10 ms; no reply came within 30 ms" },
      { tag: "Ok", value: 7n },
    ]);
    expect(restarts).toEqual(["a call was cancelled and did not end within the grace time"]);
    expect(started).toBe(2);
  });

  it("does not take its neighbours with it (R41)", async () => {
    const calls = [{ n: DOES.loop, timeoutMs: 10 }, { n: DOES.ok }, { n: DOES.ok }, { n: DOES.trap }, { n: DOES.ok }];
    const outcomes = await outcomesOf(await bindOdd({ instances: 2 }), calls, "together");
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "Ok", "Ok", "Unknown", "Ok"]);
  });

  it("queues what it has no instance for, and what is cancelled there was never sent (row 3)", async () => {
    const calls = [
      { n: DOES.loop, timeoutMs: 60 },
      { n: DOES.ok, timeoutMs: 5 },
    ];
    const outcomes = await outcomesOf(await bindOdd(), calls, "together");
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "NotRun"]);
  });

  it("starts no more instances than it needs", async () => {
    const binding = await bindOdd({ instances: 4 });
    expect(await outcomesOf(binding, Array(20).fill({ n: DOES.ok }), "in turn")).toHaveLength(20);
    expect(started).toBe(1);
    expect(await outcomesOf(binding, Array(20).fill({ n: DOES.ok }), "together")).toHaveLength(20);
    expect(started).toBeLessThanOrEqual(4);
  });

  it("that traps is Unknown, and another takes the next call", async () => {
    const restarts: string[] = [];
    const outcomes = await outcomesOf(await bindOdd(), [{ n: DOES.trap }, { n: DOES.ok }], "in turn", {
      onRestart: ({ reason }) => restarts.push(reason),
    });
    expect(outcomes).toEqual([
      { tag: "Unknown", value: expect.stringContaining("unreachable") },
      { tag: "Ok", value: 7n },
    ]);
    expect(restarts).toEqual([expect.stringContaining("unreachable")]);
  });
});

describe("a Worker that dies", () => {
  it("during a call: Unknown (row 7)", async () => {
    const binding = await bindOdd();
    const host = createHost({ bindings: { [TOOL]: binding } });
    hosts.push(host);
    const { result } = await host.start({ program: program(tools, (run) => run.call(TOOL, { n: BigInt(DOES.loop) })) });
    for (const worker of running) await worker.terminate();
    expect(await result).toEqual({
      tag: "Unknown",
      value: "the component was ended during the call: its Worker stopped: it ended with status 1",
    });
  });

  it("between calls: the next one gets another", async () => {
    const binding = await bindOdd();
    expect(await outcomesOf(binding, [{ n: DOES.ok }], "in turn")).toMatchObject([{ tag: "Ok" }]);
    for (const worker of running) await worker.terminate();
    expect(await outcomesOf(binding, [{ n: DOES.ok }], "in turn")).toMatchObject([{ tag: "Ok" }]);
  });

  it("before it is there, or is none: the run is refused, and later the call is NotRun (rows 2 and 4)", async () => {
    const getCoreModule = await modules();
    let made = 0;
    const faulty = () => {
      made++;
      if (made === 1) throw new Error("no more threads");
      if (made === 2) return new Worker("throw new Error('early')", { eval: true });
      return made === 4 ? new Worker("process.exit(3)", { eval: true }) : open();
    };
    const binding = bindComponent(faulty, getCoreModule, { in: "worker" });
    for (const why of ["no more threads", "early"]) {
      const refused = (await rejection(outcomesOf(binding, [], "in turn"))) as FlowError;
      expect(refused.errors).toMatchObject([{ code: "start", message: expect.stringContaining(why) }]);
    }
    const outcomes = await outcomesOf(binding, [{ n: DOES.trap }, { n: DOES.ok }, { n: DOES.ok }], "in turn");
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "NotRun", "Ok"]);
    expect(outcomes[1]?.value).toContain("it ended with status 3");
  });

  it("by never being ready: it is ended, and the run refused (R39)", async () => {
    const silent = () => {
      const worker = new Worker("setInterval(() => {}, 1000)", { eval: true });
      running.add(worker);
      worker.once("exit", () => running.delete(worker));
      return worker;
    };
    const binding = bindComponent(silent, await modules(), { in: "worker", startMs: 20 });
    const refused = (await rejection(outcomesOf(binding, [], "in turn"))) as FlowError;
    expect(refused.errors).toMatchObject([{ code: "start", message: expect.stringContaining("within 20 ms") }]);
  });
});

describe("binding", () => {
  it("names what is not granted", async () => {
    const component = await oddComponent({
      served: [served],
      imports: '(import "acme:store/store@1.2.0" "put" (func (param i32)))',
      wit: (source) =>
        `${source.replace("  export tool;\n", "  import acme:store/store@1.2.0;\n  export tool;\n")}
package acme:store@1.2.0 { interface store { put: func(n: u32); } }`,
    });
    await writeFiles("needs", component);
    const binding = bindComponent(() => open("needs"), await modules("needs"), { in: "worker" });
    const refused = (await rejection(outcomesOf(binding, [], "in turn"))) as FlowError;
    expect(refused.errors).toMatchObject([
      { code: "import", message: "the component imports acme:store/store, which this host does not provide" },
    ]);
  });

  it("says which core module cannot be had", async () => {
    const binding = bindComponent(
      () => open(),
      () => Promise.reject(new Error("lost")),
      { in: "worker" },
    );
    const refused = (await rejection(outcomesOf(binding, [], "in turn"))) as FlowError;
    expect(refused.errors).toMatchObject([{ code: "start", message: expect.stringContaining("no core module odd.core.wasm: lost") }]);
  });

  it("takes a whole number of instances", async () => {
    const getCoreModule = await modules();
    for (const instances of [0, -1, 1.5, Number.NaN]) {
      expect(() => bindComponent(() => open(), getCoreModule, { in: "worker", instances })).toThrow(/at least 1/);
    }
  });
});
