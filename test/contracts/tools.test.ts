/** Flow Tools and contracts, joined in both directions. */
import { beforeEach, describe, expect, it } from "vitest";
import { bindFunction, type CallContext, type ToolFunction } from "../../src/bindings/function.ts";
import {
  bindContractMethod,
  type CallAnswer,
  type Contract,
  callFailure,
  createContractCalls,
  type EffectProvider,
  readContract,
  type ToolMethod,
  type ToolProviderOptions,
  toolProvider,
} from "../../src/contracts/index.ts";
import { createHost } from "../../src/host/host.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { bound, deferred, program, type SpecParts, toolsOf } from "../host/support.ts";

const READ = "sessions.flow.read";
const PROBLEM = {
  name: "Problem",
  identity: "sessions.flow.Problem",
  lexical_ordinal: 1,
  generic: [],
  opaque: false,
  kind: "enum",
  doc: null,
  constructors: [
    { name: "NotFound", doc: null, payload: { named: [{ name: "sessionId", type: "Text", doc: null }] } },
    { name: "Busy", doc: null, payload: null },
  ],
};
const SPEC: SpecParts = {
  params: { sessionId: "Text", depth: "Int" },
  ok: "json.Value",
  err: { Named: { declaration: "t1", args: [] } },
  declarations: { t1: PROBLEM },
};
const ERRORS = { NotFound: "not-found", Busy: "busy" };
const tools = await toolsOf({ [READ]: SPEC });
const [entry] = tools.tools;
if (entry === undefined) throw new Error("no Tool");

const contract = await contractOf({ "not-found": { type: "object" }, busy: { type: "null" } });

async function contractOf(errors: unknown): Promise<Contract> {
  const methods = { read: { input: true, output: true, errors } };
  const $schema = "https://flow.jig.md/schemas/capability-contract-1.schema.json";
  return readContract(
    JSON.stringify({ $schema, flowCapabilityContract: 1, id: "https://example.org/contracts/any", version: "1.0.0", methods }),
  );
}

describe("a Tool provides a method", () => {
  let asked: Readonly<Record<string, unknown>>[];
  let reply: ToolFunction;

  beforeEach(() => {
    asked = [];
    reply = () => ({ tag: "Ok", value: null });
  });

  function calls(more: Partial<ToolMethod> = {}, options?: ToolProviderOptions, of = contract) {
    const binding = bindFunction(entry as NonNullable<typeof entry>, (values, context) => {
      asked.push(values);
      return reply(values, context);
    });
    const provider = toolProvider({ read: { tool: entry as NonNullable<typeof entry>, binding, errors: ERRORS, ...more } }, options);
    return createContractCalls({ effects: { sessions: { contract: of, offered: of, provider } } });
  }

  const ask = (input: unknown, host = calls(), signal?: AbortSignal): Promise<CallAnswer> =>
    host.handle("effect/call", { operationId: "op-1", slot: "sessions", method: "read", input }, signal);
  const code = ({ error }: CallAnswer) => error?.data?.code;
  const INPUT = { sessionId: "s-1", depth: 3 };

  it("the members are the parameters, decoded at their types", async () => {
    reply = ({ sessionId }) => ({ tag: "Ok", value: [sessionId, Decimal.from("0.5"), 9_007_199_254_740_991n] });
    expect(await ask(INPUT)).toEqual({ result: { value: ["s-1", 0.5, 9_007_199_254_740_991] } });
    expect(asked).toEqual([{ sessionId: "s-1", depth: 3n }]);
  });

  it.each<[unknown, string, string]>([
    [{ sessionId: "s-1" }, "missing-member", ""],
    [{ ...INPUT, more: 1 }, "undeclared-member", "/more"],
    [{ ...INPUT, depth: 1.5 }, "not-whole", "/depth"],
    [{ ...INPUT, sessionId: null }, "kind", "/sessionId"],
    ["s-1", "kind", ""],
  ])("an input that does not decode is INVALID_INPUT before the Tool is reached: %j", async (input, why, at) => {
    const { error } = await ask(input);
    expect(error?.data).toEqual({ code: "INVALID_INPUT", details: { code: why, at } });
    expect(asked).toEqual([]);
  });

  it("members may be called otherwise, and pointers lead into the input", async () => {
    const host = () => calls({ parameters: { id: "sessionId", "a/b": "depth" } });
    expect(await ask({ id: "s-2", "a/b": 1 }, host())).toMatchObject({ result: { value: null } });
    expect(asked).toEqual([{ sessionId: "s-2", depth: 1n }]);
    expect((await ask({ id: "s-2", "a/b": 0.5 }, host())).error?.data).toMatchObject({ details: { code: "not-whole", at: "/a~1b" } });
    expect((await ask({ ...INPUT, id: "s-2" }, host())).error?.data).toMatchObject({ details: { at: "/sessionId" } });
    expect(asked).toHaveLength(1);
  });

  it("the whole input may be the one parameter", async () => {
    const { tools: one } = await toolsOf({ "list.flow.sum": { params: { items: { List: "Int" } } } });
    const tool = one[0] as NonNullable<typeof entry>;
    const sum: ToolFunction = ({ items }) => ({ tag: "Ok", value: (items as bigint[]).reduce((a, b) => a + b, 0n) });
    const method = { tool, binding: bindFunction(tool, sum), parameters: "items", errors: "refused" };
    const host = () => calls(method, {}, contract);
    expect(await ask([1, 2, 3], host())).toEqual({ result: { value: 6 } });
    expect((await ask([1, "2"], host())).error?.data).toMatchObject({ code: "INVALID_INPUT", details: { at: "/1" } });
  });

  it("Failed is a named error by the table", async () => {
    reply = () => ({ tag: "Failed", value: { tag: "NotFound", value: { sessionId: "s-1" } } });
    expect(await ask(INPUT)).toEqual({ result: { error: { name: "not-found", data: { sessionId: "s-1" } } } });
    reply = () => ({ tag: "Failed", value: { tag: "Busy" } });
    expect(await ask(INPUT)).toEqual({ result: { error: { name: "busy", data: null } } });
    const whole = await contractOf({ failed: true });
    expect(await ask(INPUT, calls({ errors: "failed" }, {}, whole))).toEqual({ result: { error: { name: "failed", data: "Busy" } } });
    // An error that the contract does not declare is none of its results.
    expect(code(await ask(INPUT, calls({}, {}, whole)))).toBe("INVALID_RESULT");
  });

  it.each<[Outcome | (() => never), string]>([
    [{ tag: "NotRun", value: "not now" }, "UNAVAILABLE"],
    [{ tag: "Unknown", value: "who knows" }, "UNCERTAIN"],
    [
      () => {
        throw new Error("broken");
      },
      "UNCERTAIN",
    ],
    [{ tag: "Ok", value: Symbol("no value") }, "INVALID_RESULT"],
    [{ tag: "Failed", value: { tag: "Odd" } }, "INVALID_RESULT"],
    [{ tag: "Ok", value: 2n ** 53n }, "INVALID_RESULT"],
    [{ tag: "Ok", value: { deep: [10n ** 400n] } }, "INVALID_RESULT"],
    [{ tag: "Ok", value: Decimal.from("0.12345678901234567890") }, "INVALID_RESULT"],
    [{ tag: "Ok", value: Decimal.from("9007199254740993.5") }, "INVALID_RESULT"],
  ])("%#: other outcomes are the codes of calls", async (outcome, expected) => {
    reply = () => (typeof outcome === "function" ? outcome() : outcome);
    expect(code(await ask(INPUT))).toBe(expected);
    expect(asked).toHaveLength(1);
  });

  it("a cancel passes through, and what still comes in time is the operation's answer", async () => {
    const started = deferred<CallContext>();
    const done = deferred<Outcome>();
    reply = (_, context) => {
      started.resolve(context);
      return done.promise;
    };
    const host = calls();
    const controller = new AbortController();
    const pending = ask(INPUT, host, controller.signal);
    const { signal } = await started.promise;
    controller.abort();
    expect(code(await pending)).toBe("CANCELLED");
    expect(signal.aborted).toBe(true);
    done.resolve({ tag: "Ok", value: "late" });
    expect(await ask(INPUT, host)).toEqual({ result: { value: "late" } });
  });

  it("a deadline is told from a cancel, also where the Tool does not answer", async () => {
    const started = deferred();
    reply = () => {
      started.resolve();
      return new Promise<Outcome>(() => {});
    };
    const host = calls({}, { graceMs: 1 });
    const controller = new AbortController();
    const pending = ask(INPUT, host, controller.signal);
    await started.promise;
    controller.abort(new DOMException("too late", "TimeoutError"));
    expect(code(await pending)).toBe("DEADLINE_EXCEEDED");
    expect(code(await ask(INPUT, host))).toBe("DEADLINE_EXCEEDED");
  });

  it("an implementation that does not fit is UNAVAILABLE, and asked again for the next call", async () => {
    let described = 0;
    const inner = bindFunction(entry, () => ({ tag: "Ok", value: 1n }));
    const binding: Binding = Object.assign(Object.create(inner) as Binding, {
      describe: async () => {
        if (described++ === 0) throw new Error("not yet");
        return inner.describe("1.0", AbortSignal.abort());
      },
      call: inner.call.bind(inner),
    });
    const provider = toolProvider({ read: { tool: entry, binding, errors: ERRORS } });
    const slot = { contract, offered: contract, provider };
    const host = createContractCalls({ effects: { sessions: slot } });
    expect(code(await ask(INPUT, host))).toBe("UNAVAILABLE");
    const again = createContractCalls({ effects: { sessions: slot } });
    expect(await ask(INPUT, again)).toEqual({ result: { value: 1 } });
    expect(await ask(INPUT, createContractCalls({ effects: { sessions: slot } }))).toEqual({ result: { value: 1 } });
    expect(described).toBe(2);
  });

  it("a method without a Tool is UNAVAILABLE", async () => {
    const host = createContractCalls({ effects: { sessions: { local: true, provider: toolProvider({}) } } });
    expect(code(await ask(INPUT, host))).toBe("UNAVAILABLE");
  });

  it.each<Partial<ToolMethod>>([
    { errors: {} },
    { errors: { NotFound: "not-found" } },
    { errors: { ...ERRORS, Other: "other" } },
    { errors: { ...ERRORS, Busy: "Busy" } },
    { errors: "Not a name" },
    { parameters: { id: "other" } },
    { parameters: { a: "depth", b: "depth" } },
    { parameters: { depth: "sessionId" } },
    { parameters: "sessionId" },
  ])("tables that do not fit are refused at once: %j", (more) => {
    expect(() => calls(more)).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("generic Tools, error types without constructors and names that are none are refused at once", async () => {
    const { tools: others } = await toolsOf({
      "a.flow.generic": { generic: ["T"] },
      "a.flow.text": { err: "Text" },
      "a.flow.sure": { err: "Never" },
    });
    const make = (index: number, name = "read") => {
      const tool = others[index] as NonNullable<typeof entry>;
      return () => toolProvider({ [name]: { tool, binding: bindFunction(tool, () => ({ tag: "Ok", value: 1n })) } });
    };
    const usage = expect.objectContaining({ code: "usage" });
    expect(make(0)).toThrow(usage);
    expect(make(1)).toThrow(usage);
    expect(make(2)).not.toThrow();
    expect(make(2, "Read")).toThrow(usage);
  });
});

describe("a provider answers a Tool", () => {
  let asked: { method: string; input: unknown; operationId: string }[];
  let answer: EffectProvider["call"];

  beforeEach(() => {
    asked = [];
    answer = () => ({ value: 1 });
  });

  function binding(more: Record<string, unknown> = {}, of = contract): Binding {
    const provider: EffectProvider = {
      call(request) {
        const { method, input, operationId } = request;
        asked.push({ method, input, operationId });
        return answer(request);
      },
    };
    const calls = createContractCalls({ effects: { sessions: { contract: of, offered: of, provider } } });
    return bindContractMethod(entry as NonNullable<typeof entry>, calls, { slot: "sessions", method: "read", errors: ERRORS, ...more });
  }

  async function outcome(args: Readonly<Record<string, unknown>> = { sessionId: "s-1", depth: 3n }, of = binding()): Promise<Outcome> {
    await using host = createHost({ bindings: { [READ]: of } });
    const { result } = await host.start({ run: "run-1", program: program(tools, (run) => run.call(READ, args)) });
    return (await result) as Outcome;
  }

  it("arguments are the input, the value is the success", async () => {
    answer = () => ({ value: { a: [1, 0.1] } });
    expect(await outcome()).toEqual({ tag: "Ok", value: { a: [1n, Decimal.from("0.1")] } });
    expect(asked).toEqual([{ method: "read", input: { sessionId: "s-1", depth: 3 }, operationId: "run-1/1" }]);
  });

  it("names go by the tables", async () => {
    answer = () => ({ error: { name: "not-found", data: { sessionId: "s-1" } } });
    expect(await outcome(undefined, binding({ parameters: { id: "sessionId" } }))).toEqual({
      tag: "Failed",
      value: { tag: "NotFound", value: { sessionId: "s-1" } },
    });
    expect(asked).toMatchObject([{ input: { id: "s-1", depth: 3 } }]);
    answer = () => ({ error: { name: "busy", data: null } });
    expect(await outcome()).toEqual({ tag: "Failed", value: { tag: "Busy" } });
  });

  it("an argument that JSON/1 cannot hold is NotRun, and nobody was asked", async () => {
    expect(await outcome({ sessionId: "s-1", depth: 2n ** 53n })).toMatchObject({ tag: "NotRun" });
    expect(asked).toEqual([]);
  });

  it.each<[string, Outcome["tag"]]>([
    ["UNAVAILABLE", "NotRun"],
    ["INVALID_INPUT", "NotRun"],
    ["PERMISSION_DENIED", "NotRun"],
    ["UNCERTAIN", "Unknown"],
    ["EXECUTION_FAILED", "Unknown"],
    ["RESOURCE_EXHAUSTED", "Unknown"],
    ["INVALID_RESULT", "BadReply"],
  ])("%s is %s", async (code, tag) => {
    answer = () => Promise.reject(callFailure(code as "UNCERTAIN", "so"));
    expect(await outcome()).toMatchObject({ tag });
  });

  it("a named error without a place in the table, or with data of another type, is BadReply", async () => {
    const wider = await contractOf({ "not-found": true, busy: true, other: true });
    answer = () => ({ error: { name: "other", data: 1 } });
    expect(await outcome(undefined, binding({}, wider))).toMatchObject({ tag: "BadReply" });
    answer = () => ({ error: { name: "not-found", data: 1 } });
    expect(await outcome(undefined, binding({}, wider))).toMatchObject({ tag: "BadReply" });
  });

  it("a method that the contract does not have is NotRun", async () => {
    expect(await outcome(undefined, binding({ method: "write" }))).toMatchObject({ tag: "NotRun" });
  });

  it("a cancel passes through", async () => {
    const started = deferred<AbortSignal>();
    answer = ({ signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    };
    await using host = createHost({ bindings: { [READ]: binding() } });
    const controller = new AbortController();
    const made = program(tools, (run) => run.call(READ, { sessionId: "s", depth: 1n }, { signal: controller.signal }));
    const { result } = await host.start({ program: made });
    const signal = await started.promise;
    controller.abort();
    expect(await result).toMatchObject({ tag: "Unknown" });
    expect(signal.aborted).toBe(true);
  });

  it("ids outside of the grammar of operations are hashed, and a call that is sent again joins", async () => {
    const way = binding();
    const message = {
      run: "run ü",
      call: "1",
      tool: READ,
      fingerprint: entry.fingerprint,
      values: {},
      args: '{"depth":1,"sessionId":"a"}',
    };
    expect(await way.call(message)).toEqual({ tag: "Ok", text: "1" });
    expect(await way.call(message)).toEqual({ tag: "Ok", text: "1" });
    expect(await way.call({ ...message, args: '{"depth":2,"sessionId":"a"}' })).toMatchObject({ tag: "NotRun" });
    expect(asked).toEqual([expect.objectContaining({ operationId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })]);
  });

  it("a table that cannot be read backwards is refused at once", () => {
    expect(() => binding({ errors: { NotFound: "gone", Busy: "gone" } })).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

it("there and back: a Tool behind a contract behind a Tool", async () => {
  const inner = bound(tools, READ, ({ sessionId, depth }) => ({ tag: "Ok", value: { [sessionId as string]: depth } }));
  const provider = toolProvider({ read: { tool: entry, binding: inner, errors: ERRORS } });
  const calls = createContractCalls({ effects: { sessions: { contract, offered: contract, provider } } });
  const outer = bindContractMethod(entry, calls, { slot: "sessions", method: "read", errors: ERRORS });
  await using host = createHost({ bindings: { [READ]: outer } });
  const { result } = await host.start({ program: program(tools, (run) => run.call(READ, { sessionId: "a", depth: 7n })) });
  expect(await result).toEqual({ tag: "Ok", value: { a: 7n } });
});
