import { describe, expect, it } from "vitest";
import { readHistory } from "../../src/host/history.ts";
import { createHost } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import { type HistoryLog, type HistoryStore, MemoryStore } from "../../src/host/store.ts";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { HostToken } from "../../src/values/shapes.ts";
import { bound, deferred, program, rejection, toolsOf } from "./support.ts";

const A = "a.flow.echo";
const parts = { params: { n: "Int" } };

async function echoHost(answer: (n: bigint) => Outcome | Promise<Outcome> = (n) => ({ tag: "Ok", value: n })) {
  const tools = await toolsOf({ [A]: parts });
  const reached: bigint[] = [];
  const binding = bound(tools, A, ({ n }) => {
    reached.push(n as bigint);
    return answer(n as bigint);
  });
  return { tools, reached, host: createHost({ bindings: { [A]: binding }, graceMs: 5 }) };
}

const echo = (run: Run, n: bigint) => run.call(A, { n });

describe("what a history holds", () => {
  it("is canonical lines: start, calls, outcomes, end", async () => {
    const { tools, host } = await echoHost((n) => (n === 1n ? { tag: "Ok", value: 2n ** 64n } : { tag: "NotRun", value: 'shut "today"' }));
    const history = new MemoryStore();
    const { result } = await host.start({
      program: program(tools, async (run) => [await echo(run, 1n), await echo(run, 2n)], [{ name: "q", type: "Text" }]),
      input: { q: "x" },
      run: "r1",
      history,
    });
    await result;
    const lines = history.read().split("\n");
    const fingerprint = tools.tools[0]?.fingerprint;
    expect(lines).toEqual([
      `{"start":{"data":"0.1","input":{"q":"x"},"run":"r1","tools":[["${A}","${fingerprint}"]]}}`,
      `{"call":{"args":{"n":1},"call":"1","tool":"${A}"}}`,
      '{"outcome":{"call":"1","outcome":{"Ok":18446744073709551616}}}',
      `{"call":{"args":{"n":2},"call":"2","tool":"${A}"}}`,
      '{"outcome":{"call":"2","outcome":{"NotRun":"shut \\"today\\""}}}',
      '{"end":{"problem":null}}',
      "",
    ]);
    for (const line of lines.slice(0, -1)) expect(canonicalText(parseJson(line))).toBe(line);
  });
  it("keeps the host's own record beside it: the source base, and what served which call", async () => {
    const { tools, host } = await echoHost();
    const history = new MemoryStore();
    await (await host.start({ program: program(tools, (run) => echo(run, 1n)), history, base: "/home/me/app" })).result;
    expect(history.notes()).toBe('{"base":"/home/me/app"}\n{"served":{"binding":"function","call":"1"}}\n');
  });
  it("keeps a reason that holds a lone surrogate", async () => {
    const { tools, host } = await echoHost(() => ({ tag: "Unknown", value: "\ud800" }));
    const history = new MemoryStore();
    await (await host.start({ program: program(tools, (run) => echo(run, 1n)), history })).result;
    expect(readHistory(history.read()).entries).toContainEqual({ kind: "outcome", call: "1", tag: "Unknown", content: '"\ufffd"' });
  });
});

/** A store whose appends a test holds back or fails. */
function slowStore(append: (line: string) => void | Promise<void>): HistoryStore {
  const log: HistoryLog = { text: "", dropped: 0, append, note() {}, close() {} };
  return { open: () => log, read: () => "", notes: () => "" };
}

describe("recording before anything else", () => {
  it("R38: a call is sent only once its line is stored, an outcome given only once its line is", async () => {
    const { tools, host, reached } = await echoHost();
    const gates: { line: string; open: () => void }[] = [];
    const history = slowStore((line) => new Promise<void>((open) => gates.push({ line, open })));
    const started = host.start({ program: program(tools, (run) => echo(run, 1n)), history });
    const tick = () => new Promise((resolve) => setTimeout(resolve, 2));
    await tick();
    expect(gates).toHaveLength(1);
    gates[0]?.open();
    const { result } = await started;
    let given = false;
    result.then(() => {
      given = true;
    });
    await tick();
    expect(gates.map(({ line }) => line.slice(0, 7))).toEqual(['{"start', '{"call"']);
    expect(reached).toEqual([]);
    gates[1]?.open();
    await tick();
    expect(reached).toEqual([1n]);
    expect(gates).toHaveLength(3);
    expect(given).toBe(false);
    gates[2]?.open();
    await tick();
    gates[3]?.open();
    expect(await result).toEqual({ tag: "Ok", value: 1n });
  });
  it.each([
    [
      "throws",
      () => {
        throw new Error("disk full");
      },
    ],
    ["rejects", () => Promise.reject(new Error("disk full"))],
  ])("row 21: a store that %s stops the run, and the program gets no outcome", async (_, fail) => {
    const { tools, host } = await echoHost();
    let lines = 0;
    const history = slowStore(() => (++lines === 3 ? fail() : undefined));
    const seen: unknown[] = [];
    const { result } = await host.start({
      program: program(tools, async (run) => {
        seen.push(await rejection(echo(run, 1n)));
        seen.push(await rejection(echo(run, 2n)));
        return "went on regardless";
      }),
      history,
    });
    expect(await rejection(result)).toMatchObject({ code: "recorder" });
    expect(seen).toMatchObject([{ code: "recorder" }, { code: "recorder" }]);
  });
  it("a store that fails at the start refuses the run", async () => {
    const { tools, host } = await echoHost();
    const history = slowStore(() => Promise.reject(new Error("read-only")));
    expect(await rejection(host.start({ program: program(tools, () => 1), history }))).toMatchObject({ code: "recorder" });
  });
  it("a store that holds a history already refuses another", async () => {
    const { tools, host } = await echoHost();
    const history = new MemoryStore();
    await (await host.start({ program: program(tools, () => 1), history })).result;
    expect(await rejection(host.start({ program: program(tools, () => 1), history }))).toMatchObject({ code: "history" });
    await expect(Promise.resolve(history.open())).resolves.toBeDefined();
  });
});

/** A program with calls in parallel whose order of answers a test decides; it notes what it saw. */
function parallel(saw: string[]) {
  return async (run: Run) => {
    const note = (n: bigint) => echo(run, n).then((outcome) => saw.push(`${n}:${String(outcome.value)}`));
    const [one, two] = [note(1n), note(2n)];
    await two;
    const three = note(3n);
    await Promise.all([one, three]);
    return saw.join(" ");
  };
}

/** A finished history in which call 2 was answered before call 1, and call 3 made in between. */
async function recorded() {
  const first = deferred<Outcome>();
  const { tools, host } = await echoHost((n) => {
    if (n === 1n) return first.promise;
    if (n === 3n) first.resolve({ tag: "Ok", value: 10n });
    return { tag: "Ok", value: n * 10n };
  });
  const history = new MemoryStore();
  const { result } = await host.start({ program: program(tools, parallel([])), history, run: "r" });
  return { tools, history, value: await result };
}

describe("replay", () => {
  it("gives outcomes in recorded order, with nothing bound", async () => {
    const { tools, history, value } = await recorded();
    expect(value).toBe("2:20 1:10 3:30");
    const saw: string[] = [];
    const report = await createHost().replay({ program: program(tools, parallel(saw)), history });
    expect(report).toEqual({ status: "same", result: value });
  });
  it("reports other arguments, with both sides", async () => {
    const { tools, history } = await recorded();
    const other = async (run: Run) => {
      await Promise.all([echo(run, 1n), echo(run, 5n)]);
    };
    const report = await createHost().replay({ program: program(tools, other), history });
    expect(report).toMatchObject({
      status: "diverged",
      divergence: { code: "divergence", message: expect.stringMatching(/\{"n":2\}.*\{"n":5\}/) },
    });
  });
  it("reports a call too many, and one too few", async () => {
    const { tools, host } = await echoHost();
    const history = new MemoryStore();
    await (await host.start({ program: program(tools, (run) => echo(run, 1n)), history })).result;
    const more = program(tools, async (run) => [await echo(run, 1n), await echo(run, 2n)]);
    expect(await host.replay({ program: more, history })).toMatchObject({ status: "diverged" });
    expect(await host.replay({ program: program(tools, () => 1), history })).toMatchObject({ status: "diverged" });
  });
  it("reports another end", async () => {
    const { tools, host } = await echoHost();
    const fails = program(tools, () => {
      throw new Error("no");
    });
    const returns = program(tools, () => 1);
    const [failed, returned] = [new MemoryStore(), new MemoryStore()];
    await rejection((await host.start({ program: fails, history: failed })).result);
    await (await host.start({ program: returns, history: returned })).result;
    expect(await host.replay({ program: fails, history: failed })).toMatchObject({ status: "same" });
    expect(await host.replay({ program: returns, history: failed })).toMatchObject({ status: "diverged" });
    expect(await host.replay({ program: fails, history: returned })).toMatchObject({ status: "diverged" });
  });
  it("says so where the history ends before an outcome", async () => {
    const { tools, history } = await recorded();
    const cut = history.read().split("\n").slice(0, 3).join("\n");
    const report = await createHost().replay({ program: program(tools, parallel([])), history: new MemoryStore(`${cut}\n`) });
    expect(report).toEqual({ status: "incomplete" });
  });
  it("refuses a program that declares a Tool otherwise", async () => {
    const { history } = await recorded();
    const others = await toolsOf({ [A]: { params: { n: "Text" } } });
    expect(await rejection(createHost().replay({ program: program(others, () => 1), history }))).toMatchObject({ code: "divergence" });
  });
  it("rebuilds opaque values and host tokens", async () => {
    const common = { lexical_ordinal: 1, generic: [], opaque: false, doc: null };
    const page = { ...common, name: "Page", identity: "a.flow.Page", kind: "host" };
    const tools = await toolsOf({ [A]: { ok: { Named: { declaration: "t1", args: [] } }, declarations: { t1: page } } });
    const token = new HostToken("page 1");
    const host = createHost({ bindings: { [A]: bound(tools, A, () => ({ tag: "Ok", value: token })) } });
    const history = new MemoryStore();
    const call = program(tools, (run) => run.call(A, {}));
    await (await host.start({ program: call, history })).result;
    expect(await host.replay({ program: call, history })).toEqual({ status: "same", result: { tag: "Ok", value: token } });
  });
});

describe("resume (row 17 of docs/outcomes.md)", () => {
  /** The recorded history up to and with the line that matches. */
  const upTo = (text: string, needle: string) => {
    const end = text.indexOf("\n", text.indexOf(needle));
    return new MemoryStore(text.slice(0, end + 1));
  };

  it("replays what is settled and sends open calls again under the same ids", async () => {
    const { tools, history } = await recorded();
    const store = upTo(history.read(), '"call":"2","outcome"');
    const { host, reached } = await echoHost((n) => ({ tag: "Ok", value: n * 100n }));
    const ids: string[] = [];
    const watching = createHost({
      bindings: { [A]: bound(tools, A, ({ n }) => ({ tag: "Ok", value: (n as bigint) * 100n })) },
      onCall: ({ run, call }) => ids.push(`${run} ${call}`),
    });
    const { result } = await watching.resume({ program: program(tools, parallel([])), history: store });
    expect(await result).toBe("2:20 1:100 3:300");
    expect(ids.sort()).toEqual(["r 1", "r 3"]);
    expect(reached).toEqual([]);
    expect(readHistory(store.read()).entries.filter(({ kind }) => kind === "call")).toHaveLength(3);
    expect(await host.replay({ program: program(tools, parallel([])), history: store })).toMatchObject({
      status: "same",
      result: "2:20 1:100 3:300",
    });
  });
  it("R45: what the host itself would call NotRun is Unknown for a call that was sent before", async () => {
    const { tools, history } = await recorded();
    const store = upTo(history.read(), '"call":"1","tool"');
    const binding = bound(tools, A, () => ({ tag: "Ok", value: 1n }), { limits: { digits: 1 } });
    const slow = createHost({
      bindings: {
        [A]: {
          ...binding,
          title: "x",
          describe: binding.describe.bind(binding),
          listen: binding.listen.bind(binding),
          cancel() {},
          abandon() {},
          [Symbol.asyncDispose]: async () => {},
          call: async () => ({ tag: "NotRun", reason: "it did not start", from: "host" }),
        },
      },
    });
    const { result } = await slow.resume({
      program: program(tools, async (run) => [await echo(run, 1n), await echo(run, 2n)]),
      history: store,
    });
    expect(await result).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }]);
  });
  it("keeps a NotRun that the Tool itself says", async () => {
    const { tools, history } = await recorded();
    const store = upTo(history.read(), '"call":"1","tool"');
    const { host } = await echoHost(() => ({ tag: "NotRun", value: "seen, refused" }));
    const { result } = await host.resume({ program: program(tools, (run) => echo(run, 1n)), history: store });
    expect(await result).toEqual({ tag: "NotRun", value: "seen, refused" });
  });
  it("R38: ignores and counts a last line that was cut short, and goes on from before it", async () => {
    const { tools, history } = await recorded();
    const text = history.read();
    const cut = new MemoryStore(text.slice(0, text.indexOf('"outcome":{"Ok":20}') + 5));
    expect(readHistory(cut.read()).cutShort).toBe(true);
    const { host } = await echoHost((n) => ({ tag: "Ok", value: n }));
    const { result } = await host.resume({ program: program(tools, parallel([])), history: cut });
    expect(await result).toBe("1:1 2:2 3:3");
    expect(readHistory(cut.read()).cutShort).toBe(false);
  });
  it("R38: a history that is being written cannot be resumed", async () => {
    const { tools, host } = await echoHost();
    const history = new MemoryStore();
    const gate = deferred();
    const { result } = await host.start({ program: program(tools, () => gate.promise), history });
    expect(await rejection(host.resume({ program: program(tools, () => 1), history }))).toMatchObject({ code: "locked" });
    gate.resolve();
    await result;
  });
  it("refuses a run that has ended, and lets go of the store", async () => {
    const { tools, history } = await recorded();
    const { host } = await echoHost();
    for (const _ of [1, 2]) {
      expect(await rejection(host.resume({ program: program(tools, () => 1), history }))).toMatchObject({ code: "ended" });
    }
  });
  it("rejects where the program goes another way", async () => {
    const { tools, history } = await recorded();
    const { host } = await echoHost();
    const store = upTo(history.read(), '"call":"2","outcome"');
    const { result } = await host.resume({ program: program(tools, (run) => echo(run, 9n)), history: store });
    expect(await rejection(result)).toMatchObject({ code: "divergence" });
  });
  it("rejects where the program ends early, even with a call that waits for the history", async () => {
    const { tools, history } = await recorded();
    const { host } = await echoHost();
    const store = upTo(history.read(), '"call":"3","tool"');
    const { result } = await host.resume({
      program: program(tools, (run) => {
        echo(run, 1n).catch(() => {});
        return "early";
      }),
      history: store,
    });
    expect(await rejection(result)).toMatchObject({ code: "divergence", message: expect.stringContaining("call 2") });
  });
  it("stops where a recorded outcome is no value of the declared type", async () => {
    const { tools, history } = await recorded();
    const { host, reached } = await echoHost();
    const forged = history.read().replace('{"Ok":20}', '{"Ok":"twenty"}');
    const store = upTo(forged, '"call":"2","outcome"');
    const { result } = await host.resume({ program: program(tools, parallel([])), history: store });
    expect(await rejection(result)).toMatchObject({ code: "kind" });
    // Call 1 has no outcome on record and was sent again; nothing that the forged one would have led to was.
    expect(reached).toEqual([1n]);
  });
  it("finds the manifests of the recorded source base", async () => {
    const { tools } = await echoHost();
    const store = new MemoryStore(`{"start":{"data":"0.1","input":{},"run":"r","tools":[]}}\n`, '{"base":"/src"}\n');
    const bases: unknown[] = [];
    const host = createHost({
      configured: (_, base) => {
        bases.push(base);
        return bound(tools, A, () => ({ tag: "Ok", value: 1n }));
      },
    });
    await (await host.resume({ program: program(tools, (run) => echo(run, 1n)), history: store })).result;
    expect(bases).toEqual(["/src"]);
  });
});

describe("fork", () => {
  it("replays up to a call and goes on with other arguments, decoded strictly", async () => {
    const { tools, history } = await recorded();
    const { host, reached } = await echoHost((n) => ({ tag: "Ok", value: n * 1000n }));
    const target = new MemoryStore();
    const { result, run } = await host.fork({
      program: program(tools, parallel([])),
      from: history,
      at: "3",
      args: '{"n":7}',
      history: target,
      run: "fork",
    });
    expect(await result).toBe("2:20 1:1000 3:7000");
    expect(run.id).toBe("fork");
    expect(reached.sort()).toEqual([1n, 7n]);
    expect(readHistory(target.read()).start.run).toBe("fork");
    expect(target.read()).toContain('{"call":{"args":{"n":7},"call":"3"');
  });
  it.each([
    ['{"n":"7"}', "kind"],
    ['{"n":7,"m":1}', "undeclared-member"],
    ["{}", "missing-member"],
    ["7", "kind"],
  ])("refuses the arguments %s", async (args, code) => {
    const { tools, history } = await recorded();
    const { host } = await echoHost();
    expect(await rejection(host.fork({ program: program(tools, parallel([])), from: history, at: "3", args }))).toMatchObject({ code });
  });
  it("refuses a call that the history does not have", async () => {
    const { tools, history } = await recorded();
    const { host } = await echoHost();
    expect(await rejection(host.fork({ program: program(tools, parallel([])), from: history, at: "9" }))).toMatchObject({
      code: "history",
    });
  });
});

describe("damaged histories", () => {
  const start = '{"start":{"data":"0.1","input":{},"run":"r","tools":[]}}\n';
  const call = `{"call":{"args":{},"call":"1","tool":"${A}"}}\n`;
  it.each([
    ["empty", "", 1],
    ["without a start", call, 1],
    ["with rubbish inside", `${start}{\n${call}`, 2],
    ["with two starts", start + start, 2],
    ["with a call twice", start + call + call, 3],
    ["with an outcome of no call", `${start}{"outcome":{"call":"1","outcome":{"Ok":1}}}\n`, 2],
    ["with an outcome twice", `${start}${call}${'{"outcome":{"call":"1","outcome":{"Ok":1}}}\n'.repeat(2)}`, 4],
    ["with an unknown entry", `${start}{"note":{}}\n`, 2],
    ["with an entry of a name that every object has", `${start}{"__proto__":{}}\n`, 2],
    ["with a value nested without end", `${start}{"end":{"problem":${"[".repeat(200_000)}`.concat("\n"), 2],
    ["with a member twice", `${start}{"end":{"problem":null,"problem":null}}\n`, 2],
    ["with an outcome of another form", `${start}${call}{"outcome":{"call":"1","outcome":{"Maybe":1}}}\n`, 3],
  ])("%s are refused, with the line", (_, text, line) => {
    expect(() => readHistory(text)).toThrow(expect.objectContaining({ code: "history", at: expect.objectContaining({ line }) }));
  });
  it("of another major data version are refused as such", () => {
    expect(() => readHistory(start.replace('"0.1"', '"1.0"'))).toThrow(expect.objectContaining({ code: "version" }));
  });
});
