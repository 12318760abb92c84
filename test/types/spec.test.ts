/** Where a fault of a whole description stands, for each of its members, by itself and as part of something larger. */
import { describe, expect, it } from "vitest";
import type { FlowError } from "../../src/json/errors.ts";
import { type JsonValue, jsonObject } from "../../src/json/value.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";
import { named, option, record, spec, task } from "./build.ts";

const view = (): Record<string, JsonValue> => {
  const { generic: _, ...rest } = spec({ params: { a: "Int" } });
  return { bindings: [{ name: "T", type: "Int" }], ...rest };
};

function placeOf(read: (json: JsonValue, at?: string) => unknown, json: Record<string, JsonValue>, at?: string): string {
  try {
    read(jsonObject(json), at);
  } catch (caught) {
    return `${(caught as FlowError).code} ${String((caught as FlowError).at)}`;
  }
  return "valid";
}

const ring = { t1: record("Ring", { next: named("t1") }) };
const lone = { t1: record("Lone", {}) };
const odd = { t1: record("Odd", { x: "Odd" }) };

describe.each<[string, (json: JsonValue, at?: string) => unknown, () => Record<string, JsonValue>, [string, Record<string, JsonValue>][]]>([
  [
    "a TypeSpec",
    readTypeSpec,
    () => spec({ params: { a: "Int" } }),
    [
      ["shape /generic/0", { generic: [1n] }],
      ["duplicate-name /generic/1", { generic: ["T", "T"] }],
    ],
  ],
  [
    "a types view",
    readTypesView,
    view,
    [
      ["shape /bindings", { bindings: {} }],
      ["unknown-term /bindings/0/type", { bindings: [{ name: "T", type: "Odd" }] }],
      ["unresolved /bindings/0/type", { bindings: [{ name: "T", type: named("t9") }] }],
      ["shape /bindings/0", { bindings: [1n] }],
    ],
  ],
])("%s", (_, read, sound, others) => {
  it.each<[string, Record<string, JsonValue>]>([
    ["valid", {}],
    ["member /more", { more: 1n }],
    ["shape /params", { params: {} }],
    ["unknown-term /params/0/type", { params: [{ name: "a", type: "Odd" }] }],
    ["crossing /params/0/type", { params: [{ name: "a", type: task("Int") }] }],
    ["unknown-term /ok/Option", { ok: option("Odd") }],
    ["crossing /ok", { ok: task("Int") }],
    ["unresolved /ok", { ok: named("t9") }],
    ["unknown-term /err", { err: "Odd" }],
    ["unresolved /err", { err: named("t9") }],
    ["crossing /err", { err: task("Int") }],
    ["shape /declarations", { declarations: [] }],
    ["unknown-term /declarations/t1/fields/0/type", { ok: named("t1"), declarations: odd }],
    ["disconnected /declarations/t1", { declarations: lone }],
    ["recursion /declarations/t1", { ok: named("t1"), declarations: ring }],
    ...others,
  ])("is refused with code and place: %s", (expected, changes) => {
    expect(placeOf(read, { ...sound(), ...changes })).toBe(expected);
    expect(placeOf(read, { ...sound(), ...changes }, "/x/0")).toBe(expected.replace(" ", " /x/0"));
  });
});
