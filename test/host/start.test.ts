import { describe, expect, it } from "vitest";
import { createHost } from "../../src/host/host.ts";
import { MemoryStore } from "../../src/host/store.ts";
import { FlowError } from "../../src/json/errors.ts";
import { jsonObject } from "../../src/json/value.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import { readDescription } from "../../src/protocol/description.ts";
import { bound, program, rejection, toolsOf } from "./support.ts";

const A = "github.com/acme/m@1.0.0/a.flow.one";
const B = "github.com/acme/m@1.0.0/b.flow.two";
const ok = () => ({ tag: "Ok", value: 1n }) as const;
const FINGERPRINT = `sha256:${"0".repeat(64)}`;

/** A binding that describes itself as a test wants. */
function describing(describe: Binding["describe"]): Binding {
  return {
    title: "odd",
    describe,
    call: async () => ({ tag: "Ok", value: 1n }),
    cancel() {},
    abandon() {},
    listen: () => () => {},
    async [Symbol.asyncDispose]() {},
  };
}

/** The codes for which a run of one Tool is refused, by the binding that it has. */
async function refusalOf(binding: Binding | undefined, options = {}) {
  const tools = await toolsOf({ [A]: {} });
  const started: string[] = [];
  const host = createHost({ bindings: binding === undefined ? {} : { [A]: binding }, ...options });
  const error = (await rejection(host.start({ program: program(tools, () => started.push("ran")) }))) as FlowError;
  expect(error).toMatchObject({ code: "refused" });
  expect(started).toEqual([]);
  return error.errors.map(({ code, tool }) => ({ code, tool }));
}

describe("binding before a run starts (row 2 of docs/outcomes.md)", () => {
  it("refuses a declaration that nothing is bound to", async () => {
    expect(await refusalOf(undefined)).toEqual([{ code: "unbound", tool: A }]);
  });
  it("refuses one that the implementation does not serve", async () => {
    expect(await refusalOf(describing(async () => ({ data: "0.1", tools: [] })))).toEqual([{ code: "not-served", tool: A }]);
  });
  it("refuses another fingerprint", async () => {
    const served = { tool: A, fingerprint: FINGERPRINT, signature: jsonObject({}) };
    expect(await refusalOf(describing(async () => ({ data: "0.1", tools: [served] })))).toEqual([{ code: "fingerprint", tool: A }]);
  });
  it.each([
    ["0.2", undefined],
    ["1.0", "version"],
    ["1", "shape"],
    ["00.1", "shape"],
    [1n, "shape"],
  ])("R1: a description of data version %s", (data, code) => {
    const read = () => readDescription(jsonObject({ data, tools: [], more: null }));
    if (code === undefined) expect(read()).toEqual({ data, tools: [] });
    else expect(read).toThrow(expect.objectContaining({ code }));
  });
  it.each([
    ["no object", []],
    ["no tools", { data: "0.1" }],
    ["a tool that is no object", { data: "0.1", tools: [1n] }],
    ["no identity", { data: "0.1", tools: [jsonObject({ fingerprint: FINGERPRINT, signature: jsonObject({}) })] }],
    ["no fingerprint", { data: "0.1", tools: [jsonObject({ tool: A, fingerprint: "sha256:00", signature: jsonObject({}) })] }],
    ["no signature", { data: "0.1", tools: [jsonObject({ tool: A, fingerprint: FINGERPRINT, signature: "{}" })] }],
  ])("refuses a description with %s as a shape error", (_, json) => {
    expect(() => readDescription(Array.isArray(json) ? json : jsonObject(json))).toThrow(expect.objectContaining({ code: "shape" }));
  });
  it("passes on why a start failed", async () => {
    const refuse = describing(async () => {
      throw new FlowError("import", "wants wasi:filesystem");
    });
    expect(await refusalOf(refuse)).toEqual([{ code: "import", tool: A }]);
    const crash = describing(async () => {
      throw new Error("no such file");
    });
    expect(await refusalOf(crash)).toEqual([{ code: "start", tool: A }]);
  });
  it("R39: does not wait for ever, and says so to the binding", async () => {
    let aborted = false;
    const silent = describing((_, signal) => {
      signal.addEventListener("abort", () => {
        aborted = true;
      });
      return new Promise(() => {});
    });
    expect(await refusalOf(silent, { describeMs: 5 })).toEqual([{ code: "start", tool: A }]);
    expect(aborted).toBe(true);
  });
  it("asks the host's policy", async () => {
    const tools = await toolsOf({ [A]: {} });
    expect(await refusalOf(bound(tools, A, ok), { mayStart: () => "not on a Monday" })).toEqual([{ code: "policy", tool: A }]);
  });
  it("lists every Tool at once, in the order of the program", async () => {
    const tools = await toolsOf({ [A]: {}, [B]: {} });
    const slow = describing(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return { data: "0.1", tools: [] };
    });
    const error = (await rejection(createHost({ bindings: { [A]: slow } }).start({ program: program(tools, ok) }))) as FlowError;
    expect(error.errors.map(({ code, tool }) => [code, tool])).toEqual([
      ["not-served", A],
      ["unbound", B],
    ]);
    expect(error.message).toContain(A);
    expect(error.message).toContain(B);
  });
  it("R36: another version of the repository with the same signature fits", async () => {
    const [older, newer] = [await toolsOf({ [A]: {} }), await toolsOf({ [A.replace("1.0.0", "2.3.4")]: {} })];
    const binding = bound(newer, A.replace("1.0.0", "2.3.4"), ok);
    const { result } = await createHost({ bindings: { [A]: binding } }).start({ program: program(older, (run) => run.call(A, {})) });
    expect(await result).toEqual({ tag: "Ok", value: 1n });
  });
  it("takes a run's own bindings first, then the host's, then the configured ones", async () => {
    const tools = await toolsOf({ [A]: {} });
    const say = (value: bigint) => bound(tools, A, () => ({ tag: "Ok", value }));
    const call = program(tools, (run) => run.call(A, {}));
    const bases: unknown[] = [];
    const configured = (_: unknown, base: unknown) => {
      bases.push(base);
      return say(3n);
    };
    const both = createHost({ bindings: new Map([[A, say(2n)]]), configured });
    expect(await (await both.start({ program: call, bindings: { [A]: say(1n) } })).result).toMatchObject({ value: 1n });
    expect(await (await both.start({ program: call })).result).toMatchObject({ value: 2n });
    expect(await (await createHost({ configured }).start({ program: call, base: "/src" })).result).toMatchObject({ value: 3n });
    expect(bases).toEqual(["/src"]);
  });
  it("does not take a binding from a name every object has", async () => {
    const tools = await toolsOf({ "constructor.flow.toString": {} });
    const error = (await rejection(createHost({ bindings: {} }).start({ program: program(tools, ok) }))) as FlowError;
    expect(error.errors).toMatchObject([{ code: "unbound" }]);
  });
});

describe("a run's input", () => {
  const start = async (input: string | Record<string, unknown>) => {
    const tools = await toolsOf({});
    const { result } = await createHost().start({ program: program(tools, (_, values) => values, [{ name: "n", type: "Int" }]), input });
    return result;
  };
  it("is decoded from text, exactly", async () => expect(await start('{"n":12345678901234567890}')).toEqual({ n: 12345678901234567890n }));
  it("is taken as values", async () => expect(await start({ n: 5n })).toEqual({ n: 5n }));
  it.each([
    ['{"n":"5"}', "kind", "/input/n"],
    ['{"n":5,"m":1}', "undeclared-member", "/input/m"],
    ["{}", "missing-member", "/input"],
    ['{"n":1,"n":2}', "duplicate-member", "/input/n"],
    ["[]", "kind", "/input"],
    ["", "syntax", "/input"],
  ])("refuses %s", async (input, code, at) => {
    expect(await rejection(start(input))).toMatchObject({ code: "refused", errors: [{ code, at }] });
  });
  it("refuses values of another type", async () => {
    expect(await rejection(start({ n: 5 }))).toMatchObject({ code: "refused", errors: [{ code: "kind", at: "/input/n" }] });
  });
});

describe("the end of a run (row 20)", () => {
  it("cancels what is open, and waits for it", async () => {
    const tools = await toolsOf({ [A]: {} });
    const settled: string[] = [];
    const binding = bound(
      tools,
      A,
      (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ tag: "Ok", value: 9n }))),
    );
    const history = new MemoryStore();
    const host = createHost({ bindings: { [A]: binding }, onSettle: ({ outcome }) => settled.push(outcome.tag) });
    const { result, run } = await host.start({
      program: program(tools, (r) => {
        r.call(A, {});
        return "gone";
      }),
      history,
    });
    expect(await result).toBe("gone");
    expect(settled).toEqual(["Ok"]);
    expect(history.read()).toMatch(/"outcome".*"Ok":9.*\n\{"end":\{"problem":null\}\}\n$/s);
    expect(await rejection(run.call(A, {}))).toMatchObject({ code: "ended" });
  });
  it("rejects with what the program threw", async () => {
    const tools = await toolsOf({});
    const history = new MemoryStore();
    const fail = () => {
      throw new RangeError("no");
    };
    const { result } = await createHost().start({ program: program(tools, fail), history });
    expect(await rejection(result)).toBeInstanceOf(RangeError);
    expect(history.read()).toContain('{"end":{"problem":"RangeError: no"}}');
  });
});

describe("run ids", () => {
  it("are random, or given, and 1 to 256 bytes", async () => {
    const tools = await toolsOf({});
    const nothing = program(tools, () => undefined);
    const host = createHost();
    const [a, b] = [await host.start({ program: nothing }), await host.start({ program: nothing })];
    expect(a.run.id).not.toBe(b.run.id);
    expect((await host.start({ program: nothing, run: "r" })).run.id).toBe("r");
    for (const run of ["", "\u00e9".repeat(129)])
      expect(await rejection(host.start({ program: nothing, run }))).toMatchObject({ code: "usage" });
  });
});

describe("nested runs (R46)", () => {
  it("number their calls below the outer one, and share run id, bindings and history", async () => {
    const tools = await toolsOf({ [A]: { params: { n: "Int" } }, [B]: {} });
    const calls: string[] = [];
    const echo = bound(tools, A, ({ n }) => ({ tag: "Ok", value: n }));
    const host = createHost({ bindings: { [A]: echo, [B]: bound(tools, B, ok) }, onCall: ({ run, call }) => calls.push(`${run} ${call}`) });
    const inner = program(await toolsOf({ [B]: {} }), async (run, { x }) => [x, await run.call(B, {})], [{ name: "x", type: "Int" }]);
    const { result } = await host.start({
      run: "r",
      program: program(tools, async (run) => {
        await run.call(A, { n: 1n });
        const nested = await run.nested(inner, { x: 7n });
        await run.call(A, { n: 3n });
        return nested;
      }),
    });
    expect(await result).toEqual([7n, { tag: "Ok", value: 1n }]);
    expect(calls).toEqual(["r 1", "r 2.1", "r 3"]);
  });
});

describe("disposing of a host", () => {
  it("ends every implementation it used, each once", async () => {
    const tools = await toolsOf({ [A]: {} });
    let ended = 0;
    const binding = { ...describing(async () => ({ data: "0.1", tools: tools.tools })), [Symbol.asyncDispose]: async () => void ended++ };
    const host = createHost({ bindings: { [A]: binding } });
    for (const _ of [1, 2]) await (await host.start({ program: program(tools, (run) => run.call(A, {})) })).result;
    await host[Symbol.asyncDispose]();
    expect(ended).toBe(1);
  });
});
