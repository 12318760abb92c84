/** A Tool in TypeScript as a component: the toolkit inside of it decodes, refuses and encodes as it does everywhere. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindComponent } from "../../src/bindings/component.ts";
import { createHost } from "../../src/host/host.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Binding } from "../../src/protocol/binding.ts";
import { generateToolkit } from "../../src/toolkit/generate/generate.ts";
import { type ImplementOptions, implement } from "../../src/toolkit/implement.ts";
import { serveComponent } from "../../src/toolkit/serve/component.ts";
import { defineToolkit } from "../../src/toolkit/toolkit.ts";
import { writeTypeScriptComponent } from "../../wasm-tools/typescript/build.mjs";
import { program } from "../host/support.ts";
import { demoTools } from "./built.ts";

const POST = "ledger.flow.post";

// Node 20 has it behind a flag, later ones by themselves.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--experimental-wasm-extended-const");

describe("a component with QuickJS and the toolkit in it", () => {
  let directory: string;
  let binding: Binding;
  let post: (posting: object) => Promise<unknown>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "flow-typescript-"));
    await writeTypeScriptComponent(directory);
    const { instantiate, getCoreModule } = await import(/* @vite-ignore */ pathToFileURL(join(directory, "node.js")).href);
    binding = bindComponent(instantiate, getCoreModule);
    const tools = await demoTools();
    const only = { ...tools, tools: tools.tools.filter(({ tool }) => tool === POST) };
    post = async (posting) => {
      const host = createHost({ bindings: { [POST]: binding } });
      return (await host.start({ program: program(only, (run) => run.call(POST, { posting })) })).result;
    };
  }, 120_000);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("keeps every digit", async () => {
    const posting = { account: 2n ** 200n + 1n, amount: Decimal.from("123456789012345.678901234567891"), note: "é 🔏" };
    expect(await post(posting)).toEqual({ tag: "Ok", value: posting });
  });

  it("fails with its declared error", async () => {
    expect(await post({ account: 1n, amount: Decimal.from("-1e61") })).toEqual({
      tag: "Failed",
      value: { tag: "TooLarge", value: { limit: Decimal.from("1e60") } },
    });
  });

  it.each([
    ["{}", "missing-member"],
    ['{"posting":{"account":1.5,"amount":1}}', "not-whole"],
    ['{"posting":{"account":1,"amount":1,"more":1}}', "undeclared-member"],
    ['{"posting":{"account":1,"account":1,"amount":1}}', "duplicate-member"],
    ["{", "syntax"],
  ])("has not run %s", async (args, code) => {
    const { tools } = await binding.describe("0.1", new AbortController().signal);
    const { fingerprint } = tools[0] as { fingerprint: string };
    const reply = await binding.call({ run: "r", call: "1", tool: POST, fingerprint, values: {}, args });
    expect(reply).toMatchObject({ tag: "NotRun", from: "tool", reason: expect.stringContaining(code) });
    const views = { schema: "{}", types: "{}" };
    expect(await binding.call({ run: "r", call: "1", tool: POST, fingerprint, values: {}, args, ...views })).toMatchObject({
      tag: "NotRun",
    });
  });

  it("is typed by what the generator writes today", async () => {
    const generated = await readFile(new URL("../../wasm-tools/typescript/generated/ledger.ts", import.meta.url), "utf8");
    const listed = await readFile(new URL("../../demo/tools.json", import.meta.url), "utf8");
    expect(generated).toBe(await generateToolkit(listed, { select: [POST] }));
  });
});

describe("serveComponent", () => {
  const toolkit = defineToolkit<{ act(args: { n: bigint }): unknown }, unknown>({
    data: "0.1",
    tools: {
      act: {
        tool: "odd.flow.act",
        doc: null,
        fingerprint: `sha256:${"0".repeat(64)}`,
        roots: '{"generic":[],"params":[{"name":"n","type":"Int"}],"ok":"Int","err":"Text"}',
      },
    },
    types: "{}",
  });
  const answer = (act: (args: { n: bigint }) => unknown, args = '{"n":3}', options: ImplementOptions = {}) =>
    serveComponent(implement(toolkit, { act }, options)).answer({
      run: "r",
      call: "1",
      tool: "odd.flow.act",
      args,
      schema: null,
      types: null,
    });

  it("describes what was generated, hashing nothing", () => {
    expect(serveComponent(implement(toolkit, { act: () => undefined })).describe("0.1")).toEqual({
      data: "0.1",
      served: [
        {
          tool: "odd.flow.act",
          fingerprint: `sha256:${"0".repeat(64)}`,
          signature: '{"err":{"type":"string"},"generic":[],"ok":{"type":"integer"},"params":[["n",{"type":"integer"}]]}',
        },
      ],
    });
  });

  it("answers at once with each outcome", () => {
    expect(answer(({ n }) => ({ tag: "Ok", value: n + 1n }))).toEqual({ tag: "ok", val: "4" });
    expect(answer(() => ({ tag: "Failed", value: 'no "more"' }))).toEqual({ tag: "failed", val: '"no \\"more\\""' });
    expect(answer(() => undefined, '{"n":1.5}')).toMatchObject({ tag: "not-run", val: expect.stringContaining("not-whole") });
    expect(
      answer(() => {
        throw new Error("out of ink");
      }),
    ).toMatchObject({ tag: "unknown", val: expect.stringContaining("out of ink") });
    expect(answer(() => ({ tag: "Ok", value: "four" }))).toMatchObject({ tag: "unknown" });
  });

  it("does not wait: a promise is Unknown, and its failure nobody's", () => {
    expect(answer(() => Promise.reject(new Error("later")))).toMatchObject({ tag: "unknown", val: expect.stringContaining("a promise") });
  });

  it("refuses a toolset that cannot answer at once", () => {
    expect(() => serveComponent({ describe: () => "{}", answer: () => "{}" })).toThrow("answers at once");
  });
});
