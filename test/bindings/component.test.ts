/** Components in this thread, driven through a host: what they answer, and what happens when they break. */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { bindComponent, type ComponentOptions } from "../../src/bindings/component.ts";
import { createHost, type HostOptions } from "../../src/host/host.ts";
import type { FlowError } from "../../src/json/errors.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { signatureText } from "../../src/signature/signature.ts";
import type { ToolEntry, ToolsDocument } from "../../src/signature/tools.ts";
import { type BuiltComponent, builtComponent, demoTools, FIND } from "../components/built.ts";
import { DOES, type Loaded, load, oddComponent, type Served } from "../components/odd.ts";
import { program, rejection, toolsOf } from "../host/support.ts";
import { collect } from "./collect.ts";

const TOOL = "odd.flow.act";

let tools: ToolsDocument;
let served: Served;
let odd: Loaded;

beforeAll(async () => {
  tools = await toolsOf({ [TOOL]: { params: { n: "Int" } } });
  served = servedOf(tools.tools[0] as ToolEntry);
  odd = await load(await oddComponent({ served: [served] }));
}, 60_000);

function servedOf({ tool, fingerprint, signature }: ToolEntry): Served {
  return { tool, fingerprint, signature: signatureText(signature) };
}

const opened: { [Symbol.asyncDispose](): Promise<void> }[] = [];
afterEach(async () => {
  for (const host of opened.splice(0)) await host[Symbol.asyncDispose]();
});

/** Runs calls one after the other, each with one of {@link DOES}. */
async function outcomesOf(binding: Binding, does: readonly number[], options: HostOptions = {}): Promise<readonly Outcome[]> {
  const host = createHost({ ...options, bindings: { [TOOL]: binding } });
  opened.push(host);
  const { result } = await host.start({
    program: program(tools, async (run) => {
      const outcomes: Outcome[] = [];
      for (const n of does) outcomes.push(await run.call(TOOL, { n: BigInt(n) }));
      return outcomes;
    }),
  });
  return result;
}

/** Why a run over this binding is refused. */
async function refusal(binding: Binding): Promise<FlowError> {
  const caught = (await rejection(outcomesOf(binding, []))) as FlowError;
  expect(caught.code).toBe("refused");
  expect(caught.errors).toHaveLength(1);
  return caught.errors[0] as FlowError;
}

/** A component of which each instance is made from the next of some core modules, of which the last goes on. */
function changing(...loaded: readonly Loaded[]): Binding {
  let made = 0;
  const getCoreModule = (path: string) => (loaded[Math.min(made++, loaded.length - 1)] as Loaded).getCoreModule(path);
  return bindComponent((loaded[0] as Loaded).instantiate, getCoreModule);
}

describe("the search component through a host", () => {
  let search: BuiltComponent;
  let demo: ToolsDocument;
  const find = async (query: string, options: ComponentOptions = {}) => {
    const host = createHost({ bindings: { [FIND]: bindComponent(search.instantiate, search.getCoreModule, options) } });
    opened.push(host);
    const only = { ...demo, tools: demo.tools.filter(({ tool }) => tool === FIND) };
    return (await host.start({ program: program(only, (run) => run.call(FIND, { query })) })).result;
  };

  beforeAll(async () => {
    [search, demo] = await Promise.all([builtComponent("search"), demoTools()]);
  }, 60_000);

  it("answers with a value of the declared type", async () => {
    expect(await find("forge")).toMatchObject({ tag: "Ok", value: [{ id: "opaque", title: "Opaque types" }] });
  });

  it("fails with its declared error", async () => {
    expect(await find("")).toEqual({ tag: "Failed", value: { tag: "BadQuery", value: "the query is empty" } });
  });

  it("says itself what it did not run (row 11 of docs/outcomes.md)", async () => {
    expect(await find("long ".repeat(60))).toEqual({ tag: "NotRun", value: "query is longer than 256 bytes, the limit of this Tool" });
  });

  it("needs nothing, so nothing that is granted changes it", async () => {
    expect(await find("forge", { wasi: { clocks: true, random: true, log: true } })).toMatchObject({ tag: "Ok" });
  });
});

describe("binding", () => {
  it("takes signatures that nest as deep as any can", async () => {
    const signature = `{"err":${'{"items":'.repeat(990)}{}${"}".repeat(990)},"generic":[],"ok":{},"params":[]}`;
    const deep = await load(await oddComponent({ served: [{ ...served, signature }] }));
    expect(await outcomesOf(bindComponent(deep.instantiate, deep.getCoreModule), [DOES.ok])).toEqual([{ tag: "Ok", value: 7n }]);
  });

  it.each([
    ["no fingerprint", { fingerprint: "sha256:abc" }, "shape", "/tools/0/fingerprint"],
    ["an identity that is empty", { tool: "" }, "shape", "/tools/0/tool"],
    ["a signature that is no JSON", { signature: "{" }, "shape", "/tools/0/signature"],
    ["a signature that is no object", { signature: "[]" }, "shape", "/tools/0/signature"],
    ["another Tool's fingerprint", { fingerprint: `sha256:${"0".repeat(64)}` }, "fingerprint", ""],
    ["another Tool", { tool: "odd.flow.other" }, "not-served", ""],
  ])("refuses a description with %s", async (_, change, code, at) => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ served: [{ ...served, ...change }] }));
    expect(await refusal(bindComponent(instantiate, getCoreModule))).toMatchObject({ code, at, tool: TOOL });
  });

  it.each([
    ["1.0", "version"],
    ["0.1.0", "shape"],
    ["", "shape"],
  ])("refuses the data version %j", async (data, code) => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ data, served: [served] }));
    expect((await refusal(bindComponent(instantiate, getCoreModule))).code).toBe(code);
  });

  it("refuses another version of the interface, and names the one it met", async () => {
    const name = "flow:tool/tool@0.2.0";
    const wit = (text: string) => text.replace("flow:tool@0.1.0", "flow:tool@0.2.0");
    const { instantiate, getCoreModule } = await load(await oddComponent({ name, wit, served: [served] }));
    const { code, message } = await refusal(bindComponent(instantiate, getCoreModule));
    expect(code).toBe("shape");
    expect(message).toContain("does not export describe and answer of flow:tool/tool@0.1.0; it exports flow:tool/tool@0.2.0");
  });

  it("refuses what lacks an export", async () => {
    const half = async () => ({ "flow:tool/tool@0.1.0": { describe: () => ({ data: "0.1", served: [] }) } });
    expect((await refusal(bindComponent(half, odd.getCoreModule))).code).toBe("shape");
    expect((await refusal(bindComponent(async () => undefined, odd.getCoreModule))).message).toContain("it exports no interface");
  });

  it("refuses a component that traps while it describes itself", async () => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ onDescribe: "unreachable", served: [served] }));
    expect(await refusal(bindComponent(instantiate, getCoreModule))).toMatchObject({ code: "start" });
  });

  it("refuses a component whose core module cannot be had, and takes it once it can", async () => {
    let there = false;
    const binding = bindComponent(odd.instantiate, (path) => {
      if (!there) throw new Error("gone fishing");
      return odd.getCoreModule(path);
    });
    const { code, message } = await refusal(binding);
    expect(code).toBe("start");
    expect(message).toContain("gone fishing");
    there = true;
    expect(await outcomesOf(binding, [DOES.ok])).toEqual([{ tag: "Ok", value: 7n }]);
  });
});

describe("imports", () => {
  const WITH_IMPORT = {
    imports: '(import "acme:store/store@1.2.0" "put" (func (param i32)))',
    wit: (text: string) =>
      `${text.replace("  export tool;\n", "  import acme:store/store@1.2.0;\n  export tool;\n")}
package acme:store@1.2.0 { interface store { put: func(n: u32); } }`,
  };

  it("are named where the host does not provide them", async () => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ ...WITH_IMPORT, served: [served] }));
    const { code, message } = await refusal(bindComponent(instantiate, getCoreModule));
    expect(code).toBe("import");
    expect(message).toBe("the component imports acme:store/store, which this host does not provide");
  });

  it("are named to the function", async () => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ ...WITH_IMPORT, served: [served] }));
    const { code, message } = await refusal(bindComponent(instantiate, getCoreModule, { imports: { "acme:store/store": {} } }));
    expect(code).toBe("import");
    expect(message).toBe("the component imports put of acme:store/store, which this host does not provide");
  });

  it("are granted by name", async () => {
    const { instantiate, getCoreModule } = await load(await oddComponent({ ...WITH_IMPORT, served: [served] }));
    const binding = bindComponent(instantiate, getCoreModule, { imports: { "acme:store/store": { put: () => {} } } });
    expect(await outcomesOf(binding, [DOES.ok])).toEqual([{ tag: "Ok", value: 7n }]);
  });
});

describe("outcomes", () => {
  const bindOdd = () => bindComponent(odd.instantiate, odd.getCoreModule);

  it("are what the component says (rows 11 and 13)", async () => {
    expect(await outcomesOf(bindOdd(), [DOES.ok, DOES.failed, DOES.notRun, DOES.unknown])).toEqual([
      { tag: "Ok", value: 7n },
      { tag: "Failed", value: "no" },
      { tag: "NotRun", value: "not now" },
      { tag: "Unknown", value: "who knows" },
    ]);
  });

  it("are BadReply for text that is no JSON (row 12), and the instance goes on", async () => {
    const restarts: string[] = [];
    const outcomes = await outcomesOf(bindOdd(), [DOES.notJson, DOES.ok], { onRestart: ({ reason }) => restarts.push(reason) });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["BadReply", "Ok"]);
    expect(outcomes[0]?.value).toContain("syntax");
    expect(restarts).toEqual([]);
  });

  it("are BadReply for text that is not UTF-8 and for an outcome of no known case: the component had answered", async () => {
    const outcomes = await outcomesOf(bindOdd(), [DOES.notUtf8, DOES.ok, DOES.noCase, DOES.ok]);
    expect(outcomes.map(({ tag }) => tag)).toEqual(["BadReply", "Ok", "BadReply", "Ok"]);
    expect(outcomes[0]?.value).toContain("cannot be read");
  });

  it("are Unknown for a trap (row 8), and the next call has another instance", async () => {
    const restarts: string[] = [];
    const outcomes = await outcomesOf(bindOdd(), [DOES.ok, DOES.trap, DOES.ok, DOES.trap], {
      onRestart: ({ binding, reason }) => restarts.push(`${binding}: ${reason}`),
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Ok", "Unknown", "Ok", "Unknown"]);
    expect(outcomes[1]?.value).toMatch(/^the component stopped: RuntimeError: .*unreachable/);
    expect(restarts).toEqual([expect.stringMatching(/^component: RuntimeError: .*unreachable/)]);
  });

  it("are Unknown for memory that grew to its maximum, where the component gives up", async () => {
    expect((await outcomesOf(bindOdd(), [DOES.grow, DOES.ok])).map(({ tag }) => tag)).toEqual(["Unknown", "Ok"]);
  });

  it("are those of a new instance where a neighbour ended the one at hand", async () => {
    const host = createHost({ bindings: { [TOOL]: bindOdd() } });
    opened.push(host);
    const calls = [DOES.trap, DOES.ok, DOES.trap, DOES.ok];
    const { result } = await host.start({
      program: program(tools, (run) => Promise.all(calls.map((n) => run.call(TOOL, { n: BigInt(n) })))),
    });
    expect((await result).map(({ tag }) => tag)).toEqual(["Unknown", "Ok", "Unknown", "Ok"]);
  });
});

describe("a component that has to be started again (row 4)", () => {
  const otherwise = async (change: Partial<Served>, data = "0.1") => load(await oddComponent({ data, served: [{ ...served, ...change }] }));

  it.each([
    ["serves something else", { tool: "odd.flow.other" }, "0.1", "does not serve"],
    ["serves another signature", { fingerprint: `sha256:${"0".repeat(64)}` }, "0.1", "made for another signature"],
    ["is of another version", {}, "1.0", "version"],
  ])("and then %s: the call is NotRun", async (_, change, data, why) => {
    const outcomes = await outcomesOf(changing(odd, await otherwise(change, data)), [DOES.trap, DOES.ok]);
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "NotRun"]);
    expect(outcomes[1]?.value).toContain(why);
  });

  it("and does not instantiate: the call is NotRun, and so is every one until it does", async () => {
    let made = 0;
    const binding = bindComponent(odd.instantiate, (path) => {
      if (++made === 2 || made === 3) throw new Error(`attempt ${made}`);
      return odd.getCoreModule(path);
    });
    expect(await outcomesOf(binding, [DOES.trap, DOES.ok, DOES.ok, DOES.ok])).toEqual([
      { tag: "Unknown", value: expect.stringContaining("unreachable") },
      { tag: "NotRun", value: expect.stringContaining("attempt 2") },
      { tag: "NotRun", value: expect.stringContaining("attempt 3") },
      { tag: "Ok", value: 7n },
    ]);
  });

  it("and does not come up in time: the call is NotRun (R39)", async () => {
    let made = 0;
    const late = new Promise<WebAssembly.Module>(() => {});
    const binding = bindComponent(odd.instantiate, (path) => (++made === 1 ? odd.getCoreModule(path) : late), { startMs: 20 });
    const outcomes = await outcomesOf(binding, [DOES.trap, DOES.ok]);
    expect(outcomes[1]).toEqual({ tag: "NotRun", value: expect.stringContaining("did not start and describe itself within 20 ms") });
  });
});

it("makes and drops a thousand instances in flat memory", async () => {
  const memories: WeakRef<WebAssembly.Memory>[] = [];
  const instantiate: Loaded["instantiate"] = (getCoreModule, imports, instantiateCore) =>
    odd.instantiate(getCoreModule, imports, async (module, needed) => {
      const instance = await (instantiateCore as NonNullable<typeof instantiateCore>)(module, needed);
      memories.push(new WeakRef(instance.exports["memory"] as WebAssembly.Memory));
      return instance;
    });
  const binding = bindComponent(instantiate, odd.getCoreModule);
  const rounds = async (count: number) => {
    await outcomesOf(binding, Array(count).fill(DOES.trap) as number[]);
    await collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await rounds(100);
  const after = await rounds(1_000);
  expect(memories.length).toBeGreaterThanOrEqual(1_100);
  expect(memories.filter((memory) => memory.deref() !== undefined).length).toBeLessThan(10);
  // A thousand instances with their glue would be tens of megabytes.
  expect(after - before).toBeLessThan(4_000_000);
});
