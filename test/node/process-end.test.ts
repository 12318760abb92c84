/** How child processes end: in good order, by force, and when their host is gone. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { bindProcess } from "../../src/node/process.ts";
import { splitWords } from "../../src/node/words.ts";
import { bundleScript } from "../contract/bundle.ts";
import { type Faulty, faulty, isAlive, trace, until } from "./faults.ts";

const made: Faulty[] = [];

async function make(...parameters: Parameters<typeof faulty>): Promise<Faulty> {
  const one = await faulty(...parameters);
  made.push(one);
  return one;
}

afterEach(async () => {
  await Promise.all(made.splice(0).map((one) => one[Symbol.asyncDispose]()));
});

describe("closing a host", () => {
  it.each([
    ["well", {}, "end of input\n"],
    ["ignores the end of input", { closeMs: 300 }, "end of input\nSIGTERM\n"],
    ["ignores SIGTERM", { closeMs: 300 }, "end of input\nSIGTERM\n"],
  ])("ends a process that %s", async (start, options, expected) => {
    const one = await make([start], { closeMs: 10_000, ...options });
    expect(await one.call("ok")).toMatchObject({ tag: "Ok" });
    const [pid] = one.pids() as [number];
    expect(isAlive(pid)).toBe(true);
    await one.host[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
    expect(await trace(one.directory)).toBe(expected);
  });

  it("ends the process of a run that was refused", async () => {
    const one = await make(["serves another signature"]);
    await expect(one.call("ok")).rejects.toMatchObject({ code: "refused" });
    await one.host[Symbol.asyncDispose]();
    expect(one.pids().map(isAlive)).toEqual([false]);
  });

  it("ends what a process started itself", async () => {
    const parent = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      process.stdin.on("data", () => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { data: "0.1", tools: [] , pid: child.pid } }) + "\\n"));
      process.stderr.write(child.pid + "\\n");
    `;
    const binding = bindProcess([process.execPath, "-e", parent], ".", { closeMs: 300 });
    const log: string[] = [];
    binding.listen({ dropped: () => {}, restarted: () => {}, log: (line) => log.push(line) });
    await binding.describe("0.1", new AbortController().signal);
    await until(() => log.length > 0);
    expect(isAlive(Number(log[0]))).toBe(true);
    await binding[Symbol.asyncDispose]();
    await until(() => !isAlive(Number(log[0])));
  });
});

it("a host that is killed leaves its children at the end of their input", async () => {
  const one = await make();
  const script = await bundleScript(new URL("./host-that-dies.ts", import.meta.url));
  try {
    const faultyScript = fileURLToPath(new URL("./faulty.mjs", import.meta.url));
    const host = spawn(process.execPath, [script.path, faultyScript, one.directory], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise<void>((resolve) => host.stdout.once("data", () => resolve()));
    const [pid] = one.pids() as [number];
    expect(isAlive(pid)).toBe(true);
    host.kill("SIGKILL");
    await until(() => !isAlive(pid));
    expect(await trace(one.directory)).toBe("end of input\n");
  } finally {
    await script.remove();
  }
});

it("standard error goes to the host's log, line by line", async () => {
  const one = await make();
  await one.call("speak on standard error");
  await until(() => one.log.length >= 2);
  expect(one.log).toEqual(["a word for the log", "and another"]);
});

it("a line of standard error without an end is cut, and no more of it is held", async () => {
  const one = await make();
  expect(await one.call("speak without end on standard error")).toMatchObject({ tag: "Ok" });
  await until(() => one.log.includes("the end"));
  expect(one.log.map((line) => line.length)).toEqual([4_096, 7]);
});

it("no shell reads a command", async () => {
  const folder = await mkdtemp(join(tmpdir(), "flow-host-shell-"));
  const script = 'require("fs").writeFileSync("words.json", JSON.stringify(process.argv.slice(1)))';
  const command = `'${process.execPath}' -e '${script}' -- $HOME \`touch a\` $(touch b) > c ; touch d && touch e | touch f`;
  await expect(bindProcess(command, folder).describe("0.1", new AbortController().signal)).rejects.toMatchObject({ code: "start" });
  expect(await readdir(folder)).toEqual(["words.json"]);
  expect(JSON.parse(await readFile(join(folder, "words.json"), "utf8"))).toEqual(splitWords(command).slice(4));
  await rm(folder, { recursive: true });
});

it("a command that is not there, and a directory that is not there, are told apart", async () => {
  const signal = new AbortController().signal;
  await expect(bindProcess("no-such-command-anywhere x", ".").describe("0.1", signal)).rejects.toMatchObject({
    code: "start",
    message: expect.stringContaining("ENOENT"),
  });
  await expect(bindProcess([process.execPath], "/no/such/directory").describe("0.1", signal)).rejects.toMatchObject({
    code: "start",
    message: expect.stringContaining("/no/such/directory"),
  });
});
