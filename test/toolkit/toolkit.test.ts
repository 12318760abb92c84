import { describe, expect, it } from "vitest";
import { bindFunction } from "../../src/bindings/function.ts";
import { createHost } from "../../src/host/host.ts";
import { readTools } from "../../src/signature/tools.ts";
import { err, ok } from "../../src/toolkit/index.ts";
import { defineToolkit, type Toolkit } from "../../src/toolkit/toolkit.ts";
import type * as docs from "./generated/docs.ts";
import { DOCS, documentOf, generatedFrom, run, SHAPES } from "./programs.ts";

const FIND = "github.com/acme/docs@1.2.0/search.flow.find";

describe("Toolkit", () => {
  it("holds the very Tools it was generated from", async () => {
    for (const program of [DOCS, SHAPES]) {
      const text = await documentOf(program);
      const { tools } = run(await generatedFrom(program)) as { tools: Toolkit<unknown, unknown> };
      const expected = await readTools(text);
      const document = await tools.document();
      expect(document.tools).toEqual(expected.tools);
      expect(new Map(document.types)).toEqual(new Map(expected.types));
      expect(document.data).toBe(expected.data);
      expect(tools.tools.map(({ tool, fingerprint }) => [tool, fingerprint])).toEqual(
        expected.tools.map(({ tool, fingerprint }) => [tool, fingerprint]),
      );
    }
  });

  it("reads nothing before it is used, and once then", async () => {
    const broken = defineToolkit({ data: "0.1", tools: {}, types: "{" });
    expect(() => broken.tools).toThrow(expect.objectContaining({ code: "syntax" }));
    const { tools } = run(await generatedFrom(DOCS)) as { tools: Toolkit<unknown, unknown> };
    expect(tools.tools).toBe(tools.tools);
    expect(tools.document()).toBe(tools.document());
  });

  it("notices generated source that was changed by hand", async () => {
    const source = await generatedFrom(DOCS);
    const changed = (from: string, to: string): Toolkit<unknown, unknown> => run(source.replace(from, to)).tools;
    await expect(changed("sha256:f", "sha256:e").document()).rejects.toMatchObject({ code: "mismatch" });
    await expect(changed('"name":"query","type":"Text"', '"name":"query","type":"Int"').document()).rejects.toMatchObject({
      code: "mismatch",
    });
    await expect(changed('"type":"Text"', '"type":"Txet"').document()).rejects.toMatchObject({ code: "unknown-term" });
    await expect(changed('data: "0.1"', 'data: "1.0"').document()).rejects.toMatchObject({ code: "version" });
  });

  it("makes the calls of a program", async () => {
    const { calls } = run(await generatedFrom(DOCS));
    const made: unknown[] = [];
    const caller = { call: async (...args: unknown[]) => made.push(args) };
    const options = { timeoutMs: 1 };
    await calls(caller).find({ query: "a" }, options);
    await calls(caller).read({ id: "b" });
    expect(made).toEqual([
      [FIND, { query: "a" }, options],
      ["github.com/acme/docs@1.2.0/catalog.flow.read", { id: "b" }, undefined],
    ]);
  });

  it("drives a host: calls of a run, answered by functions that return what authors do", async () => {
    const generated = run(await generatedFrom(DOCS)) as { tools: Toolkit<docs.Tools, docs.Calls>; calls: typeof docs.calls };
    const document = await generated.tools.document();
    const [read, find] = document.tools;
    if (read === undefined || find === undefined) throw new Error("two Tools were expected");
    const bindings = {
      [read.tool]: bindFunction(read, () => err({ tag: "NotFound", value: "a" })),
      [find.tool]: bindFunction(find, ({ query }) => ok([{ id: String(query), title: "t", body: "b" }])),
    };
    await using host = createHost({ bindings });
    const started = await host.start({
      program: {
        tools: document,
        run: async (flowRun) => {
          const calls = generated.calls(flowRun);
          return [await calls.find({ query: "q" }), await calls.read({ id: "a" })];
        },
      },
      input: {},
    });
    expect(await started.result).toEqual([
      { tag: "Ok", value: [{ id: "q", title: "t", body: "b" }] },
      { tag: "Failed", value: { tag: "NotFound", value: "a" } },
    ]);
  });
});

describe("ok and err", () => {
  it("are outcomes", () => {
    expect(ok(1n)).toEqual({ tag: "Ok", value: 1n });
    expect(ok()).toEqual({ tag: "Ok", value: undefined });
    expect(err("e")).toEqual({ tag: "Failed", value: "e" });
    expect(err()).toEqual({ tag: "Failed", value: undefined });
  });
});
