import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FileStore } from "../../src/node/filestore.ts";
import { bundleScript } from "../contract/bundle.ts";

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-host-store-"));
  path = join(directory, "run.history");
});

afterEach(() => rm(directory, { recursive: true, force: true }));

it("keeps lines and notes in order, and gives them back", async () => {
  const store = new FileStore(path);
  expect(await store.read()).toBe("");
  const log = await store.open();
  expect(log).toMatchObject({ text: "", dropped: 0 });
  await Promise.all(Array.from({ length: 500 }, (_, i) => log.append(`{"n":${i}}\n`)));
  await log.note("a note\n");
  await log.append("\u{1f600}\n");
  await log.close();
  const expected = `${Array.from({ length: 500 }, (_, i) => `{"n":${i}}\n`).join("")}\u{1f600}\n`;
  expect(await store.read()).toBe(expected);
  expect(await store.notes()).toBe("a note\n");
  const again = await store.open();
  expect(again.text).toBe(expected);
  await again.close();
});

it("a line is in the file once its promise has settled", async () => {
  const log = await new FileStore(path).open();
  await log.append("one\n");
  expect(readFileSync(path, "utf8")).toBe("one\n");
  await log.close();
});

it("R38: a last line that was cut short is dropped by opening, wherever it was cut", async () => {
  await writeFile(path, Buffer.concat([Buffer.from("one\ntwo\n"), Buffer.from("\u{1f600}").subarray(0, 2)]));
  const store = new FileStore(path);
  expect((await store.read()).startsWith("one\ntwo\n")).toBe(true);
  const log = await store.open();
  expect(log).toMatchObject({ text: "one\ntwo\n", dropped: 2 });
  await log.append("three\n");
  await log.close();
  expect(await readFile(path, "utf8")).toBe("one\ntwo\nthree\n");
});

it("R38: other damage is not mended", async () => {
  await writeFile(path, Buffer.from([0xff, 10, 0x61, 10]));
  await expect(new FileStore(path).open()).rejects.toMatchObject({ code: "history" });
  await expect(new FileStore(path).read()).rejects.toMatchObject({ code: "history" });
  // And the store is not left locked.
  await writeFile(path, "a\n");
  await (await new FileStore(path).open()).close();
});

it("R38: a history that is being written cannot be opened a second time", async () => {
  const log = await new FileStore(path).open();
  await expect(new FileStore(path).open()).rejects.toMatchObject({ code: "locked" });
  await log.close();
  await (await new FileStore(path).open()).close();
});

it("R38: nor from another process; when that is gone, its lock is", async () => {
  const script = await bundleScript(new URL("./holds-a-store.ts", import.meta.url));
  try {
    const other = spawn(process.execPath, [script.path, path], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise<void>((resolve) => other.stdout.once("data", () => resolve()));
    await expect(new FileStore(path).open()).rejects.toMatchObject({ code: "locked" });
    const gone = new Promise((resolve) => other.once("exit", resolve));
    other.kill("SIGKILL");
    await gone;
    const log = await new FileStore(path).open();
    expect(log.text).toBe("held\n");
    await log.close();
  } finally {
    await script.remove();
  }
});

it("a lock of this process id that this process did not take is from before", async () => {
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), token: "of an earlier life" }));
  await (await new FileStore(path).open()).close();
});

it("a lock of another machine is held, for all that can be known", async () => {
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 1, host: "another machine", token: "x" }));
  await expect(new FileStore(path).open()).rejects.toMatchObject({ code: "locked" });
});

it("of many that take over a dead lock at once, one has it", async () => {
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: "dead" }));
  const opened = await Promise.allSettled(Array.from({ length: 10 }, () => new FileStore(path).open()));
  const logs = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(logs).toHaveLength(1);
  await logs[0]?.close();
});

it("a lock is not given back by who no longer has it", async () => {
  const log = await new FileStore(path).open();
  await appendFile(`${path}.lock`, " ");
  const other = JSON.stringify({ pid: 1, host: "another machine", token: "x" });
  writeFileSync(`${path}.lock`, other);
  await log.close();
  expect(readFileSync(`${path}.lock`, "utf8")).toBe(other);
});
