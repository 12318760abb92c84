/** Child processes, manifests and files on Node, Deno and Bun, from the built bundles. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { canonicalText } from "../../src/json/write.ts";
import { writeTools } from "../../src/signature/tools.ts";
import { ACT, contractTools } from "../contract/tools.ts";
import { handMade } from "../contract/toolset.ts";
import { isAlive, until } from "../node/faults.ts";

const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const SCRIPT = fileURLToPath(new URL("./processes.js", import.meta.url));
const CHILD = fileURLToPath(new URL("../node/faulty.mjs", import.meta.url));

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-host-runtime-"));
  const tools = await contractTools([ACT]);
  await writeFile(join(directory, "describe.json"), await handMade(tools).describe("0.1"));
  await writeFile(join(directory, "tools.json"), canonicalText(await writeTools(tools.tools), { depth: 1_000 }));
  await writeFile(join(directory, "flow.toml"), `[tools."probe.flow"]\ncommand = "'${process.execPath}' '${CHILD}' '${directory}'"\n`);
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function run(command: readonly string[]): Promise<{ readonly status: number | null; readonly output: string; readonly errors: string }> {
  const [program, ...args] = command as [string, ...string[]];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, SCRIPT, directory, process.execPath, CHILD, directory], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      errors += text;
    });
    child.on("close", (status) => resolve({ status, output, errors }));
  });
}

const EXPECTED = {
  outcomes: ["Ok", "Unknown", "Ok", "BadReply", "Unknown", "Unknown", "Ok"],
  lines: 16,
  locked: "locked",
  configured: ["Ok"],
  missing: "start",
};

it.each([
  ["Node", [process.execPath]],
  ["Deno", [join(BIN, "deno"), "run", "--no-prompt", "--allow-all"]],
  ["Bun", [join(BIN, "bun")]],
])("on %s", async (_, command) => {
  const { status, output, errors } = await run(command);
  expect(errors).toBe("");
  expect(JSON.parse(output)).toEqual(EXPECTED);
  expect(status).toBe(0);
  const pids = readdirSync(directory).filter((name) => name.startsWith("started-"));
  await until(() => pids.every((name) => !isAlive(Number(readFileSync(join(directory, name), "utf8")))));
});

it("on Deno without the permission, the binding is refused, with what to grant", async () => {
  const script = `
    import { bindProcess } from ${JSON.stringify(new URL("../../dist/node.js", import.meta.url).href)};
    const binding = bindProcess("node x", ".");
    await binding.describe("0.1", new AbortController().signal).catch(({ code, message }) => console.log(code, message));
  `;
  await writeFile(join(directory, "script.mjs"), script);
  const child = spawn(join(BIN, "deno"), ["run", "--no-prompt", "--allow-read", "--allow-env", join(directory, "script.mjs")]);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  await new Promise((resolve) => child.on("close", resolve));
  expect(output).toMatch(/^permission .*--allow-run=node/);
});
