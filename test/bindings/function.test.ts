/** Functions as Tools: values in, an outcome out, and nothing written in between. The contract is tested elsewhere. */
import { describe, expect, it } from "vitest";
import { bindFunction, type CallContext, type FunctionOptions, type ToolFunction } from "../../src/bindings/function.ts";
import { createHost } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { toolsOf } from "../host/support.ts";

const TOOL = "a.flow.f";
const POINT = {
  name: "Point",
  identity: "a.flow.Point",
  lexical_ordinal: 1,
  generic: [],
  opaque: false,
  kind: "record",
  doc: null,
  fields: [{ name: "x", type: "Int", doc: null }],
};
const SPEC = { params: { point: { Named: { declaration: "t1", args: [] } } }, ok: "Int", err: "Text", declarations: { t1: POINT } };
const GENERIC = { generic: ["T"], params: { it: { Param: { owner: "tool", index: 0 } } }, ok: { Param: { owner: "tool", index: 0 } } };

async function entryOf(spec: Parameters<typeof toolsOf>[0][string] = SPEC) {
  const tools = await toolsOf({ [TOOL]: spec });
  const [entry] = tools.tools;
  if (entry === undefined) throw new Error("one Tool was expected");
  return { tools, entry };
}

async function calling(
  implementation: ToolFunction,
  work: (run: Run) => Promise<unknown> = (run) => run.call(TOOL, { point: { x: 1n } }),
  { spec = SPEC, ...options }: FunctionOptions & { spec?: Parameters<typeof entryOf>[0] } = {},
): Promise<unknown> {
  const { tools, entry } = await entryOf(spec);
  await using host = createHost({ bindings: { [TOOL]: bindFunction(entry, implementation, options) }, graceMs: 10_000 });
  const { result } = await host.start({ program: { tools, run: (run) => work(run) } });
  return await result;
}

describe("bindFunction", () => {
  it("describes the declaration it was given", async () => {
    const { entry } = await entryOf();
    const binding = bindFunction(entry, () => ({ tag: "Ok", value: 1n }), { title: "mine", concurrency: 3 });
    expect(await binding.describe("0.1", new AbortController().signal)).toEqual({
      data: "0.1",
      tools: [{ tool: TOOL, fingerprint: entry.fingerprint, signature: entry.signature }],
    });
    expect(binding).toMatchObject({ title: "mine", concurrency: 3 });
    expect(bindFunction(entry, () => ({ tag: "Ok", value: 1n })).title).toBe("function");
  });

  it("hands over the values themselves, with the call's ids", async () => {
    const point = { x: 1n };
    let seen: unknown;
    let ids: unknown;
    const run = await calling(
      ({ point }, { run, call, schema, types }) => {
        seen = point;
        ids = { run, call, schema, types };
        return { tag: "Ok", value: 1n };
      },
      async (run) => {
        await run.call(TOOL, { point });
        return run.id;
      },
    );
    expect(seen).toBe(point);
    expect(ids).toEqual({ run, call: "1", schema: undefined, types: undefined });
  });

  it.each([
    ["an Error", () => Promise.reject(new RangeError("no")), "RangeError: no"],
    ["a text", () => Promise.reject("no"), "no"],
    ["nothing", () => Promise.reject(undefined), "undefined"],
    ["what has no text", () => Promise.reject(Object.create(null)), "no text"],
  ])("says Unknown of a function that throws %s", async (_, implementation, reason) => {
    expect(await calling(implementation)).toEqual({ tag: "Unknown", value: expect.stringContaining(reason) });
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a bare value", 1n],
    ["another tag", { tag: "Fine", value: 1n }],
    ["BadReply, which only the host decides", { tag: "BadReply", value: "" }],
    ["a reason that is no text", { tag: "NotRun", value: 1n }],
    ["a value of another type", { tag: "Ok", value: 1 }],
    ["an error of another type", { tag: "Failed", value: 1n }],
    ["no value", { tag: "Ok" }],
  ])("says BadReply of a function that returns %s", async (_, outcome) => {
    expect(await calling(() => outcome as Outcome)).toMatchObject({ tag: "BadReply" });
  });

  it("passes on what the function itself says did not happen, or may have", async () => {
    for (const tag of ["NotRun", "Unknown"] as const)
      expect(await calling(() => ({ tag, value: "so it says" }))).toEqual({ tag, value: "so it says" });
  });

  it("does not run a function whose own limits the arguments are past", async () => {
    let ran = 0;
    const implementation = (): Outcome => {
      ran++;
      return { tag: "Ok", value: 1n };
    };
    const call = (x: bigint) => calling(implementation, (run) => run.call(TOOL, { point: { x } }), { limits: { digits: 3 } });
    expect(await call(1000n)).toEqual({ tag: "NotRun", value: expect.stringContaining("digits") });
    expect(ran).toBe(0);
    expect(await call(999n)).toEqual({ tag: "Ok", value: 1n });
    const { entry } = await entryOf();
    expect(() => bindFunction(entry, implementation, { limits: { depth: -1 } })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("gives a generic call's function the views, as texts, and values of their types", async () => {
    let context: CallContext | undefined;
    const outcome = await calling(
      ({ it }, given) => {
        context = given;
        return { tag: "Ok", value: it };
      },
      (run) => run.call(TOOL, { it: [1n] }, { types: { bindings: { T: { List: "Int" } } } }),
      { spec: GENERIC },
    );
    expect(outcome).toEqual({ tag: "Ok", value: [1n] });
    expect(context?.schema).toBe('{"items":{"type":"integer"},"type":"array"}');
    expect(JSON.parse(context?.types ?? "")).toMatchObject({ bindings: [{ name: "T", type: { List: "Int" } }] });
  });

  it("fires the signal on cancel, whether it was asked for before or is after", async () => {
    const before = await calling(
      (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ tag: "Failed", value: "stopped" }))),
      (run) => run.call(TOOL, { point: { x: 1n } }, { timeoutMs: 20 }),
    );
    expect(before).toEqual({ tag: "Failed", value: "stopped" });
    const after = await calling(
      (_, context) => new Promise((resolve) => setTimeout(() => resolve({ tag: "Failed", value: String(context.signal.aborted) }), 200)),
      (run) => run.call(TOOL, { point: { x: 1n } }, { timeoutMs: 20 }),
    );
    expect(after).toEqual({ tag: "Failed", value: "true" });
  });

  it("fires the signals of open calls when it is closed", async () => {
    const { entry } = await entryOf();
    const signals: AbortSignal[] = [];
    const binding = bindFunction(entry, (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    void binding.call({ run: "r", call: "1", tool: TOOL, fingerprint: "", values: { point: { x: 1n } }, args: "{}" });
    binding.cancel({ run: "r", call: "2" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await binding[Symbol.asyncDispose]();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
