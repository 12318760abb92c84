import { describe, expect, it } from "vitest";
import { createHost } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { jsonObject } from "../../src/json/value.ts";
import type { Binding, CallMessage } from "../../src/protocol/binding.ts";
import { type Outcome, type Reply, readOutcome } from "../../src/protocol/outcome.ts";
import { HostToken } from "../../src/values/shapes.ts";
import { bound, deferred, program, rejection, type SpecParts, toolsOf } from "./support.ts";

const ADD = "a.flow.add";

/** Runs a program of one Tool that a function answers. */
async function withTool<T>(
  parts: SpecParts,
  answer: (values: Readonly<Record<string, unknown>>, signal: AbortSignal) => unknown,
  calls: (run: Run) => T,
  options = {},
): Promise<Awaited<T>> {
  const tools = await toolsOf({ [ADD]: parts });
  const binding = bound(tools, ADD, (values, { signal }) => answer(values, signal) as Outcome);
  const host = createHost({ bindings: { [ADD]: binding }, graceMs: 20, ...options });
  const { result } = await host.start({ program: program(tools, calls) });
  return result;
}

/** A binding whose replies a test decides. */
function scripted(
  tools: Awaited<ReturnType<typeof toolsOf>>,
  call: (message: CallMessage) => Promise<Reply>,
  more: Partial<Binding> = {},
): Binding {
  return {
    title: "scripted",
    describe: async () => ({
      data: "0.1",
      tools: tools.tools.map(({ tool, fingerprint, signature }) => ({ tool, fingerprint, signature })),
    }),
    call,
    cancel() {},
    abandon() {},
    listen: () => () => {},
    async [Symbol.asyncDispose]() {},
    ...more,
  };
}

describe("arguments (row 1 of docs/outcomes.md)", () => {
  const parts = { params: { a: "Int", b: { Option: "Text" } } };
  const none = { tag: "None" };
  const refuse = (args: unknown) => {
    let reached = 0;
    return withTool(
      parts,
      () => {
        reached++;
        return { tag: "Ok", value: 1n };
      },
      async (run) => [await rejection(run.call(ADD, args as Record<string, unknown>)), reached] as const,
    );
  };

  it("refuses a value of another type, with its place", async () => {
    const [error, reached] = await refuse({ a: 1, b: none });
    expect(error).toMatchObject({ code: "kind", at: "/a" });
    expect((error as Error).message).toContain("bigint");
    expect(reached).toBe(0);
  });
  it("refuses a missing argument", async () => expect((await refuse({ a: 1n }))[0]).toMatchObject({ code: "missing-member" }));
  it("refuses an unknown parameter", async () =>
    expect((await refuse({ a: 1n, b: none, c: 1n }))[0]).toMatchObject({ code: "undeclared-member", at: "/c" }));
  it("writes a parameter of type Option as an enum (R37)", async () => {
    const seen: string[] = [];
    const options = { onCall: ({ args }: { args: string }) => seen.push(args) };
    await withTool(
      parts,
      () => ({ tag: "Ok", value: 1n }),
      (run) => run.call(ADD, { a: 1n, b: { tag: "Some", value: "x" } }),
      options,
    );
    expect(seen).toEqual(['{"a":1,"b":{"Some":"x"}}']);
  });
  it("refuses a Tool that the program does not list", async () => {
    const error = await withTool(
      {},
      () => ({ tag: "Ok", value: 1n }),
      (run) => rejection(run.call("a.flow.other", {})),
    );
    expect(error).toMatchObject({ code: "unknown-tool" });
  });
  it("refuses types for a Tool that is not generic", async () => {
    const error = await withTool(
      {},
      () => ({ tag: "Ok", value: 1n }),
      (run) => rejection(run.call(ADD, {}, { types: { bindings: {} } })),
    );
    expect(error).toMatchObject({ code: "member" });
  });
  it("does not use up a call number", async () => {
    const calls: string[] = [];
    await withTool(
      { params: { a: "Int" } },
      () => ({ tag: "Ok", value: 1n }),
      async (run) => {
        await rejection(run.call(ADD, {}));
        await run.call(ADD, { a: 1n });
      },
      { onCall: ({ call }: { call: string }) => calls.push(call) },
    );
    expect(calls).toEqual(["1"]);
  });
});

describe("outcomes of a function", () => {
  const one = (answer: (values: Readonly<Record<string, unknown>>, signal: AbortSignal) => unknown, parts: SpecParts = {}) =>
    withTool(parts, answer, (run) => run.call(ADD, {}));

  it("row 13: Ok", async () => expect(await one(() => ({ tag: "Ok", value: 2n ** 70n }))).toEqual({ tag: "Ok", value: 2n ** 70n }));
  it("row 13: Failed", async () => expect(await one(() => ({ tag: "Failed", value: "no" }))).toEqual({ tag: "Failed", value: "no" }));
  it("row 11: its own NotRun and Unknown", async () => {
    expect(await one(() => ({ tag: "NotRun", value: "shut" }))).toEqual({ tag: "NotRun", value: "shut" });
    expect(await one(async () => ({ tag: "Unknown", value: "who knows" }))).toEqual({ tag: "Unknown", value: "who knows" });
  });
  it("row 9: throws", async () => {
    const outcome = await one(() => {
      throw new RangeError("disk full");
    });
    expect(outcome).toMatchObject({ tag: "Unknown", value: expect.stringContaining("disk full") });
  });
  it("row 9: rejects with something that has no text", async () => {
    const odd = Object.create(null) as object;
    expect(await one(() => Promise.reject(odd))).toMatchObject({ tag: "Unknown" });
  });
  it.each([
    ["a value of another type", { tag: "Ok", value: 1 }],
    ["an unknown word", { tag: "BadReply", value: "x" }],
    ["nothing", undefined],
    ["a reason that is no string", { tag: "NotRun", value: 1 }],
    ["an error of another type", { tag: "Failed", value: 5n }],
  ])("row 12: %s is BadReply", async (_, value) => expect(await one(() => value)).toMatchObject({ tag: "BadReply" }));
  it("row 12: names code and place", async () => {
    const outcome = await one(() => ({ tag: "Ok", value: [1n, "2"] }), { ok: { List: "Int" } });
    expect(outcome).toMatchObject({ tag: "BadReply", value: expect.stringMatching(/kind.*\/1/) });
  });
  it("refuses arguments past its own limits before it runs", async () => {
    const tools = await toolsOf({ [ADD]: { params: { a: "Text" } } });
    let ran = false;
    const run = () => {
      ran = true;
      return { tag: "Ok", value: 1n } as const;
    };
    const host = createHost({ bindings: { [ADD]: bound(tools, ADD, run, { limits: { string: 4 } }) } });
    const { result } = await host.start({ program: program(tools, (r) => r.call(ADD, { a: "12345" })) });
    expect(await result).toMatchObject({ tag: "NotRun", value: expect.stringContaining("limit") });
    expect(ran).toBe(false);
  });
  it("gives host tokens on and back", async () => {
    const page = { t1: { name: "Page", identity: "a.flow.Page", lexical_ordinal: 1, generic: [], opaque: false, kind: "host", doc: null } };
    const named = { Named: { declaration: "t1", args: [] } };
    const token = new HostToken(jsonObject({ id: 7n }));
    const outcome = await withTool(
      { ok: named, declarations: page },
      () => ({ tag: "Ok", value: token }),
      (run) => run.call(ADD, {}),
    );
    expect(outcome).toEqual({ tag: "Ok", value: token });
  });
});

describe("replies that arrive as JSON or text", () => {
  const replyWith = async (reply: Reply, parts: SpecParts = {}) => {
    const tools = await toolsOf({ [ADD]: parts });
    const host = createHost({ bindings: { [ADD]: scripted(tools, async () => reply) }, limits: { digits: 50 } });
    return (await host.start({ program: program(tools, (run) => run.call(ADD, {})) })).result;
  };
  it("decodes them leniently", async () => {
    const record = { name: "R", identity: "a.flow.R", lexical_ordinal: 1, generic: [], opaque: false, kind: "record", doc: null };
    const declarations = { t1: { ...record, fields: [{ name: "amount", type: "Decimal", doc: null }] } };
    const parts = { ok: { Named: { declaration: "t1", args: [] } }, declarations };
    const value = { amount: Decimal.from("0.1234567890123456789") };
    expect(await replyWith({ tag: "Ok", text: '{"amount":0.1234567890123456789,"new":1}' }, parts)).toEqual({ tag: "Ok", value });
    expect(await replyWith({ tag: "Ok", json: jsonObject({ amount: value.amount, new: null }) }, parts)).toEqual({ tag: "Ok", value });
  });
  it.each([
    ["a string for an Int", '"42"', "kind"],
    ["a number past a limit", "1e60", "limit"],
    ["text that is no JSON", "{", "syntax"],
  ])("row 12: %s is BadReply", async (_, text, code) => {
    expect(await replyWith({ tag: "Ok", text })).toMatchObject({ tag: "BadReply", value: expect.stringContaining(code) });
  });
  it.each([
    ["no member", {}],
    ["two members", { Ok: 1n, Failed: "x" }],
    ["another member", { Maybe: 1n }],
    ["a BadReply that the Tool sent itself", { BadReply: "x" }],
    ["a reason that is no string", { NotRun: 1n }],
  ])("row 12: an outcome with %s is BadReply", async (_, outcome) => {
    expect(await replyWith(readOutcome(jsonObject(outcome)))).toMatchObject({ tag: "BadReply" });
  });
  it("a binding that breaks its word and rejects is Unknown", async () => {
    const tools = await toolsOf({ [ADD]: {} });
    const host = createHost({ bindings: { [ADD]: scripted(tools, () => Promise.reject(new Error("gone"))) } });
    const { result } = await host.start({ program: program(tools, (run) => run.call(ADD, {})) });
    expect(await result).toMatchObject({ tag: "Unknown" });
  });
});

describe("cancelling (R29)", () => {
  it("row 14: a reply within the grace time is that reply's outcome", async () => {
    const controller = new AbortController();
    const outcome = await withTool(
      {},
      (_, signal) => {
        const { promise, resolve } = deferred<Outcome>();
        signal.addEventListener("abort", () => resolve({ tag: "Ok", value: 5n }));
        setTimeout(() => controller.abort(), 1);
        return promise;
      },
      (run) => run.call(ADD, {}, { signal: controller.signal }),
      { graceMs: 10_000 },
    );
    expect(outcome).toEqual({ tag: "Ok", value: 5n });
  });
  it("row 14: none is Unknown, and says that it was cancelled", async () => {
    const outcome = await withTool(
      {},
      () => new Promise(() => {}),
      (run) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(new Error("the user left")), 1);
        return run.call(ADD, {}, { signal: controller.signal });
      },
    );
    expect(outcome).toMatchObject({ tag: "Unknown", value: expect.stringMatching(/cancelled.*the user left/) });
  });
  it("row 14: a timeout has a reason of its own", async () => {
    const outcome = await withTool(
      {},
      () => new Promise(() => {}),
      (run) => run.call(ADD, {}, { timeoutMs: 1 }),
    );
    expect(outcome).toMatchObject({ tag: "Unknown", value: expect.stringContaining("timed out after 1 ms") });
  });
  it("row 3: what is still queued is NotRun, and the place goes to the next", async () => {
    const tools = await toolsOf({ [ADD]: { params: { n: "Int" } } });
    const gate = deferred();
    const order: bigint[] = [];
    const binding = bound(
      tools,
      ADD,
      async ({ n }) => {
        order.push(n as bigint);
        if (n === 1n) await gate.promise;
        return { tag: "Ok", value: n };
      },
      { concurrency: 1 },
    );
    const host = createHost({ bindings: { [ADD]: binding } });
    const controller = new AbortController();
    const { result } = await host.start({
      program: program(tools, async (run) => {
        const first = run.call(ADD, { n: 1n });
        const second = run.call(ADD, { n: 2n }, { signal: controller.signal });
        const third = run.call(ADD, { n: 3n });
        await new Promise((resolve) => setTimeout(resolve, 1));
        controller.abort();
        const cancelled = await second;
        gate.resolve();
        return [await first, cancelled, await third];
      }),
    });
    expect(await result).toMatchObject([{ tag: "Ok" }, { tag: "NotRun" }, { tag: "Ok" }]);
    expect(order).toEqual([1n, 3n]);
  });
  it("an aborted signal from the start is NotRun", async () => {
    const outcome = await withTool(
      {},
      () => ({ tag: "Ok", value: 1n }),
      (run) => run.call(ADD, {}, { signal: AbortSignal.abort() }),
    );
    expect(outcome).toMatchObject({ tag: "NotRun" });
  });
  it("row 15: a late reply is dropped, counted, and changes nothing", async () => {
    const late = deferred<Outcome>();
    const drops: unknown[] = [];
    const outcome = await withTool(
      {},
      () => late.promise,
      (run) => run.call(ADD, {}, { timeoutMs: 1 }),
      { onDrop: (event: unknown) => drops.push(event), graceMs: 1 },
    );
    late.resolve({ tag: "Ok", value: 1n });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(outcome).toMatchObject({ tag: "Unknown" });
    expect(drops).toMatchObject([{ why: "late", ids: { call: "1" } }]);
  });
  it("tells the binding to cancel, then that nobody waits", async () => {
    const tools = await toolsOf({ [ADD]: {} });
    const told: string[] = [];
    const binding = scripted(tools, () => new Promise(() => {}), {
      cancel: ({ call }) => told.push(`cancel ${call}`),
      abandon: ({ call }) => told.push(`abandon ${call}`),
    });
    const host = createHost({ bindings: { [ADD]: binding }, graceMs: 5 });
    const { result } = await host.start({ program: program(tools, (run) => run.call(ADD, {}, { timeoutMs: 1 })) });
    await result;
    expect(told).toEqual(["cancel 1", "abandon 1"]);
  });
  it("an abandoned call gives its place away", async () => {
    const tools = await toolsOf({ [ADD]: {} });
    let n = 0;
    const binding = scripted(tools, () => (n++ === 0 ? new Promise(() => {}) : Promise.resolve({ tag: "Ok", value: 1n })), {
      concurrency: 1,
    });
    const host = createHost({ bindings: { [ADD]: binding }, graceMs: 1 });
    const { result } = await host.start({
      program: program(tools, (run) => Promise.all([run.call(ADD, {}, { timeoutMs: 1 }), run.call(ADD, {})])),
    });
    expect(await result).toMatchObject([{ tag: "Unknown" }, { tag: "Ok" }]);
  });
});

describe("hooks (row 22)", () => {
  it("a hook that throws changes nothing and is reported once", async () => {
    const lines: string[] = [];
    const fail = () => {
      throw new Error("hook");
    };
    const outcome = await withTool(
      {},
      () => ({ tag: "Ok", value: 1n }),
      async (run) => [await run.call(ADD, {}), await run.call(ADD, {})],
      {
        onCall: fail,
        onSettle: fail,
        log: (line: string) => lines.push(line),
      },
    );
    expect(outcome).toMatchObject([{ tag: "Ok" }, { tag: "Ok" }]);
    expect(lines.filter((line) => line.includes("onCall"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("onSettle"))).toHaveLength(1);
  });
});

describe("generic Tools", () => {
  const parts = {
    generic: ["A"],
    params: { items: { List: { Param: { owner: "tool", index: 0 } } } },
    ok: { Param: { owner: "tool", index: 0 } },
    err: "Text",
  };
  it("encodes and decodes at the bound types, and sends both views", async () => {
    const tools = await toolsOf({ [ADD]: parts });
    let message: CallMessage | undefined;
    const host = createHost({
      bindings: {
        [ADD]: scripted(tools, async (sent) => {
          message = sent;
          return { tag: "Ok", text: "3.5" };
        }),
      },
    });
    const { result } = await host.start({
      program: program(tools, (run) => run.call(ADD, { items: [Decimal.from("3.5")] }, { types: { bindings: { A: "Decimal" } } })),
    });
    expect(await result).toEqual({ tag: "Ok", value: Decimal.from("3.5") });
    expect(message).toMatchObject({ args: '{"items":[3.5]}', schema: '{"type":"number"}' });
    expect(JSON.parse(message?.types as string)).toMatchObject({
      bindings: [{ name: "A", type: "Decimal" }],
      ok: "Decimal",
      declarations: {},
    });
  });
  it("takes a caller's private type, whose local id another declaration has already", async () => {
    const own = { name: "Own", identity: "b.flow.Own", lexical_ordinal: 1, generic: [], opaque: false, kind: "record", doc: null } as const;
    const served = { ...own, name: "E", identity: "a.flow.E" };
    const field = { name: "n", type: "Int", doc: null } as const;
    const tools = await toolsOf({
      [ADD]: { ...parts, err: { Named: { declaration: "t1", args: [] } }, declarations: { t1: { ...served, fields: [field] } } },
    });
    const host = createHost({ bindings: { [ADD]: scripted(tools, async () => ({ tag: "Ok", text: '{"n":1}' })) } });
    const types = {
      bindings: { A: { Named: { declaration: "t1", args: [] } } },
      declarations: new Map([["t1", { ...own, fields: [field] }]]),
    };
    const { result } = await host.start({ program: program(tools, (run) => run.call(ADD, { items: [{ n: 5n }] }, { types })) });
    expect(await result).toEqual({ tag: "Ok", value: { n: 1n } });
  });
  it("row 1: refuses a call without bindings", async () => {
    const error = await withTool(
      parts,
      () => ({ tag: "Ok", value: 1n }),
      (run) => rejection(run.call(ADD, { items: [] })),
    );
    expect(error).toMatchObject({ code: "member" });
  });
  it("row 1: refuses a binding too many, and one too few", async () => {
    const call = (bindings: Record<string, "Int">) =>
      withTool(
        parts,
        () => ({ tag: "Ok", value: 1n }),
        (run) => rejection(run.call(ADD, { items: [] }, { types: { bindings } })),
      );
    expect(await call({ A: "Int", B: "Int" })).toMatchObject({ code: "member" });
    expect(await call({})).toMatchObject({ code: "member" });
  });
});
