/** Descriptions: what of a response is one (R1), and which of the described declarations answers for a declared one (R36). */
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/json/read.ts";
import { type Description, readDescription, requireFit } from "../../src/protocol/description.ts";

const PRINT = `sha256:${"0123456789abcdef".repeat(4)}`;
const OTHER = `sha256:${"f".repeat(64)}`;
const tool = (changes: object = {}) => ({ tool: "r@1.0.0/m.flow.f", fingerprint: PRINT, signature: { ok: {} }, ...changes });
const read = (value: unknown) => readDescription(value === undefined ? undefined : parseJson(JSON.stringify(value)));

describe("a description", () => {
  it("is read with what it needs, and without what a later minor version adds", () => {
    expect(read({ data: "0.2", more: 1, tools: [tool({ more: 2 })] })).toEqual({ data: "0.2", tools: [tool()] });
    expect(read({ data: "0.1", tools: [] })).toEqual({ data: "0.1", tools: [] });
  });

  it.each<[string, string, unknown]>([
    ["shape", "", undefined],
    ["shape", "", []],
    ["shape", "", null],
    ["shape", "/data", { tools: [] }],
    ["shape", "/data", { data: "1", tools: [] }],
    ["version", "/data", { data: "1.0", tools: [] }],
    ["shape", "/tools", { data: "0.1" }],
    ["shape", "/tools", { data: "0.1", tools: {} }],
    ["shape", "/tools/1", { data: "0.1", tools: [tool(), 7] }],
    ["shape", "/tools/0/tool", { data: "0.1", tools: [tool({ tool: "" })] }],
    ["shape", "/tools/0/tool", { data: "0.1", tools: [tool({ tool: 7 })] }],
    ["shape", "/tools/0/fingerprint", { data: "0.1", tools: [tool({ fingerprint: 7 })] }],
    ["shape", "/tools/0/fingerprint", { data: "0.1", tools: [tool({ fingerprint: ` ${PRINT}` })] }],
    ["shape", "/tools/0/fingerprint", { data: "0.1", tools: [tool({ fingerprint: `${PRINT}0` })] }],
    ["shape", "/tools/0/fingerprint", { data: "0.1", tools: [tool({ fingerprint: PRINT.slice(0, -1) })] }],
    ["shape", "/tools/0/fingerprint", { data: "0.1", tools: [tool({ fingerprint: PRINT.toUpperCase() })] }],
    ["shape", "/tools/0/signature", { data: "0.1", tools: [tool({ signature: "ok" })] }],
    ["shape", "/tools/0/signature", { data: "0.1", tools: [{ tool: "a", fingerprint: PRINT }] }],
  ])("is refused with %s at %j: %j", (code, at, value) => {
    expect(() => read(value)).toThrow(expect.objectContaining({ code, at }));
  });

  it("says where it is wrong and what was met", () => {
    expect(() => read({ data: "0.1", tools: [7] })).toThrow(/expected an object with .* at \/tools\/0, met the number 7$/);
    expect(() => read(undefined)).toThrow(/expected an object with data and tools, met nothing$/);
  });
});

describe("what answers for a declaration", () => {
  const described = (...tools: object[]): Description => read({ data: "0.1", tools });
  const refusal = (description: Description, identity = "r@1.0.0/m.flow.f") => {
    try {
      requireFit(description, identity, PRINT);
    } catch (caught) {
      return caught;
    }
    return "fits";
  };

  it("has its identity, versions aside, and its fingerprint", () => {
    const next = tool({ tool: "r@2.0.0/m.flow.f" });
    expect(requireFit(described(tool({ tool: "r@1.0.0/m.flow.g" }), next), "r@1.0.0/m.flow.f", PRINT)).toEqual(next);
    // Of several of one name, the one that fits.
    expect(requireFit(described(tool({ fingerprint: OTHER }), next), "r@1.0.0/m.flow.f", PRINT)).toEqual(next);
  });

  it("is none where no identity is the same, or no fingerprint", () => {
    expect(refusal(described())).toMatchObject({ code: "not-served", tool: "r@1.0.0/m.flow.f" });
    expect(refusal(described(tool({ tool: "r@1.0.0/m.flow.g" })))).toMatchObject({ code: "not-served" });
    expect(refusal({ ...described(), missing: "unbound" })).toMatchObject({ code: "unbound", tool: "r@1.0.0/m.flow.f" });
    const differs = refusal(described(tool({ fingerprint: OTHER })));
    expect(differs).toMatchObject({ code: "fingerprint", tool: "r@1.0.0/m.flow.f" });
    expect(differs).toMatchObject({ message: expect.stringContaining(`declared ${PRINT}, served ${OTHER}`) });
    expect(refusal({ ...described(tool({ fingerprint: OTHER })), missing: "unbound" })).toMatchObject({ code: "fingerprint" });
  });
});
