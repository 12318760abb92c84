/** Components in processes, on Node, Deno and Bun: what no Worker can end there is ended, and nothing beside it. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createHost, type HostOptions } from "../../src/host/host.ts";
import type { FlowError } from "../../src/json/errors.ts";
import { readGrants } from "../../src/node/component-process.ts";
import { bindProcess } from "../../src/node/process.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { signatureText } from "../../src/signature/signature.ts";
import type { ToolEntry, ToolsDocument } from "../../src/signature/tools.ts";
import type { Term } from "../../src/types/terms.ts";
import { transpileComponent } from "../../wasm-tools/transpile.mjs";
import { DOES, oddComponent, type Served } from "../components/odd.ts";
import { program, rejection, toolsOf } from "../host/support.ts";

const TOOL = "odd.flow.act";
const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const RUNTIMES: readonly [string, readonly string[]][] = [
  ["Node", [process.execPath]],
  ["Deno", [join(BIN, "deno"), "run", "--no-prompt", "--no-remote", "--allow-read"]],
  ["Bun", [join(BIN, "bun")]],
];

let tools: ToolsDocument;
let directory: string;
const hosts: { [Symbol.asyncDispose](): Promise<void> }[] = [];

beforeAll(async () => {
  tools = await toolsOf({ [TOOL]: { params: { n: "Int" } } });
  const { tool, fingerprint, signature } = tools.tools[0] as ToolEntry;
  const served: Served[] = [{ tool, fingerprint, signature: signatureText(signature) }];
  directory = await mkdtemp(join(tmpdir(), "flow-component-process-"));
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await writeFiles("odd", await oddComponent({ served }));
  const needy = {
    served,
    imports: '(import "acme:store/store@1.2.0" "put" (func (param i32)))',
    wit: (source: string) =>
      `${source.replace("  export tool;\n", "  import acme:store/store@1.2.0;\n  export tool;\n")}
package acme:store@1.2.0 { interface store { put: func(n: u32); } }`,
  };
  await writeFiles("needs", await oddComponent(needy));
}, 60_000);

afterEach(async () => {
  for (const host of hosts.splice(0)) await host[Symbol.asyncDispose]();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function writeFiles(name: string, component: Uint8Array): Promise<void> {
  const { files } = await transpileComponent(component, { name });
  for (const [path, contents] of files) {
    const place = join(directory, name, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, contents);
  }
}

async function outcomesOf(
  command: readonly string[],
  calls: readonly { readonly n: number; readonly timeoutMs?: number }[],
  options: HostOptions = {},
): Promise<readonly Outcome[]> {
  const binding = bindProcess(command, directory, { concurrency: 1, closeMs: 500 });
  const host = createHost({ graceMs: 50, ...options, bindings: { [TOOL]: binding } });
  hosts.push(host);
  const { result } = await host.start({
    program: program(tools, async (run) => {
      const outcomes: Outcome[] = [];
      for (const { n, ...how } of calls) outcomes.push(await run.call(TOOL, { n: BigInt(n) }, how));
      return outcomes;
    }),
  });
  return result;
}

describe.each(RUNTIMES)("a component in a process of %s", (_, runtime) => {
  const command = (name: string, ...more: string[]) => [...runtime, join(directory, name, "process.js"), ...more];

  it("answers as it does beside the host, is ended in a loop, and another takes the next call", async () => {
    const restarts: string[] = [];
    const calls = [
      ...[DOES.ok, DOES.failed, DOES.notRun, DOES.unknown, DOES.notUtf8, DOES.notJson, DOES.noCase, DOES.trap, DOES.ok].map((n) => ({ n })),
      { n: DOES.loop, timeoutMs: 100 },
      { n: DOES.ok },
    ];
    const outcomes = await outcomesOf(command("odd"), calls, { onRestart: ({ reason }) => restarts.push(reason) });
    expect(outcomes.map(({ tag }) => tag)).toEqual([
      ...["Ok", "Failed", "NotRun", "Unknown", "BadReply", "BadReply", "BadReply", "Unknown", "Ok"],
      "Unknown",
      "Ok",
    ]);
    expect(outcomes[7]?.value).toMatch(/the component stopped: .*unreachable/i);
    expect(outcomes[9]?.value).toBe("the call timed out after 100 ms; no reply came within 50 ms");
    expect(restarts).toEqual(["a call was cancelled and did not end within the grace time"]);
  }, 60_000);

  it("names what is not granted", async () => {
    const refused = (await rejection(outcomesOf(command("needs", "--grant=clocks"), []))) as FlowError;
    expect(refused.errors).toMatchObject([
      { message: expect.stringContaining("the component imports acme:store/store, which this host does not provide") },
    ]);
  }, 30_000);
});

it("serves a signature that nests deeper than values may", async () => {
  let type: Term = "Int";
  for (let i = 0; i < 100; i++) type = { List: type };
  const deep = await toolsOf({ [TOOL]: { params: { n: type } } });
  const { tool, fingerprint, signature } = deep.tools[0] as ToolEntry;
  await writeFiles("deep", await oddComponent({ served: [{ tool, fingerprint, signature: signatureText(signature) }] }));
  const binding = bindProcess([process.execPath, join(directory, "deep/process.js")], directory);
  hosts.push(binding);
  const host = createHost({ bindings: { [TOOL]: binding } });
  const { result } = await host.start({ program: program(deep, () => "bound") });
  expect(await result).toBe("bound");
});

it("ends with a reason where its words are no grants", async () => {
  const lines: string[] = [];
  const command = [process.execPath, join(directory, "odd/process.js"), "--grant=files"];
  const refused = (await rejection(outcomesOf(command, [], { log: (line) => lines.push(line) }))) as FlowError;
  expect(refused.errors).toMatchObject([{ code: "start" }]);
  expect(lines).toContainEqual(expect.stringContaining('odd: expected a grant of clocks, random or log, met "files"'));
});

it("reads grants", () => {
  expect(readGrants([])).toEqual({});
  expect(readGrants(["--grant=clocks,log", "--grant=random"])).toEqual({ clocks: true, log: true, random: true });
  for (const word of ["--grant=", "--grant=clocks,", "clocks", "--grant"]) {
    expect(() => readGrants([word])).toThrow(expect.objectContaining({ code: "usage" }));
  }
});
