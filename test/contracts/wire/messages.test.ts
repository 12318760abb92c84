/** What exactly goes over the wire, in both directions, and what is made of messages that are wrong. */
import { describe, expect, it } from "vitest";
import {
  connectChannel,
  connectFetch,
  createContractCalls,
  Json1Text,
  serveContractFetch,
  serveContractLines,
} from "../../../src/contracts/index.ts";
import type { Dropped } from "../../../src/protocol/binding.ts";
import type { Inlet, OpenChannel } from "../../../src/protocol/session.ts";
import { deferred } from "../../host/support.ts";
import { actingCalls } from "./provider.ts";

/** The other side of a channel: what was sent, and what is answered. */
class Other {
  readonly sent: string[] = [];
  readonly dropped: Dropped[] = [];
  inlet!: Inlet;
  private waiting: (() => void)[] = [];

  readonly open: OpenChannel = (inlet) => {
    this.inlet = inlet;
    inlet.ready();
    return {
      send: (text) => {
        if (text === PING) {
          queueMicrotask(() => inlet.message('{"error":{"code":-32601,"message":"no"},"id":"start","jsonrpc":"2.0"}'));
          return undefined;
        }
        this.sent.push(text);
        for (const told of this.waiting.splice(0)) told();
        return undefined;
      },
      close: async () => inlet.ended("it was closed"),
      kill: async () => inlet.ended("it was killed"),
    };
  };

  async until(count: number): Promise<void> {
    while (this.sent.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

const PING = '{"id":"start","jsonrpc":"2.0","method":"ping","params":{}}';
const REQUEST = { method: "act", input: { do: "echo" }, operationId: "op-1" };
const never = () => new AbortController().signal;

function connected(graceMs = 5_000) {
  const other = new Other();
  const connection = connectChannel(other.open, { graceMs });
  connection.listen({ dropped: (message) => other.dropped.push(message), restarted: () => {}, log: () => {} });
  return { other, connection, provider: connection.effect("acting") };
}

/** What a call comes to when the other side answers its request with a message. */
async function answered(message: string, signal = never()): Promise<unknown> {
  const { other, provider } = connected();
  const call = provider.call({ ...REQUEST, signal }) as Promise<unknown>;
  call.catch(() => {});
  await other.until(1);
  other.inlet.message(message);
  return call;
}

const error = (value: unknown) => JSON.stringify({ jsonrpc: "2.0", id: "1", error: value });

describe("the consumer's side", () => {
  it("writes requests, and reads results without bending them", async () => {
    const { other, connection, provider } = connected();
    const effect = provider.call({ ...REQUEST, signal: never() }) as Promise<unknown>;
    const flow = connection.flow("child").call({ input: [1], intent: "Do it.", operationId: "op-2", signal: never() }) as Promise<unknown>;
    await other.until(2);
    expect(other.sent).toEqual([
      '{"id":"1","jsonrpc":"2.0","method":"effect/call","params":{"input":{"do":"echo"},"method":"act","operationId":"op-1","slot":"acting"}}',
      '{"id":"2","jsonrpc":"2.0","method":"flow/call","params":{"input":[1],"intent":"Do it.","operationId":"op-2","slot":"child"}}',
    ]);
    other.inlet.message('{"jsonrpc":"2.0","id":"2","result":{"outcome":"done","output":9007199254740993}}');
    other.inlet.message('{"jsonrpc":"2.0","id":"1","result":{"value":1}}');
    expect(await flow).toEqual(new Json1Text('{"outcome":"done","output":9007199254740993}'));
    expect(await effect).toEqual(new Json1Text('{"value":1}'));
  });

  it.each<[unknown, string, unknown?]>([
    [{ code: -32601, message: "no method" }, "UNAVAILABLE"],
    [{ code: -32602, message: "bad params" }, "INVALID_INPUT"],
    [{ code: -32603, message: "broken" }, "EXECUTION_FAILED"],
    [{ code: -32000, message: "m", data: { code: "PERMISSION_DENIED" } }, "PERMISSION_DENIED"],
    [{ code: -32000, message: "m", data: { code: "CANCELLED" } }, "CANCELLED"],
    [{ code: -32000, message: "m", data: { code: "OWNER_CLOSED" } }, "UNCERTAIN"],
    [{ code: -32000, message: "m", data: { code: "OPERATION_CONFLICT" } }, "UNAVAILABLE"],
    [{ code: -32000, message: "m", data: { code: "ELSE" } }, "EXECUTION_FAILED"],
    [{ code: -32000, message: "m" }, "EXECUTION_FAILED"],
    [{ code: 1, message: "m" }, "EXECUTION_FAILED"],
    [{ code: "1", message: "m" }, "INVALID_RESULT"],
    [{ code: 1 }, "INVALID_RESULT"],
    ["no", "INVALID_RESULT"],
    [null, "INVALID_RESULT"],
  ])("%j is %s", async (value, code) => {
    await expect(answered(error(value))).rejects.toMatchObject({ code });
  });

  it("an error that is no JSON/1 is INVALID_RESULT", async () => {
    await expect(answered('{"jsonrpc":"2.0","id":"1","error":{"code":-32000,"code":1,"message":""}}')).rejects.toMatchObject({
      code: "INVALID_RESULT",
    });
  });

  it("foreign, second and late answers and lines that are none change nothing", async () => {
    const { other, provider } = connected();
    const call = provider.call({ ...REQUEST, signal: never() }) as Promise<unknown>;
    await other.until(1);
    for (const text of [
      '{"jsonrpc":"2.0","id":1,"result":{"value":1}}',
      '{"jsonrpc":"2.0","id":"2","result":{"value":1}}',
      '{"jsonrpc":"2.0","id":"1","result":{"value":1},"error":{}}',
      '{"jsonrpc":"2.0","id":"1","method":"effect/call","params":{}}',
      "a stray print",
      '{"jsonrpc":"2.0","id":"1","result":{"value":2}}',
      '{"jsonrpc":"2.0","id":"1","result":{"value":3}}',
    ]) {
      other.inlet.message(text);
    }
    expect(await call).toEqual(new Json1Text('{"value":2}'));
    expect(other.dropped.map(({ why }) => why)).toEqual(["foreign", "foreign", "malformed", "malformed", "malformed", "second"]);
  });

  it("an answer past the size limit is INVALID_RESULT", async () => {
    const { other, provider } = connected();
    const call = provider.call({ ...REQUEST, signal: never() }) as Promise<unknown>;
    await other.until(1);
    other.inlet.oversized({ kind: "response", id: '"1"' });
    await expect(call).rejects.toMatchObject({ code: "INVALID_RESULT" });
  });

  it("an end is UNCERTAIN for what was sent, and UNAVAILABLE for what was not", async () => {
    const { other, provider } = connected();
    const sent = provider.call({ ...REQUEST, signal: never() }) as Promise<unknown>;
    await other.until(1);
    other.inlet.ended("it ended");
    await expect(sent).rejects.toMatchObject({ code: "UNCERTAIN" });
    const gone: OpenChannel = (inlet) => {
      queueMicrotask(() => inlet.ended("it did not start"));
      return { send: () => undefined, close: async () => {}, kill: async () => {} };
    };
    const unstarted = connectChannel(gone)
      .effect("acting")
      .call({ ...REQUEST, signal: never() });
    await expect(unstarted).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("cancels by the request's id, takes what comes in time, and does not wait for ever", async () => {
    const { other, provider } = connected(1);
    const one = new AbortController();
    const call = provider.call({ ...REQUEST, signal: one.signal }) as Promise<unknown>;
    await other.until(1);
    one.abort();
    await other.until(2);
    expect(other.sent[1]).toBe('{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"1"}}');
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    other.inlet.message('{"jsonrpc":"2.0","id":"1","result":{"value":1}}');
    expect(other.dropped).toMatchObject([{ why: "late" }]);

    const patient = connected();
    const two = new AbortController();
    const inTime = patient.provider.call({ ...REQUEST, signal: two.signal }) as Promise<unknown>;
    await patient.other.until(1);
    two.abort();
    patient.other.inlet.message('{"jsonrpc":"2.0","id":"1","result":{"value":1}}');
    expect(await inTime).toEqual(new Json1Text('{"value":1}'));
  });

  it("is refused names that are no slots", () => {
    const { connection } = connected();
    expect(() => connection.effect("No")).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => connection.flow("")).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it.each<[Response, string]>([
    [new Response("no", { status: 401 }), "PERMISSION_DENIED"],
    [new Response("no", { status: 403 }), "PERMISSION_DENIED"],
    [new Response("no", { status: 500 }), "UNCERTAIN"],
    [new Response("no"), "UNCERTAIN"],
    [new Response('{"jsonrpc":"2.0","id":2,"result":{}}'), "UNCERTAIN"],
    [new Response(null, { status: 202 }), "UNCERTAIN"],
    [new Response('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":""}}'), "UNAVAILABLE"],
  ])("%#: a response of a service that is no result", async (response, code) => {
    const call = connectFetch(async () => response, "http://service.example/")
      .effect("acting")
      .call({ ...REQUEST, signal: never() });
    await expect(call).rejects.toMatchObject({ code });
  });
});

describe("the provider's side", () => {
  /** What lines are answered with, in the order of the answers. */
  async function answersTo(...lines: string[]): Promise<unknown[]> {
    const output: string[] = [];
    const sink = new WritableStream<Uint8Array>({
      write(chunk) {
        output.push(new TextDecoder().decode(chunk));
      },
    });
    const input = (async function* () {
      yield new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
    })();
    await serveContractLines(
      actingCalls(() => {}),
      input,
      sink,
      { bodyLimit: 1_000 },
    );
    return output.map((line) => JSON.parse(line) as unknown);
  }

  const params = '{"operationId":"a","slot":"acting","method":"act","input":{"do":"echo","with":1}}';
  const request = (of: string, method = "effect/call", id = "1") => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${of}}`;

  it.each<[string, unknown]>([
    [request(params), { jsonrpc: "2.0", id: 1, result: { value: 1 } }],
    [request(params, "effect/call", '"x"'), { jsonrpc: "2.0", id: "x", result: { value: 1 } }],
    [request(params, "effect/other"), { id: 1, error: { code: -32601 } }],
    [request(params, "ping"), { id: 1, result: {} }],
    [request("[]"), { id: 1, error: { code: -32602 } }],
    [request(params.replace('"operationId":"a"', '"operationId":"a","operationId":"a"')), { id: 1, error: { code: -32602 } }],
    [request(params.replace('"slot"', '"more":1,"slot"')), { id: 1, error: { code: -32602 } }],
    [request(params.replace('"slot"', '"__proto__":1,"slot"')), { id: 1, error: { code: -32602 } }],
    [request(params.replace('"a"', "1")), { id: 1, error: { code: -32602 } }],
    ['{"jsonrpc":"2.0","id":1,"method":"effect/call"}', { id: 1, error: { code: -32602 } }],
    [request('{"operationId":"a","slot":"child","input":1,"intent":"\\ud800"}', "flow/call"), { id: 1, error: { code: -32602 } }],
    [request(params.replace("1}", "9007199254740993}")), { id: 1, error: { code: -32000, data: { code: "INVALID_INPUT" } } }],
    [request(params.replace("1}", "1,}")), { id: null, error: { code: -32700 } }],
    ['{"id":1,"method":"effect/call"}', { id: null, error: { code: -32600 } }],
    [request(`"${"x".repeat(1_000)}"`), { id: 1, error: { code: -32000, data: { code: "RESOURCE_EXHAUSTED" } } }],
    [`"${"x".repeat(1_000)}"`, { id: null, error: { code: -32700 } }],
  ])("%#: %s", async (line, expected) => {
    expect(await answersTo(line)).toMatchObject([expected]);
  });

  it("answers nothing to notifications, and needs ids that differ", async () => {
    const wait = request(params.replace("echo", "wait"), "effect/call", "7");
    expect(
      await answersTo(
        '{"jsonrpc":"2.0","method":"effect/call","params":{}}',
        wait,
        request(params, "effect/call", "7"),
        '{"jsonrpc":"2.0","method":"$/cancelRequest"}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":8}}',
        '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}',
      ),
    ).toMatchObject([
      { id: 7, error: { code: -32600 } },
      { id: 7, error: { data: { code: "CANCELLED" } } },
    ]);
  });

  it("a service may keep callers apart", async () => {
    const owners = new Map<string, ReturnType<typeof actingCalls>>();
    const handler = serveContractFetch((incoming) => {
      const name = incoming.headers.get("authorization") ?? "";
      const owner = owners.get(name) ?? actingCalls(() => {});
      owners.set(name, owner);
      return owner;
    });
    const call = async (name: string, value: number) => {
      const body = request(params.replace('"with":1', `"with":${value}`));
      const headers = { "content-type": "application/json", authorization: name };
      return (await handler(new Request("http://service.example/", { method: "POST", body, headers }))).json();
    };
    expect(await call("one", 1)).toMatchObject({ result: { value: 1 } });
    expect(await call("two", 2)).toMatchObject({ result: { value: 2 } });
    expect(await call("one", 2)).toMatchObject({ error: { data: { code: "OPERATION_CONFLICT" } } });
  });

  it("an owner that fails to answer is an internal error, and says no more", async () => {
    const handler = serveContractFetch({ handle: () => Promise.reject(new Error("a secret")), close() {} });
    const headers = { "content-type": "application/json" };
    const response = await handler(new Request("http://service.example/", { method: "POST", body: request(params), headers }));
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32603, message: expect.not.stringContaining("secret") },
    });
  });

  it("a caller that is gone takes its call with it", async () => {
    const started = deferred<AbortSignal>();
    const provider = {
      call({ signal }: { signal: AbortSignal }) {
        started.resolve(signal);
        return new Promise(() => {});
      },
    };
    const handler = serveContractFetch(createContractCalls({ effects: { acting: { local: true, provider } } }));
    const gone = new AbortController();
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", body: request(params), headers, signal: gone.signal };
    const pending = handler(new Request("http://service.example/", init));
    const signal = await started.promise;
    gone.abort();
    expect(await (await pending).json()).toMatchObject({ error: { data: { code: "CANCELLED" } } });
    expect(signal.aborted).toBe(true);
  });
});
