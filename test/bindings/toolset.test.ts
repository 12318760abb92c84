/** One toolset, served in process and by a child process: the same outcomes, whatever the author's code does. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bindFunction } from "../../src/bindings/function.ts";
import { bindToolset } from "../../src/bindings/toolset.ts";
import type { DropEvent } from "../../src/host/hooks.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { bindProcess } from "../../src/node/process.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import type { Toolset } from "../../src/protocol/toolset.ts";
import type { ToolsDocument } from "../../src/signature/tools.ts";
import { implement } from "../../src/toolkit/implement.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { Instant } from "../../src/values/instant.ts";
import { FlowSet } from "../../src/values/set.ts";
import { HostToken } from "../../src/values/shapes.ts";
import { bundleScript } from "../contract/bundle.ts";
import { authoredToolkit, ENDING_NAMES, identityOf, methods } from "../toolkit/authored.ts";

const ITEM = { id: "é\u{1f600}", n: 2n ** 80n, price: Decimal.from("0.1000000000000000000000000001") };
const act = (order: string, item: object = ITEM) => ["act", { order, item }] as const;
type Call = readonly [method: string, args: Record<string, unknown>, types?: object];

const gather = (T: unknown, more: readonly unknown[], item: object = { item: more[0] }): Call => [
  "gather",
  { items: FlowSet.from([], () => 0), box: { ...item, more } },
  { bindings: { T } },
];

/** Every way a call can end, by every kind of value. */
const CALLS: Readonly<Record<string, Call>> = {
  ok: act("ok"),
  "ok with an Option": act("ok", { ...ITEM, at: Instant.parse("2026-01-01T00:00:00.5Z") }),
  fail: act("fail"),
  empty: act("empty"),
  ids: act("ids"),
  print: act("print"),
  ...Object.fromEntries(ENDING_NAMES.map((order) => [order, act(order)])),
  "host tokens": ["turn", { page: new HostToken({ a: [1n, null] }), secret: { tag: "Approved", value: 5n } }],
  "a generic success": gather("Int", [3n, 1n, 2n]),
  "a generic error": gather({ Tuple: ["Int", "Text"] }, [[1n, "a"]]),
  instants: gather("Instant", [Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("+10000-01-01T00:00:00Z")]),
  "an Option field": gather({ Option: "Int" }, [{ tag: "None" }, { tag: "Some", value: 1n }], {}),
  "an Option field's own value": gather({ Option: "Int" }, [{ tag: "None" }], { item: 5n }),
  dictionaries: [
    "swap",
    {
      in: FlowDict.from([
        ["b", 10n],
        ["a", 9n],
      ] as const),
    },
    { bindings: { K: "Text", V: "Int" } },
  ],
  "no codec": ["ghost", { n: 1n }, { bindings: { P: { Function: { params: [], result: "Int" } } } }],
  "an error of a Tool without a codec": ["ghost", { n: -1n }, { bindings: { P: { Task: "Int" } } }],
};

let child: Awaited<ReturnType<typeof bundleScript>>;
let toolkitOf: Awaited<ReturnType<typeof authoredToolkit>>;
let tools: ToolsDocument;
const drops: DropEvent[] = [];
const logged: string[] = [];
let hosts: { readonly process: Host; readonly inProcess: Host; readonly asTexts: Host };

beforeAll(async () => {
  // What is printed in this process is not the question.
  for (const name of ["log", "info"] as const) vi.spyOn(console, name).mockReturnValue();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  child = await bundleScript(new URL("../toolkit/serve-process.ts", import.meta.url));
  const toolkit = await authoredToolkit();
  toolkitOf = toolkit;
  tools = await toolkit.document();
  const toolset = implement(toolkit, methods());
  // As a toolset that can do nothing without texts.
  const texts: Toolset = { describe: (data) => toolset.describe(data), answer: (call, signal) => toolset.answer(call, signal) };
  const host = (binding: Binding) =>
    createHost({
      bindings: new Map(tools.tools.map(({ tool }) => [tool, binding])),
      onDrop: (event) => drops.push(event),
      log: (line) => logged.push(line),
    });
  hosts = {
    process: host(bindProcess([process.execPath, child.path, "print first"], tmpdir())),
    inProcess: host(bindToolset(toolset)),
    asTexts: host(bindToolset(texts, { title: "as texts" })),
  };
});

afterAll(async () => {
  vi.restoreAllMocks();
  for (const host of Object.values(hosts ?? {})) await host[Symbol.asyncDispose]();
  await child?.remove();
});

async function running<T>(host: Host, work: (run: Run) => Promise<T>): Promise<T> {
  const { result } = await host.start({ program: { tools, run: (run) => work(run) } });
  return (await result) as T;
}

const call = (run: Run, [method, args, types]: Call, options = {}): Promise<Outcome> =>
  run.call(identityOf(method), args, { ...(types === undefined ? {} : { types: types as never }), ...options });

describe("a toolset", () => {
  it.each(Object.entries(CALLS))("ends the same in process, as texts and as a process: %s", async (name, given) => {
    const [process, inProcess, asTexts] = await Promise.all(
      [hosts.process, hosts.inProcess, hosts.asTexts].map((host) => running(host, (run) => call(run, given))),
    );
    expect(asTexts).toEqual(process);
    expect(inProcess).toEqual(process);
    const isUnknown = ENDING_NAMES.includes(name) || name === "an Option field's own value";
    expect(process?.tag).toMatch(isUnknown ? /^Unknown$/ : /^(Ok|Failed)$/);
  });

  it("ends the same when it is cancelled, and when it looks at its signal too late", async () => {
    for (const order of ["until stopped", "stopped before it looks"]) {
      const outcomes = await Promise.all(
        Object.values(hosts).map((host) => running(host, (run) => call(run, act(order), { timeoutMs: 100 }))),
      );
      const expected = order === "until stopped" ? { tag: "Failed", value: { tag: "Empty" } } : { tag: "Ok", value: { id: "true" } };
      for (const outcome of outcomes) expect(outcome).toMatchObject(expected);
    }
  });

  it("answers many generic calls at once, each at its own types", async () => {
    for (const host of Object.values(hosts)) {
      const outcomes = await running(host, (run) =>
        Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            call(run, i % 2 === 0 ? gather("Int", [BigInt(i), BigInt(i + 1)]) : gather("Text", [`${i}`, `${i}x`])),
          ),
        ),
      );
      for (const [i, outcome] of outcomes.entries()) {
        expect(outcome).toEqual({ tag: "Ok", value: i % 2 === 0 ? [BigInt(i), BigInt(i + 1)] : [`${i}`, `${i}x`] });
      }
    }
  });

  it("does not fit where the declaration has changed", async () => {
    const other = tools.tools.map((entry) => ({ ...entry, fingerprint: `sha256:${"0".repeat(64)}` }));
    for (const host of Object.values(hosts)) {
      const start = host.start({ program: { tools: { ...tools, tools: other }, run: () => {} } });
      await expect(start).rejects.toMatchObject({ code: "refused", errors: other.map(() => ({ code: "fingerprint" })) });
    }
  });

  it("fits a new version of its repository with an unchanged signature (R36)", async () => {
    const newer = await (await authoredToolkit("2.0.0")).document();
    const bindings = new Map(newer.tools.map(({ tool }) => [tool, bindToolset(implement(toolkitOf, methods()))]));
    await using host = createHost({ bindings });
    const { result } = await host.start({
      program: {
        tools: newer,
        run: async (run) => [
          await run.call(identityOf("act", "2.0.0"), { order: "ok", item: ITEM }),
          await run.call(identityOf("gather", "2.0.0"), gather("Int", [1n, 2n])[1], { types: { bindings: { T: "Int" } } }),
        ],
      },
    });
    expect(await result).toMatchObject([{ tag: "Ok" }, { tag: "Ok", value: [1n, 2n] }]);
  });

  it("is Unknown where its value does not encode; a function without the toolkit is BadReply (R42)", async () => {
    const [entry] = tools.tools.filter(({ tool }) => tool === identityOf("act"));
    if (entry === undefined) throw new Error("no act");
    const wrong = { tag: "Ok", value: { id: 7 } } as const;
    await using host = createHost({ bindings: { [entry.tool]: bindFunction(entry, () => wrong) } });
    const { result } = await host.start({ program: { tools: { ...tools, tools: [entry] }, run: (run) => call(run, act("wrong value")) } });
    expect(await result).toMatchObject({ tag: "BadReply" });
    expect(await running(hosts.inProcess, (run) => call(run, act("wrong value")))).toMatchObject({ tag: "Unknown" });
  });
});

describe("what the author's code of a process prints", () => {
  it("goes to the host's log, and no message is lost to it", async () => {
    const before = drops.length;
    const outcomes = await running(hosts.process, async (run) => {
      const all: Outcome[] = [];
      for (let i = 0; i < 20; i++) all.push(await call(run, act("print")));
      return all;
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(Array.from({ length: 20 }, () => "Ok"));
    expect(drops.length).toBe(before);
    const text = logged.join("\n");
    for (const printed of ["a line", "an: 'object'", "no line feed"]) expect(text).toContain(printed);
  });

  it("before it serves is dropped, though it left a line open", () => {
    expect(drops.map(({ detail }) => detail).filter((detail) => detail.includes("printed while starting"))).toHaveLength(1);
  });
});

describe("a binding of a toolset", () => {
  it("has a title and a concurrency, and says what kept a toolset from describing itself", async () => {
    const broken: Toolset = {
      describe: () => {
        throw new Error("no declarations");
      },
      answer: () => "",
    };
    const binding = bindToolset(broken, { title: "broken", concurrency: 2 });
    expect(binding).toMatchObject({ title: "broken", concurrency: 2 });
    await expect(binding.describe("0.1", new AbortController().signal)).rejects.toMatchObject({
      code: "start",
      message: expect.stringContaining("no declarations"),
    });
    const rubbish = bindToolset({ ...broken, describe: () => "[]" });
    await expect(rubbish.describe("0.1", new AbortController().signal)).rejects.toMatchObject({ code: "shape" });
  });

  it("never rejects: what a toolset throws is Unknown, what it answers that is no outcome is a bad reply", async () => {
    const message = { run: "r", call: "1", tool: "t", fingerprint: "", values: {}, args: "{}" };
    const answering = (answer: Toolset["answer"]) => bindToolset({ describe: () => "", answer }).call(message);
    const thrown = await answering(() => {
      throw new Error("broken");
    });
    expect(thrown).toMatchObject({ tag: "Unknown", reason: expect.stringContaining("broken") });
    expect(await answering(() => Promise.reject(new Error("broken")))).toMatchObject({ tag: "Unknown" });
    for (const text of ["", "[]", "{}", '{"Ok":1,"Failed":2}', '{"Maybe":1}', '{"NotRun":1}']) {
      expect(await answering(() => text), text).toMatchObject({ tag: "Malformed" });
    }
    expect(await answering(() => '{"NotRun":"not today"}')).toEqual({ tag: "NotRun", reason: "not today", from: "tool" });
  });

  it("tells a call sent again apart from the one that is still out", async () => {
    const signals: AbortSignal[] = [];
    let end: () => void = () => {};
    const binding = bindToolset({
      describe: () => "",
      answer: (_, signal) => {
        signals.push(signal);
        return new Promise((resolve) => {
          const answer = () => resolve('{"Ok":1}');
          if (signals.length === 1) end = answer;
          else signal.addEventListener("abort", answer);
        });
      },
    });
    const message = { run: "r", call: "1", tool: "t", fingerprint: "", values: {}, args: "{}" };
    const first = binding.call(message);
    const second = binding.call(message);
    while (signals.length < 2) await Promise.resolve();
    end();
    await first;
    binding.cancel(message);
    await second;
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    // Of calls that are not out, nobody is told.
    binding.cancel(message);
    binding.abandon(message);
  });
});
