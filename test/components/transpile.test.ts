/** What the portable glue makes of components that were not written in AssemblyScript, and of text that is not what it should be. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "@bytecodealliance/jco";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portableGlue, transpileComponent } from "../../wasm-tools/transpile.mjs";
import { wrapModule } from "../../wasm-tools/wrap.mjs";

/** Describes itself with a data version that begins with U+FEFF, and answers `ok` with bytes that are not UTF-8, or traps on a run. */
const WAT = String.raw`(module
  (memory (export "memory") 1 2)
  (data (i32.const 16) "\ef\bb\bf0.1\ff")
  (data (i32.const 32) "\10\00\00\00\06\00\00\00\00\00\00\00\00\00\00\00")
  (data (i32.const 48) "\00\00\00\00\10\00\00\00\07\00\00\00")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) i32.const 1024)
  (func (export "describe") (param i32 i32) (result i32) i32.const 32)
  (func (export "answer") (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
    (if (i32.eqz (local.get 1)) (then unreachable))
    i32.const 48)
  (func (export "done") (param i32)))`;

let directory: string;
let transpiled: Awaited<ReturnType<typeof transpileComponent>>;
/** A new instance of the component. */
let start: () => Promise<{ describe(data: string): { data: string }; answer(call: object): unknown }>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-transpile-"));
  transpiled = await transpileComponent(await wrapModule(await parse(WAT)), { name: "odd" });
  await writeFile(join(directory, "odd.js"), transpiled.files.get("odd.js") as string);
  const { instantiate } = await import(/* @vite-ignore */ pathToFileURL(join(directory, "odd.js")).href);
  const core = await WebAssembly.compile(transpiled.files.get("odd.core.wasm") as Uint8Array<ArrayBuffer>);
  start = async () => (await instantiate(() => core, {})).tool;
}, 60_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

const CALL = { run: "r", call: "1", tool: "t", args: "{}" };

describe("a transpiled component", () => {
  it("is files named after it, with what it imports and exports", () => {
    expect([...transpiled.files.keys()].sort()).toEqual([
      "interfaces/flow-tool-tool.d.ts",
      "node.d.ts",
      "node.js",
      "odd.core.wasm",
      "odd.d.ts",
      "odd.js",
      "process.js",
      "web.d.ts",
      "web.js",
      "worker.js",
      "workerd.d.ts",
      "workerd.js",
    ]);
    expect(transpiled.imports).toEqual([]);
    expect(transpiled.exports).toContain("flow:tool/tool@0.1.0");
  });

  it("keeps a leading U+FEFF", async () => {
    expect((await start()).describe("0.1").data).toBe("\ufeff0.1");
  });

  it("throws for text that is not UTF-8, where it would put U+FFFD", async () => {
    const tool = await start();
    expect(() => tool.answer(CALL)).toThrow(TypeError);
  });

  it("throws a RuntimeError for a trap, and for every call after it", async () => {
    const tool = await start();
    expect(() => tool.answer({ ...CALL, run: "" })).toThrow(WebAssembly.RuntimeError);
    expect(() => tool.describe("0.1")).toThrow(WebAssembly.RuntimeError);
    expect((await start()).describe("0.1").data).toBe("\ufeff0.1");
  });
});

describe("what the build refuses", () => {
  it("a module without the exports of the world", async () => {
    await expect(wrapModule(await parse('(module (func (export "answer")))'))).rejects.toThrow("the module does not export describe, done");
  });

  it("glue that it does not know how to patch", async () => {
    await expect(portableGlue("export const instantiate = () => {};")).rejects.toThrow("jco's glue has changed: nothing to patch");
  });
});
