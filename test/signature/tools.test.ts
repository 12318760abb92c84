/** The `tools` output: read, verified and written. */
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/json/read.ts";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { fingerprintOf } from "../../src/signature/signature.ts";
import { readTools, type ToolSource, toolsText, writeTools } from "../../src/signature/tools.ts";
import { readProgramTypes, type ToolRoots } from "../../src/types/program.ts";
import { list, named, option, param, record, type SpecParts, spec, sum } from "../types/build.ts";

type Json = Record<string, JsonValue>;

const TYPES: Json = {
  t1: record("Doc", { id: "Text", next: option(named("t1")) }, { doc: "A document." }),
  t2: sum("Fault", { Gone: null, Bad: ["Text"] }),
  t3: record("Box", { item: param("t3", 0) }, { generic: ["A"] }),
};
const PARTS: SpecParts[] = [
  { params: { id: "Text" }, ok: named("t1"), err: named("t2") },
  { generic: ["T"], params: { items: list(param("tool", 0)) }, ok: named("t3", param("tool", 0)), err: named("t2") },
  {},
];
const NAMES = ["r@1.0.0/a.flow.read", "r@1.0.0/a.flow.pick", "local.flow.stop"];

function sources(): ToolSource[] {
  const roots = PARTS.map((parts, i) => ({ ...spec(parts), at: `/tools/${i}` }) as unknown as ToolRoots);
  return readProgramTypes(roots, TYPES).map((read, i) => ({ tool: NAMES[i] as string, doc: i === 0 ? "Reads." : null, spec: read }));
}

const text = await toolsText(sources());
const document = (): Json => parseJson(text, { depth: 1_000 }) as Json;

/** The document with one Tool changed. */
function withTool(i: number, changes: Json): Json {
  const json = document();
  const tools = json["tools"] as JsonObject[];
  return { ...json, tools: tools.map((tool, at) => (at === i ? { ...tool, ...changes } : tool)) };
}

async function refused(source: Parameters<typeof readTools>[0]): Promise<{ code: string; at: unknown; message: string }> {
  try {
    await readTools(source);
  } catch (caught) {
    if ((caught as Error).name !== "FlowError") throw caught;
    return caught as { code: string; at: unknown; message: string };
  }
  return { code: "valid", at: "", message: "" };
}

describe("a tools output", () => {
  it("is read with each Tool's own part of the map", async () => {
    const read = await readTools(text);
    expect(read.data).toBe("0.1");
    expect(read.tools.map((entry) => entry.tool)).toEqual(NAMES);
    expect(read.tools.map((entry) => entry.doc)).toEqual(["Reads.", null, null]);
    expect(read.tools.map((entry) => [...entry.spec.declarations.keys()].sort())).toEqual([["t1", "t2"], ["t2", "t3"], []]);
    expect([...read.types.keys()]).toEqual(["t1", "t2", "t3"]);
    for (const entry of read.tools) expect(entry.fingerprint).toBe(await fingerprintOf(entry.spec));
  });

  it("reads alike from text, bytes and a JSON value, and writes back the same text", async () => {
    for (const source of [text, new TextEncoder().encode(text), document()]) {
      expect(await toolsText((await readTools(source)).tools)).toBe(text);
    }
  });

  it("lists nothing where there is nothing", async () => {
    expect(await readTools('{"data":"0.1","tools":[],"types":{}}')).toEqual({ data: "0.1", tools: [], types: new Map() });
  });

  it("cannot be written from two templates under one local id", async () => {
    const other = { ...(sources()[0] as ToolSource), tool: "x.flow.y" };
    await expect(writeTools([...sources(), other])).rejects.toMatchObject({ code: "conflict", at: "/types/t1" });
  });
});

describe("bad input", () => {
  it.each([
    ["no JSON", "not json", "syntax", ""],
    ["an empty text", "", "syntax", ""],
    ["bytes that are no UTF-8", Uint8Array.from([0xff, 0xfe]), "syntax", ""],
    ["a member twice", '{"data":"0.1","data":"0.1"}', "duplicate-member", "/data"],
    ["an array", "[]", "shape", ""],
    ["null", null, "shape", ""],
    ["no data version", '{"tools":[],"types":{}}', "member", ""],
    ["a malformed data version", '{"data":"1","tools":[],"types":{}}', "shape", "/data"],
    ["a data version that is a number", '{"data":0.1,"tools":[],"types":{}}', "shape", "/data"],
    ["another major", '{"data":"1.0"}', "version", "/data"],
    ["no tools", '{"data":"0.1","types":{}}', "member", ""],
    ["no types", '{"data":"0.1","tools":[]}', "member", ""],
    ["a member too many", '{"data":"0.1","tools":[],"types":{},"extra":1}', "member", "/extra"],
    ["tools that are an object", '{"data":"0.1","tools":{},"types":{}}', "shape", "/tools"],
    ["types that are an array", '{"data":"0.1","tools":[],"types":[]}', "shape", "/types"],
    ["a Tool that is null", '{"data":"0.1","tools":[null],"types":{}}', "shape", "/tools/0"],
  ] as [string, Parameters<typeof readTools>[0], string, string][])("%s", async (_, source, code, at) => {
    expect(await refused(source)).toMatchObject({ code, at });
  });

  it("each member of a Tool is required, and no other is taken", async () => {
    const tool = (document()["tools"] as Json[])[0] as Json;
    for (const member of Object.keys(tool)) {
      const json = document();
      const { [member]: _, ...rest } = tool;
      expect(await refused({ ...json, tools: [rest] })).toMatchObject({ code: "member", at: "/tools/0" });
    }
    expect(await refused(withTool(0, { extra: null }))).toMatchObject({ code: "member", at: "/tools/0/extra" });
  });

  it.each([
    ["an identity that is none", 0, { tool: "read" }, "shape", "/tools/0/tool"],
    ["an identity that is no string", 0, { tool: 5n }, "shape", "/tools/0/tool"],
    ["a Tool twice", 2, { tool: NAMES[0] as string }, "duplicate-name", "/tools/2/tool"],
    ["a doc that is no string", 1, { doc: 5n }, "shape", "/tools/1/doc"],
    ["a signature that is no object", 1, { signature: [] }, "shape", "/tools/1/signature"],
    ["a fingerprint that is no string", 1, { fingerprint: null }, "shape", "/tools/1/fingerprint"],
    ["a fingerprint of another signature", 1, { fingerprint: `sha256:${"0".repeat(64)}` }, "mismatch", "/tools/1/fingerprint"],
    ["a signature's member changed", 0, { signature: {} }, "mismatch", "/tools/0/signature"],
    ["a root of another type", 0, { ok: option(named("t1")) }, "mismatch", "/tools/0/signature/ok"],
    ["a parameter renamed", 0, { params: [{ name: "key", type: "Text" }] }, "mismatch", "/tools/0/signature/params/0/0"],
    ["a type that it does not carry", 0, { ok: named("t9") }, "unresolved", "/tools/0/ok"],
    ["an unknown term", 1, { err: "Error" }, "unknown-term", "/tools/1/err"],
    [
      "a function as a value",
      2,
      { params: [{ name: "f", type: { Function: { params: [], result: "Int" } } }] },
      "crossing",
      "/tools/2/params/0/type",
    ],
  ] as [string, number, Json, string, string][])("%s", async (_, i, changes, code, at) => {
    const met = await refused(withTool(i, changes));
    expect(met.code).toBe(code);
    expect(String(met.at).startsWith(at)).toBe(true);
  });

  it.each([
    ["an extra template", { t4: record("Extra", {}) }, "disconnected", "/types/t4"],
    ["a template changed", { t1: record("Doc", { id: "Int", next: option(named("t1")) }) }, "mismatch", "/tools/0/signature"],
    ["a template that is null", { t1: null }, "shape", "/types/t1"],
    ["a declaration twice", { t4: TYPES["t1"] as JsonValue }, "conflict", "/types/t4"],
    ["a declaration without a value", { t1: record("Doc", { next: named("t1") }) }, "recursion", "/types/t1"],
  ] as [string, Json, string, string][])("a map with %s", async (_, changes, code, at) => {
    const json = document();
    const met = await refused({ ...json, types: { ...(json["types"] as JsonObject), ...changes } });
    expect(met.code).toBe(code);
    expect(String(met.at).startsWith(at)).toBe(true);
  });

  it("a doc comment counts in the described signature that is stated", async () => {
    const json = document();
    const types = { ...(json["types"] as JsonObject), t1: record("Doc", { id: "Text", next: option(named("t1")) }, { doc: "Other." }) };
    expect(await refused({ ...json, types })).toMatchObject({ code: "mismatch" });
  });
});

describe("a newer minor", () => {
  it("may add members beside ours, though not inside metadata", async () => {
    const json = withTool(0, { added: 1n });
    expect((await refused(json)).code).toBe("member");
    expect((await refused({ ...json, data: "0.2", added: 1n })).code).toBe("valid");
    const types = { ...(json["types"] as JsonObject), t1: { ...(TYPES["t1"] as Json), added: 1n } };
    expect(await refused({ ...json, data: "0.2", types })).toMatchObject({ code: "member", at: "/types/t1/added" });
    expect(canonicalText((await writeTools((await readTools({ ...json, data: "0.2" })).tools)) as JsonValue, { depth: 1_000 })).toBe(text);
  });
});
