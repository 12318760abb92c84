import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flowHost } from "../cli/io.ts";

/**
 * A Tool process in plain JavaScript, as somebody without a toolkit would write it. `fault` spoils one thing.
 */
const CHILD = `
const fault = process.argv[2];
const print = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const served = { tool: "a.flow.one", fingerprint: "sha256:" + "0".repeat(64), signature: {} };
let held = "";
if (fault === "silent") setInterval(() => {}, 1000);
process.stdin.on("data", (chunk) => {
  const lines = (held + chunk).split("\\n");
  held = lines.pop();
  for (const line of lines) if (fault !== "silent") answer(line);
});
if (fault === "stays") setInterval(() => {}, 1000);
function answer(line) {
  let message;
  try { message = JSON.parse(line); } catch {
    if (fault === "dies") process.exit(3);
    return print({ id: null, error: { code: -32700, message: "no JSON" } });
  }
  const { id, method, params } = message;
  if (method === "describe") return print({ id, result: { data: fault === "version" ? "7.0" : "0.1", tools: fault === "empty" ? [] : [served] } });
  if (method === "call") {
    const outcome = fault === "runs" && params.tool === served.tool ? { Ok: 1 } : { NotRun: "no" };
    print({ method: "reply", params: { run: params.run, call: params.call, outcome } });
    if (fault === "twice") print({ method: "reply", params: { run: params.run, call: params.call, outcome } });
    return;
  }
  if (id !== undefined) print(fault === "knows" ? { id, result: {} } : { id, error: { code: -32601, message: "no such method" } });
}
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "flow-host-probe-"));
  await writeFile(join(folder, "tool.cjs"), CHILD);
});
afterAll(() => rm(folder, { recursive: true }));

const probe = (fault: string, ...more: string[]) =>
  flowHost(["probe", `'${process.execPath}' tool.cjs ${fault}`, ...more], { cwd: folder });

describe("flow-host probe", () => {
  it("passes a process that keeps to the protocol", async () => {
    const { status, out } = await probe("none");
    expect(out).toMatch(/^10 passed, 0 failed$/m);
    expect(out).toContain("ok     arguments of a.flow.one");
    expect(status).toBe(0);
  });
  it.each([
    ["version", "describe"],
    ["empty", "describe"],
    ["knows", "unknown request"],
    ["dies", "malformed line"],
    ["runs", "arguments of a.flow.one"],
    ["twice", "no reply twice|several calls at once|arguments of a.flow.one"],
  ])("finds a process that is at fault: %s", async (fault, step) => {
    const { status, out } = await probe(fault);
    expect(status).toBe(1);
    expect(out).toMatch(new RegExp(`^FAILED (${step}).*\\n       sent      \\{.*$`, "m"));
    expect(out).toContain("       expected  ");
  });
  it("does not wait for ever", async () => {
    const { status, out } = await probe("silent", "--wait", "50");
    expect(status).toBe(1);
    expect(out).toContain("nothing came within 50 ms");
  });
  it("ends a process that does not end by itself, and says so", async () => {
    const { status, out } = await probe("stays", "--wait", "3000");
    expect(status).toBe(1);
    expect(out).toMatch(/^FAILED end of input/m);
  });
  it("says why a command does not start", async () => {
    const { status, out } = await flowHost(["probe", "there-is-no-such-program", "--json"], { cwd: folder });
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ name: "describe", passed: false });
  });
  it.each([[["probe"]], [["probe", "a", "b"]], [["probe", "a", "--wait", "soon"]]])("%j is misused", async (words) => {
    expect(await flowHost(words)).toMatchObject({ status: 2 });
  });
});
