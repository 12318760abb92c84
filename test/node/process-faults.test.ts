/** Whatever breaks in a child process, each call ends once, with the outcome that is true: rows of docs/outcomes.md. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ACT } from "../contract/tools.ts";
import { type Faulty, faulty, isAlive, until } from "./faults.ts";

let made: Faulty[] = [];

async function make(...parameters: Parameters<typeof faulty>): Promise<Faulty> {
  const one = await faulty(...parameters);
  made.push(one);
  return one;
}

afterEach(async () => {
  const all = made;
  made = [];
  await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
});

const OK = { tag: "Ok" };

describe("a process that does not start", () => {
  it.each([
    ["exits", "start"],
    ["exits instead of a description", "start"],
    ["refuses to describe", "shape"],
    ["has another version", "version"],
    ["has no version", "shape"],
    ["has no list", "shape"],
    ["describes itself at length", "shape"],
    ["serves nothing", "not-served"],
    ["serves another signature", "fingerprint"],
  ])("row 2: one that %s refuses the run with %s", async (start, code) => {
    const { call } = await make([start]);
    await expect(call("ok")).rejects.toMatchObject({ code: "refused", errors: [{ code, tool: ACT }] });
  });

  it("row 2: one that never describes itself refuses the run once its time is over, and is ended", async () => {
    const one = await make(["never describes itself"], { startMs: 400 });
    await expect(one.call("ok")).rejects.toMatchObject({ code: "refused", errors: [{ code: "start" }] });
    await until(() => one.pids().every((pid) => !isAlive(pid)));
  });

  it("prints before its description change nothing", async () => {
    const one = await make(["prints rubbish first"]);
    expect(await one.call("ok")).toMatchObject(OK);
    expect(one.drops.map(({ why }) => why)).toEqual(["malformed", "malformed", "malformed", "malformed"]);
  });
});

describe("a process that has to be started again", () => {
  it("is, for the next call, and answers it", async () => {
    const one = await make();
    const outcomes = await one.run(async (call) => [await call("exit at once"), await call("ok"), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, OK, OK]);
    expect(one.pids()).toHaveLength(2);
    expect(one.restarts).toHaveLength(1);
  });

  it.each([
    "exits",
    "exits instead of a description",
    "refuses to describe",
    "has another version",
    "has no list",
    "describes itself at length",
  ])("row 4: where it then %s, the call is NotRun, and a later one is well again", async (start) => {
    const one = await make(["well", start, "well"]);
    const outcomes = await one.run(async (call) => [await call("exit at once"), await call("ok"), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }, OK]);
  });

  it.each(["serves nothing", "serves another signature"])("row 4: where it then %s, no call runs as long as it is there", async (start) => {
    const one = await make(["well", start, "well"]);
    const outcomes = await one.run(async (call) => [await call("exit at once"), await call("ok"), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }, { tag: "NotRun" }]);
    expect(one.pids()).toHaveLength(2);
  });

  it("row 4: where it then never describes itself, the call is NotRun once its time is over", async () => {
    const one = await make(["well", "never describes itself", "well"], { startMs: 4_000 });
    const outcomes = await one.run(async (call) => [await call("exit at once"), await call("ok"), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }, OK]);
  });

  it("row 3: a call that is cancelled while it starts is NotRun", async () => {
    const one = await make(["well", "never describes itself", "well"], { startMs: 5_000 });
    const outcomes = await one.run(async (call) => [await call("exit at once"), await call("ok", { timeoutMs: 30 })]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }]);
  });
});

describe("a process that ends during a call", () => {
  it.each(["exit at once", "half a line and exit", "a line without its line feed and exit", "kill itself"])(
    "row 6: %s is Unknown",
    async (order) => {
      const one = await make();
      expect(await one.call(order)).toMatchObject({ tag: "Unknown" });
    },
  );

  it("row 13: a reply that was written before the end counts", async () => {
    const one = await make();
    expect(await one.call("reply and exit")).toMatchObject(OK);
  });

  it("row 6: killed from outside, each open call is Unknown", async () => {
    const one = await make();
    const outcomes = await one.run(async (call) => {
      const calls = [call("never"), call("hold"), call("never")];
      await call("ok");
      process.kill(one.pids()[0] as number, "SIGKILL");
      return Promise.all(calls);
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "Unknown", "Unknown"]);
  });

  it("rows 5 and 6: of lines that wait behind one it does not read, only that one may have happened", async () => {
    const one = await make();
    const note = "n".repeat(1024 * 1024);
    const outcomes = await one.run(async (call) => {
      await call("stop reading");
      const calls = [call("ok", { note }), call("ok", { note }), call("ok")];
      // The first line is longer than a pipe and its reader's buffer hold.
      await new Promise((resolve) => setTimeout(resolve, 50));
      process.kill(one.pids()[0] as number, "SIGKILL");
      return Promise.all(calls);
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "NotRun", "NotRun"]);
  });

  it("rows 3 and 14: cancelled behind a line that is not read, a call is NotRun; the line itself is Unknown", async () => {
    const one = await make();
    const note = "n".repeat(1024 * 1024);
    const outcomes = await one.run(async (call) => {
      await call("stop reading");
      return Promise.all([call("ok", { note, timeoutMs: 60 }), call("ok", { timeoutMs: 30 })]);
    });
    expect(outcomes.map(({ tag }) => tag)).toEqual(["Unknown", "NotRun"]);
  });

  it("row 6: one that closes its output is ended, its call is Unknown, and the next one is started anew", async () => {
    const one = await make();
    const outcomes = await one.run(async (call) => [await call("close standard output"), await call("ok")]);
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, OK]);
  });

  it("row 6: one whose own child holds its output open ends all the same, and takes that child with it", async () => {
    const one = await make();
    expect(await one.call("leave a child behind")).toMatchObject({ tag: "Unknown" });
    const grandchild = Number(await readFile(join(one.directory, "grandchild"), "utf8"));
    await until(() => !isAlive(grandchild));
  });
});

describe("replies that are none", () => {
  it.each([
    ["twice", "Ok"],
    ["twice, the other way round", "Failed"],
  ])("row 15: of a call answered %s the first reply counts", async (order, tag) => {
    const one = await make();
    expect(await one.run(async (call) => [await call(order), await call("ok")])).toMatchObject([{ tag }, OK]);
    expect(one.drops).toMatchObject([{ why: "second", ids: { call: "1" } }]);
  });

  it("row 15: a late reply is dropped, and counted once", async () => {
    const one = await make();
    const outcomes = await one.run(async (call) => {
      const late = await call("answer late", { timeoutMs: 20 });
      await until(() => one.drops.length > 0);
      return [late, await call("ok")];
    });
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, OK]);
    expect(one.drops).toMatchObject([{ why: "late", ids: { call: "1" } }]);
  });

  it("row 15: replies to calls that are not open here are dropped", async () => {
    const one = await make();
    expect(await one.call("foreign first")).toMatchObject(OK);
    expect(one.drops).toMatchObject([
      { why: "foreign", ids: { call: "999" } },
      { why: "foreign", ids: { run: "another run" } },
    ]);
  });

  it("row 16: lines that are no message change nothing, each is counted, and the reply behind them counts", async () => {
    const one = await make();
    expect(await one.call("rubbish first")).toMatchObject(OK);
    expect(one.drops.map(({ why }) => why)).toEqual([...Array.from({ length: 8 }, () => "malformed"), "foreign", "malformed", "malformed"]);
  });

  it("replies come in any order", async () => {
    const one = await make();
    const outcomes = await one.run((call) => Promise.all([call("hold"), call("hold"), call("answer the held backwards")]));
    expect(outcomes).toEqual(["1", "2", "3"].map((value) => ({ tag: "Failed", value })));
    expect(one.drops).toEqual([]);
  });
});

describe("lines", () => {
  it.each([
    ["a carriage return", "Ok"],
    ["other line ends inside", "Failed"],
    ["one byte at a time", "Failed"],
  ])("end at a line feed and nowhere else: %s", async (order, tag) => {
    const one = await make();
    expect(await one.call(order)).toMatchObject({ tag });
    expect(one.drops).toEqual([]);
  });

  it("a byte at a time a character is what it was", async () => {
    const one = await make();
    expect(await one.call("one byte at a time")).toEqual({ tag: "Failed", value: "\u00e9\u{1f600}" });
  });
});

describe("a reply past the size limit", () => {
  it.each(["20 MiB", "20 MiB that fail"])("row 12: %s is BadReply, and its neighbours are well", async (order) => {
    const one = await make();
    const outcomes = await one.run(async (call) => {
      const held = call("hold");
      return [await call(order), await call("answer the held backwards"), await held];
    });
    expect(outcomes).toMatchObject([{ tag: "BadReply", value: expect.stringContaining("limit") }, { tag: "Failed" }, { tag: "Failed" }]);
    expect(one.pids()).toHaveLength(1);
  });

  it.each(["20 MiB of nobody", "20 MiB of print"])("row 10a: %s ends the process, and every open call is Unknown", async (order) => {
    const one = await make();
    const outcomes = await one.run(async (call) => {
      const calls = [call("hold"), call(order)];
      return [...(await Promise.all(calls)), await call("ok")];
    });
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "Unknown" }, OK]);
    await until(() => !isAlive(one.pids()[0] as number));
  });

  it("row 16: a notification of 20 MiB is dropped", async () => {
    const one = await make();
    expect(await one.call("20 MiB of a notification")).toMatchObject(OK);
    expect(one.drops).toMatchObject([{ why: "malformed" }]);
  });

  it("row 12: the limit is the host's to set", async () => {
    const one = await make(["well"], { limits: { bytes: 4_000 } });
    const outcomes = await one.run(async (call) => [await call("ok"), await call("20 MiB")]);
    expect(outcomes).toMatchObject([OK, { tag: "BadReply" }]);
  });
});

describe("a cap on calls", () => {
  it("row 3: a call cancelled in the queue is NotRun and never reaches the process", async () => {
    const one = await make(["well"], { concurrency: 1 });
    const outcomes = await one.run(async (call) => {
      const first = call("never", { timeoutMs: 200 });
      return Promise.all([first, call("ok", { timeoutMs: 20 })]);
    });
    expect(outcomes).toMatchObject([{ tag: "Unknown" }, { tag: "NotRun" }]);
  });
});
