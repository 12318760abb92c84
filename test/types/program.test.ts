/** Several Tools over one map of declarations. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { readProgramTypes, type ToolRoots } from "../../src/types/program.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { codeOf, func, list, named, option, param, record, refusalOf, type SpecParts, spec, sum } from "./build.ts";

const map: Record<string, JsonValue> = {
  t1: record("Doc", { next: option(named("t1")) }),
  t2: record("Box", { item: param("t2", 0) }, { generic: ["A"] }),
  t3: sum("Fault", { Gone: null, At: [named("t4")] }),
  t4: record("Place", {}),
};

function tools(...list: SpecParts[]): ToolRoots[] {
  return list.map((parts, i) => {
    const { generic, params, ok, err } = spec(parts) as Record<string, JsonValue>;
    return { at: `/tools/${i}`, generic, params, ok, err } as ToolRoots;
  });
}

describe("a program's Tools", () => {
  it("take their own part of the map, and another Tool's templates are no extras", () => {
    const specs = readProgramTypes(tools({ ok: named("t1") }, { params: { x: named("t2", "Int") }, err: named("t3") }, {}), map);
    expect(specs.map((read) => [...read.declarations.keys()])).toEqual([["t1"], ["t2", "t3", "t4"], []]);
    expect(readTypeSpec(spec({ ok: named("t1"), declarations: { t1: map["t1"] as JsonValue } }))).toEqual(specs[0]);
  });

  it("reach the whole map together", () => {
    expect(refusalOf(() => readProgramTypes(tools({ ok: named("t1") }, { ok: named("t2", "Int") }), map))).toMatchObject({
      code: "disconnected",
      at: "/types/t3",
    });
  });

  it.each([
    ["a root without its template", { ok: list(named("t9")) }, "unresolved", "/tools/1/ok/List"],
    ["a wrong arity", { err: named("t2") }, "arity", "/tools/1/err"],
    ["a parameter of no one", { params: { x: param("t2", 0) } }, "owner", "/tools/1/params/0/type"],
    ["a parameter past the Tool's", { generic: ["T"], params: { x: param("tool", 1) } }, "index", "/tools/1/params/0/type"],
    ["a function", { params: { x: func([], "Int") } }, "crossing", "/tools/1/params/0/type"],
    ["an unknown term", { ok: "Nothing" }, "unknown-term", "/tools/1/ok"],
    ["an unknown term in a parameter", { params: { x: "Nothing" } }, "unknown-term", "/tools/1/params/0/type"],
    ["an unknown term as its error", { err: "Nothing" }, "unknown-term", "/tools/1/err"],
    ["a name twice", { generic: ["T", "T"] }, "duplicate-name", "/tools/1/generic/1"],
  ] as [string, SpecParts, string, string][])("refuses %s in one Tool", (_, parts, code, at) => {
    const all = tools({ ok: named("t2", named("t1")), err: named("t3") }, parts);
    expect(refusalOf(() => readProgramTypes(all, map))).toMatchObject({ code, at });
  });

  it("refuses a fault of the map once, wherever it is used", () => {
    const bad = { ...map, t4: record("Place", { x: named("t4") }) };
    expect(refusalOf(() => readProgramTypes([], bad))).toMatchObject({ code: "recursion", at: "/types/t4" });
    expect(refusalOf(() => readProgramTypes([], { ...map, t5: map["t4"] as JsonValue }))).toMatchObject({
      code: "conflict",
      at: "/types/t5",
    });
    expect(refusalOf(() => readProgramTypes([], []))).toMatchObject({ code: "shape", at: "/types" });
  });

  it("judges R24 for each Tool's own description, not for the program", () => {
    const wide: Record<string, JsonValue> = {};
    for (let i = 0; i < 5_000; i++) wide[`w${i}`] = record(`W${i}`, {});
    const half = (from: number, count: number): SpecParts => ({
      params: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, named(`w${from + i}`)])),
    });
    expect(codeOf(() => readProgramTypes(tools(half(0, 2_500), half(2_500, 2_500)), wide))).toBe("valid");
    expect(codeOf(() => readProgramTypes(tools(half(0, 4_096), half(4_096, 904)), wide))).toBe("valid");
    expect(refusalOf(() => readProgramTypes(tools(half(0, 4_097), half(4_097, 903)), wide))).toMatchObject({
      code: "bounds",
      at: "/tools/0",
    });
  });

  it("counts the terms of a Tool's roots and of all that it reaches (R24)", () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, "Int"]));
    const read = (last: number) => {
      const wide = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`w${i}`, record(`W${i}`, fields(i < 15 ? 4_095 : last))]));
      const params = Object.fromEntries(Object.keys(wide).map((id) => [id, named(id)]));
      return codeOf(() => readProgramTypes(tools({ params }), wide));
    };
    // Sixteen parameters, success and error are terms as well.
    expect(read(65_536 - 18 - 15 * 4_095)).toBe("valid");
    expect(read(65_536 - 17 - 15 * 4_095)).toBe("bounds");
  });
});
