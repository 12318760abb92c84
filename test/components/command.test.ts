/** `flow-host component build`: what it writes, what it says, and that what it wrote runs. */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { parse } from "@bytecodealliance/jco";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/command.ts";
import { runComponentCommand } from "../../src/cli/component.ts";
import { requirePortable } from "../../src/cli/component-glue.ts";
import { memoriesOf } from "../../src/cli/component-memory.ts";
import { builtDirectory } from "./built.ts";
import { oddComponent } from "./odd.ts";

let cwd: string;
let search: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "flow-component-"));
  search = join(await builtDirectory("search"), "search.component.wasm");
}, 60_000);
afterAll(() => rm(cwd, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const io: Io = {
    cwd,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readInput: async () => new Uint8Array(),
    progress: () => {},
    ask: undefined,
  };
  return { status: await runComponentCommand(args, io), out, err };
}

describe("what it writes", () => {
  it("is all that a runtime needs, in the directory that was asked for", async () => {
    const { status, out, err } = await run("build", search, "-o", "whole/search");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(out).toMatch(/^whole\/search\/search\.core\.wasm {2}\d+ bytes$/m);
    expect(out).toContain("It imports nothing.\n");
    expect((await readdir(join(cwd, "whole/search"))).sort()).toEqual([
      "interfaces",
      "node.d.ts",
      "node.js",
      "process.js",
      "search.core.wasm",
      "search.d.ts",
      "search.js",
      "web.d.ts",
      "web.js",
      "worker.js",
      "workerd.d.ts",
      "workerd.js",
    ]);
  });

  it("runs as it is on Node", async () => {
    await run("build", search, "-o", "node", "--name", "other");
    const { instantiate, getCoreModule } = await import(/* @vite-ignore */ pathToFileURL(join(cwd, "node/node.js")).href);
    const { tool } = await instantiate(getCoreModule, {});
    expect(tool.describe("0.1").data).toBe("0.1");
    expect(getCoreModule("other.core.wasm")).toBe(getCoreModule("other.core.wasm"));
    await expect(getCoreModule("../secret.wasm")).rejects.toThrow("there is no core module");
  });

  it("has memory up to what was asked for", async () => {
    await run("build", search, "-o", "capped", "--max-memory", "1MiB");
    const [memory] = memoriesOf(await readFile(join(cwd, "capped/search.core.wasm")));
    expect(memory?.maximum).toBe(16n);
  });

  it("is portable glue, in the Worker's file too, which carries no other runtime's code", async () => {
    await run("build", search, "-o", "portable");
    requirePortable(await readFile(join(cwd, "portable/search.js"), "utf8"));
    const worker = await readFile(join(cwd, "portable/worker.js"), "utf8");
    expect(worker).toMatch(/^[\x00-\x7f]*$/);
    expect(worker.match(/new TextDecoder\("utf-8",\{fatal:!0,ignoreBOM:!0\}\)/g)).toHaveLength(1);
    expect(worker).not.toMatch(/JCO_DEBUG|\beval\b|\bnew Function\b/);
  });

  it("is said as JSON with --json, with what the component imports", async () => {
    const component = await oddComponent({
      imports: '(import "acme:store/store@1.2.0" "put" (func (param i32)))',
      wit: (text) =>
        `${text.replace("  export tool;\n", "  import acme:store/store@1.2.0;\n  export tool;\n")}
package acme:store@1.2.0 { interface store { put: func(n: u32); } }`,
    });
    await writeFile(join(cwd, "needs.wasm"), component);
    const { out } = await run("build", "needs.wasm", "-o", "needs", "--json");
    const said = JSON.parse(out);
    expect(said.imports).toEqual(["acme:store/store"]);
    expect(said.exports).toContain("flow:tool/tool@0.1.0");
    expect(said.files).toContainEqual({ path: "needs.core.wasm", bytes: (await readFile(join(cwd, "needs/needs.core.wasm"))).length });
    expect((await run("build", "needs.wasm", "-o", "needs")).out).toContain("It imports acme:store/store, which the host has to grant.");
  });
});

describe("what it refuses", () => {
  it.each([
    [["build"], 2, "say: component build FILE.wasm -o DIR"],
    [["make", "x.wasm"], 2, "say: component build FILE.wasm -o DIR"],
    [["build", "x.wasm"], 2, "say where to with -o DIR"],
    [["build", "x.wasm", "-o", "d", "--max-memory", "lots"], 2, "expected a size"],
    [["build", "x.wasm", "-o", "d", "--fast"], 2, "Unknown option"],
    [["build", "missing.wasm", "-o", "d"], 1, "missing.wasm cannot be read: there is no such file"],
  ])("%j", async (args, status, message) => {
    const result = await run(...(args as string[]));
    expect(result.status).toBe(status);
    expect(result.err).toContain(message);
  });

  it("what is no component, and a name that is no file's", async () => {
    await writeFile(join(cwd, "core.wasm"), await parse("(module)"));
    await writeFile(join(cwd, "text.wasm"), "hello");
    for (const file of ["core.wasm", "text.wasm"]) {
      const { status, err } = await run("build", file, "-o", "none");
      expect(status).toBe(1);
      expect(err).toContain("expected a WebAssembly component");
    }
    expect((await run("build", search, "-o", "none", "--name", "../up")).status).toBe(2);
    expect(await readdir(cwd)).not.toContain("none");
  });

  it("a memory that is larger than it may be", async () => {
    await writeFile(join(cwd, "large.wasm"), await oddComponent({ firstPages: 3 }));
    const { status, err } = await run("build", "large.wasm", "-o", "large", "--max-memory", "128KiB");
    expect(status).toBe(1);
    expect(err).toContain("a memory of 196608 bytes at its start");
  });
});

it("says which package is missing where jco is not installed", async () => {
  // The built command, alone in a directory from which no package is found.
  const alone = await mkdtemp(join(tmpdir(), "flow-alone-"));
  try {
    const { build } = await import("esbuild");
    await build({
      stdin: {
        contents: `import { runComponentCommand } from ${JSON.stringify(fileURLToPath(new URL("../../src/cli/component.ts", import.meta.url)))};
const io = { cwd: process.cwd(), out: (text) => process.stdout.write(text), err: (text) => process.stdout.write(text) };
process.exitCode = await runComponentCommand(process.argv.slice(2), io);`,
        resolveDir: "/",
      },
      outfile: join(alone, "component.mjs"),
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
    });
    const ended = await promisify(execFile)(process.execPath, [join(alone, "component.mjs"), "build", search, "-o", "out"], {
      cwd: alone,
    }).catch((error: { code: number; stdout: string }) => error);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toBe(
      "flow-host component: this takes the package @bytecodealliance/jco, which is not installed: npm install --save-dev @bytecodealliance/jco [unsupported]\n",
    );
  } finally {
    await rm(alone, { recursive: true, force: true });
  }
});
