/** Providers in a child process, in a Worker and behind HTTP: the same calls, the same answers. */
import { tmpdir } from "node:os";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CallAnswer,
  type ConnectionOptions,
  type ContractConnection,
  connectChannel,
  connectFetch,
  connectWorker,
  createContractCalls,
  serveContractFetch,
} from "../../../src/contracts/index.ts";
import { openProcess } from "../../../src/node/process.ts";
import { bundleScript } from "../../contract/bundle.ts";
import { type Served, serveHttp } from "../../contract/http.ts";
import { actingCalls, contract } from "./provider.ts";

let child: Awaited<ReturnType<typeof bundleScript>>;
let script: Awaited<ReturnType<typeof bundleScript>>;
let served: Served;
/** Cuts the connections of the HTTP service, as its end would. */
let cut: () => void = () => {};

beforeAll(async () => {
  [child, script] = (await Promise.all(
    ["./serve-lines.ts", "./serve-worker.ts"].map((name) => bundleScript(new URL(name, import.meta.url))),
  )) as [typeof child, typeof script];
});

afterAll(async () => {
  await Promise.all([child.remove(), script.remove()]);
});

interface Way {
  readonly name: string;
  open(options?: ConnectionOptions): Promise<ContractConnection>;
  close?(): Promise<void>;
}

const WAYS: readonly Way[] = [
  { name: "a child process", open: async (options) => connectChannel(openProcess([process.execPath, child.path], tmpdir()), options) },
  { name: "a Worker", open: async (options) => connectWorker(() => new Worker(script.path), options) },
  {
    name: "HTTP",
    open: async () => {
      served = await serveHttp(serveContractFetch(actingCalls(() => cut())));
      cut = () => void served.close();
      return connectFetch(fetch, served.url);
    },
    close: () => served.close(),
  },
];

describe.each(WAYS)("$name", ({ open, close }) => {
  let connection: ContractConnection;

  beforeAll(async () => {
    connection = await open();
  });

  afterAll(async () => {
    await connection[Symbol.asyncDispose]();
    await close?.();
  });

  let made = 0;
  const host = (of = connection) =>
    createContractCalls({
      effects: { actor: { contract, offered: contract, provider: of.effect("acting") } },
      flows: { helper: of.flow("child") },
    });
  function act(what: string, value?: unknown, signal?: AbortSignal, of = connection): Promise<CallAnswer> {
    const input = value === undefined ? { do: what } : { do: what, with: value };
    return host(of).handle("effect/call", { operationId: `op-${++made}`, slot: "actor", method: "act", input }, signal);
  }
  const code = ({ error }: CallAnswer) => error?.data?.code;

  /** Until the provider has as many waiting calls as that. */
  async function waitingCalls(of = connection): Promise<{ waiting: number; stopped: number }> {
    const { result } = await act("count", undefined, undefined, of);
    return (result as unknown as { value: { waiting: number; stopped: number } }).value;
  }

  it("values, named errors and operation ids", async () => {
    const value = { text: "é\u{1f600}\n", list: [0.1, -5, true, null], "": {} };
    expect(await act("echo", value)).toEqual({ result: { value } });
    expect(await act("refuse", [1])).toEqual({ result: { error: { name: "refused", data: [1] } } });
    expect(await act("name")).toEqual({ result: { value: `op-${made}` } });
  });

  it("Flows, with an intent and without", async () => {
    const call = (more: object) => host().handle("flow/call", { operationId: `op-${++made}`, slot: "helper", input: 1, ...more });
    expect(await call({})).toEqual({ result: { outcome: "done", output: [1, ""] } });
    expect(await call({ intent: "Do it." })).toEqual({ result: { outcome: "done", output: [1, "Do it."] } });
  });

  it.each(["UNAVAILABLE", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "INVALID_INPUT", "INVALID_RESULT", "UNCERTAIN", "EXECUTION_FAILED"])(
    "%s arrives as it was sent",
    async (told) => {
      expect((await act("fail", told)).error?.data).toEqual({ code: told, details: { told: true } });
    },
  );

  it("what a provider failed with is not told", async () => {
    const { error } = await act("?");
    expect(error).toEqual({ code: -32000, message: "the provider failed", data: { code: "EXECUTION_FAILED" } });
  });

  it("a slot that the other side does not have is UNAVAILABLE", async () => {
    const provider = connection.effect("other");
    const calls = createContractCalls({ effects: { actor: { contract, offered: contract, provider } } });
    const answer = await calls.handle("effect/call", { operationId: "op-x", slot: "actor", method: "act", input: {} });
    expect(code(answer)).toBe("UNAVAILABLE");
  });

  it("calls at the same time each get their own answer", async () => {
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    const answers = await Promise.all(numbers.map((i) => act("echo", i)));
    expect(answers).toEqual(numbers.map((i) => ({ result: { value: i } })));
  });

  it.each([
    ["CANCELLED", undefined],
    ["DEADLINE_EXCEEDED", new DOMException("too late", "TimeoutError")],
  ])("stopped: %s here, and the provider is told", async (expected, reason) => {
    const before = await waitingCalls();
    const controller = new AbortController();
    const pending = connection.effect("acting").call({
      method: "act",
      input: { do: "wait" },
      operationId: `op-${++made}`,
      signal: controller.signal,
    }) as Promise<unknown>;
    while ((await waitingCalls()).waiting === before.waiting);
    controller.abort(reason);
    await expect(pending).rejects.toMatchObject({ code: expected });
    while ((await waitingCalls()).stopped === before.stopped);
  });

  it("stopped before it began, nothing is sent", async () => {
    const provider = connection.effect("acting");
    const call = provider.call({ method: "act", input: { do: "wait" }, operationId: "never", signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("lost in the middle it is UNCERTAIN", async () => {
    expect(code(await act("die"))).toBe("UNCERTAIN");
  });
});

describe("after an end", () => {
  const started = WAYS.filter(({ close }) => close === undefined);

  it.each(started)("$name is started again for the next call, and told of", async ({ open }) => {
    await using connection = await open();
    const restarts: string[] = [];
    connection.listen({ dropped: () => {}, restarted: (reason) => restarts.push(reason), log: () => {} });
    const calls = createContractCalls({ effects: { actor: { contract, offered: contract, provider: connection.effect("acting") } } });
    const act = (operationId: string, what: string) =>
      calls.handle("effect/call", { operationId, slot: "actor", method: "act", input: { do: what } });
    expect((await act("a", "die")).error?.data?.code).toBe("UNCERTAIN");
    expect(await act("b", "echo")).toEqual({ result: { value: null } });
    expect(restarts).toEqual([expect.stringContaining("status 3")]);
    // What was uncertain stays so: the operation has been.
    expect((await act("a", "die")).error?.data?.code).toBe("UNCERTAIN");
  });

  it("a Worker that hangs does not answer a cancel, and is ended", async () => {
    await using connection = connectWorker(() => new Worker(script.path), { graceMs: 50 });
    const provider = connection.effect("acting");
    const ask = (what: string, signal = new AbortController().signal) =>
      provider.call({ method: "act", input: { do: what }, operationId: what, signal }) as Promise<unknown>;
    const controller = new AbortController();
    await ask("echo");
    const looping = ask("loop", controller.signal);
    const beside = ask("wait");
    // Posted, both are the Worker's.
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(looping).rejects.toMatchObject({ code: "CANCELLED" });
    await expect(beside).rejects.toMatchObject({ code: "UNCERTAIN", message: expect.stringContaining("ping") });
    await expect(ask("count")).resolves.toBeDefined();
  });

  it("closed for good, a connection reaches nobody", async () => {
    const [way] = WAYS as [Way];
    const connection = await way.open();
    await connection[Symbol.asyncDispose]();
    const call = connection.effect("acting").call({ method: "act", input: {}, operationId: "x", signal: new AbortController().signal });
    await expect(call).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it.each([
    ["a command that does not exist", () => connectChannel(openProcess(["/there/is/no/such/program"], tmpdir()))],
    ["a process that ends at once", () => connectChannel(openProcess([process.execPath, "-e", ""], tmpdir()))],
    ["a Worker that fails as it starts", () => connectWorker(() => new Worker("throw new Error('no')", { eval: true }))],
    ["an address that is none", () => connectFetch(fetch, "nowhere")],
  ])("%s cannot have been reached: UNAVAILABLE", async (_, open) => {
    await using connection = open();
    const call = connection.effect("acting").call({ method: "act", input: {}, operationId: "x", signal: new AbortController().signal });
    await expect(call).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
