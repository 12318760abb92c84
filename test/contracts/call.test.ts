/** Calls through a contract and to a Flow: what reaches a provider, and what comes back. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  type CallAnswer,
  createContractCalls,
  type EffectProvider,
  type EffectRequest,
  FlowError,
  functionProvider,
  Json1Text,
  readContract,
  sessionStoreDescriptor,
} from "../../src/contracts/index.ts";

const contract = await readContract(JSON.stringify(sessionStoreDescriptor));
const INPUT = { sessionId: "s-1" };
const PARAMS = { operationId: "op-1", slot: "sessions", method: "read", input: INPUT };

/** What was asked of the provider, which answers as the test says. */
let asked: EffectRequest[];
let answer: (request: EffectRequest) => unknown;
const provider: EffectProvider = {
  call(request) {
    asked.push(request);
    return answer(request);
  },
};

beforeEach(() => {
  asked = [];
  answer = () => ({ value: INPUT });
});

function calls(more: Parameters<typeof createContractCalls>[0] = {}) {
  return createContractCalls({ effects: { sessions: { contract, offered: contract, provider } }, ...more });
}

function codeOf({ error }: CallAnswer): string | number | undefined {
  return error?.data?.code ?? error?.code;
}

async function code(params: unknown, method = "effect/call", host = calls()): Promise<string | number | undefined> {
  return codeOf(await host.handle(method, params));
}

/** A promise that is settled from outside. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything that is ready happen. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}

describe("effect/call", () => {
  it("hands the provider a frozen input and the exact contract, and gives a frozen result", async () => {
    const { result } = await calls().handle("effect/call", PARAMS);
    expect(result).toEqual({ value: INPUT });
    expect(asked).toMatchObject([
      { method: "read", input: INPUT, operationId: "op-1", contract: { id: contract.id, version: "1.0.0", digest: contract.digest } },
    ]);
    expect(Object.isFrozen(asked[0]?.input)).toBe(true);
    expect(Object.isFrozen((result as { value: object }).value)).toBe(true);
  });

  it.each<[unknown, string | number]>([
    [null, -32602],
    [[], -32602],
    [{ ...PARAMS, more: 1 }, -32602],
    [{ ...PARAMS, input: undefined }, -32602],
    [{ ...PARAMS, operationId: "" }, -32602],
    [{ ...PARAMS, operationId: "-a" }, -32602],
    [{ ...PARAMS, operationId: "a".repeat(129) }, -32602],
    [{ ...PARAMS, slot: "Sessions" }, -32602],
    [{ ...PARAMS, method: "Read" }, -32602],
    [{ ...PARAMS, slot: "other" }, "UNAVAILABLE"],
    [{ ...PARAMS, method: "write" }, "UNAVAILABLE"],
    [{ ...PARAMS, method: "constructor" }, "UNAVAILABLE"],
    [{ ...PARAMS, input: {} }, "INVALID_INPUT"],
    [{ ...PARAMS, input: 2 ** 53 }, "INVALID_INPUT"],
    [{ ...PARAMS, input: new Json1Text("9007199254740993") }, "INVALID_INPUT"],
  ])("refuses %j with %s before the provider is reached", async (params, expected) => {
    expect(await code(params)).toBe(expected);
    expect(asked).toEqual([]);
  });

  it("knows two methods", async () => {
    expect(await code(PARAMS, "effect/Call")).toBe(-32601);
    expect(await code(PARAMS, "toString")).toBe(-32601);
  });

  it("says why an input was rejected", async () => {
    const { error } = await calls().handle("effect/call", { ...PARAMS, input: { sessionId: "" } });
    expect(error?.data?.details).toMatchObject({
      diagnostics: [
        { code: "INVALID_INPUT", instance: "/sessionId", schema: "/$defs/ReadInput/properties/sessionId/minLength", keyword: "minLength" },
      ],
    });
  });

  it.each<[unknown, string]>([
    [undefined, "INVALID_RESULT"],
    [{ value: undefined }, "INVALID_RESULT"],
    [{ value: INPUT, error: undefined, more: 1 }, "INVALID_RESULT"],
    [{ value: { sessionId: 1n } }, "INVALID_RESULT"],
    [{ error: { name: "toString", data: INPUT } }, "INVALID_RESULT"],
    [{ error: { name: "not-found", data: {} } }, "INVALID_RESULT"],
    [new Json1Text('{"value":{"sessionId":"a","sessionId":"b"}}'), "INVALID_RESULT"],
    [new Map(), "INVALID_RESULT"],
  ])("does not take %o for a reply", async (reply, expected) => {
    answer = () => reply;
    expect(await code(PARAMS)).toBe(expected);
  });

  it("takes a named error with its data", async () => {
    answer = () => new Json1Text('{"error":{"name":"not-found","data":{"sessionId":"s-1"}}}');
    expect(await calls().handle("effect/call", PARAMS)).toEqual({ result: { error: { name: "not-found", data: INPUT } } });
  });

  it("a validation past the work budget is RESOURCE_EXHAUSTED, on either side", async () => {
    const branch = { type: "string", maxLength: 1_000_000 };
    const costly = await readContract(
      JSON.stringify({
        ...sessionStoreDescriptor,
        methods: { read: { input: { anyOf: [true, branch] }, output: { anyOf: [true, branch] }, errors: {} } },
      }),
    );
    const host = () => calls({ effects: { sessions: { contract: costly, offered: costly, provider } } });
    const long = "x".repeat(1_000_000);
    const { error } = await host().handle("effect/call", { ...PARAMS, input: long });
    expect(error?.data).toEqual({ code: "RESOURCE_EXHAUSTED", details: { code: "SCHEMA_LIMIT_EXCEEDED", at: "/methods/read/input" } });
    expect(asked).toEqual([]);
    answer = () => ({ value: long });
    const result = await host().handle("effect/call", { ...PARAMS, input: 1 });
    expect(result.error?.data).toEqual({
      code: "RESOURCE_EXHAUSTED",
      details: { code: "SCHEMA_LIMIT_EXCEEDED", at: "/methods/read/output" },
    });
  });

  it("passes on the call codes of a provider, and keeps its other failures to the host", async () => {
    const faults: unknown[] = [];
    const host = () => calls({ onFault: (fault, operationId) => faults.push([fault, operationId]) });
    for (const known of ["UNCERTAIN", "PERMISSION_DENIED", "INVALID_RESULT", "UNAVAILABLE"]) {
      answer = () => Promise.reject(new FlowError(known, "so"));
      expect(await code(PARAMS, "effect/call", host())).toBe(known);
    }
    expect(faults).toEqual([]);
    const secret = new Error("the password is 1234");
    answer = () => {
      throw secret;
    };
    const { error } = await host().handle("effect/call", PARAMS);
    expect(error).toEqual({ code: -32000, message: "the provider failed", data: { code: "EXECUTION_FAILED" } });
    answer = () => Promise.reject(new FlowError("OPERATION_CONFLICT", "not its to say"));
    expect(await code(PARAMS, "effect/call", host())).toBe("EXECUTION_FAILED");
    expect(faults).toEqual([
      [secret, "op-1"],
      [expect.objectContaining({ code: "OPERATION_CONFLICT" }), "op-1"],
    ]);
  });

  it("a provider of functions", async () => {
    const functions = functionProvider({
      read: (input, { operationId }) => ({ value: { sessionId: `${(input as typeof INPUT).sessionId} ${operationId}` } }),
    });
    const host = () => calls({ effects: { sessions: { contract, offered: contract, provider: functions } } });
    expect((await host().handle("effect/call", PARAMS)).result).toEqual({ value: { sessionId: "s-1 op-1" } });
    const none = calls({ effects: { sessions: { contract, offered: contract, provider: functionProvider({}) } } });
    expect(codeOf(await none.handle("effect/call", PARAMS))).toBe("UNAVAILABLE");
  });
});

describe("an operation", () => {
  it("is joined by the same call, in whatever order its members come, and returned once it is done", async () => {
    const gate = deferred<unknown>();
    answer = () => gate.promise;
    const host = calls();
    const input = { ...INPUT };
    const first = host.handle("effect/call", PARAMS);
    const second = host.handle("effect/call", { input, method: "read", slot: "sessions", operationId: "op-1" });
    await settle();
    gate.resolve({ value: INPUT });
    expect(await second).toEqual(await first);
    expect(await host.handle("effect/call", { ...PARAMS, input: new Json1Text('{ "sessionId": "s\\u002d1" }') })).toEqual(await first);
    expect(asked).toHaveLength(1);
  });

  it("with other params or another method is a conflict before anything is dispatched", async () => {
    const host = calls({ flows: { sessions: { call: () => ({ outcome: "done", output: 1 }) } } });
    await host.handle("effect/call", PARAMS);
    expect(await code({ ...PARAMS, input: { sessionId: "s-2" } }, "effect/call", host)).toBe("OPERATION_CONFLICT");
    expect(await code({ ...PARAMS, method: "write" }, "effect/call", host)).toBe("OPERATION_CONFLICT");
    expect(await code({ operationId: "op-1", slot: "sessions", input: INPUT }, "flow/call", host)).toBe("OPERATION_CONFLICT");
    expect(await code({ ...PARAMS, operationId: "op-2" }, "effect/call", host)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it("returns its failure as well, and runs once also where its provider calls back", async () => {
    const host = calls();
    const inner: Promise<CallAnswer>[] = [];
    answer = () => {
      inner.push(host.handle("effect/call", PARAMS));
      return { value: 1 };
    };
    expect(codeOf(await host.handle("effect/call", PARAMS))).toBe("INVALID_RESULT");
    expect(codeOf((await inner[0]) as CallAnswer)).toBe("INVALID_RESULT");
    expect(asked).toHaveLength(1);
  });

  it("is never forgotten: past the limit new ones are refused", async () => {
    const host = calls({ operations: 1 });
    await host.handle("effect/call", PARAMS);
    expect(await code({ ...PARAMS, operationId: "op-2" }, "effect/call", host)).toBe("RESOURCE_EXHAUSTED");
    expect(await code(PARAMS, "effect/call", host)).toBeUndefined();
  });

  it("cancelled by one caller goes on for the other, and stops with the last", async () => {
    const gate = deferred<unknown>();
    answer = () => gate.promise;
    const host = calls();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = host.handle("effect/call", PARAMS, one.signal);
    const second = host.handle("effect/call", PARAMS, two.signal);
    await settle();
    one.abort();
    expect(codeOf(await first)).toBe("CANCELLED");
    expect(asked[0]?.signal.aborted).toBe(false);
    two.abort(new DOMException("too late", "TimeoutError"));
    expect(codeOf(await second)).toBe("DEADLINE_EXCEEDED");
    expect(asked[0]?.signal.aborted).toBe(true);
    // What it came to in the end is still the operation's answer.
    gate.resolve({ value: INPUT });
    expect(await code(PARAMS, "effect/call", host)).toBeUndefined();
    expect(asked).toHaveLength(1);
  });

  it("cancelled before it began is not begun", async () => {
    expect(codeOf(await calls().handle("effect/call", PARAMS, AbortSignal.abort()))).toBe("CANCELLED");
    const controller = new AbortController();
    const pending = calls().handle("effect/call", PARAMS, controller.signal);
    controller.abort();
    expect(codeOf(await pending)).toBe("CANCELLED");
    await settle();
    expect(asked).toEqual([]);
  });

  it("ends with its owner", async () => {
    answer = ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const host = calls();
    const pending = host.handle("effect/call", PARAMS);
    await settle();
    host.close();
    expect(codeOf(await pending)).toBe("OWNER_CLOSED");
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(await code({ ...PARAMS, operationId: "op-2" }, "effect/call", host)).toBe("OWNER_CLOSED");
  });
});

describe("flow/call", () => {
  const FLOW = { operationId: "op-1", slot: "child", input: { any: ["thing"] } };
  const flow = (reply: unknown) => calls({ flows: { child: { call: () => reply } } });

  it("needs no contract, and gives exactly an outcome and an output", async () => {
    const seen: unknown[] = [];
    const host = calls({
      flows: {
        child: {
          call: ({ input, intent }) => {
            seen.push([input, intent]);
            return { outcome: "done", output: null };
          },
        },
      },
    });
    expect(await host.handle("flow/call", { ...FLOW, intent: "Do it." })).toEqual({ result: { outcome: "done", output: null } });
    expect(seen).toEqual([[{ any: ["thing"] }, "Do it."]]);
  });

  it.each<[unknown, string | number | undefined]>([
    [FLOW, undefined],
    [{ ...FLOW, intent: "😀".repeat(16_384) }, undefined],
    [{ ...FLOW, intent: "" }, -32602],
    [{ ...FLOW, intent: "x".repeat(16_385) }, -32602],
    [{ ...FLOW, intent: 1 }, -32602],
    [{ ...FLOW, method: "read" }, -32602],
    [{ ...FLOW, slot: "other" }, "UNAVAILABLE"],
    [{ ...FLOW, input: () => 1 }, "INVALID_INPUT"],
  ])("%#: params", async (params, expected) => {
    expect(await code(params, "flow/call", flow({ outcome: "done", output: 1 }))).toBe(expected);
  });

  it.each([{ outcome: "Done", output: 1 }, { outcome: "done" }, { outcome: "done", output: 1, more: 1 }, { value: 1 }, "done"])(
    "does not take %j for a reply",
    async (reply) => {
      expect(await code(FLOW, "flow/call", flow(reply))).toBe("INVALID_RESULT");
    },
  );
});

it("a slot has to be a local seam or of a contract that was read", () => {
  const usage = expect.objectContaining({ code: "usage" });
  expect(() => calls({ effects: { s: { contract: { ...contract }, offered: contract, provider } } })).toThrow(usage);
  expect(() => calls({ effects: { s: { local: true, contract, offered: contract, provider } as never } })).toThrow(usage);
});
