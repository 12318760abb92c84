/**
 * Reading descriptions whole: shapes, references, recursion, crossing, in that order, each on the finite graph and each
 * in time linear in its size. A description is handed on complete or not at all.
 */
import type { JsonValue } from "../json/value.ts";
import { checkGraph, toolRoots } from "./check.ts";
import { checkRoots } from "./graph.ts";
import { ShapeReader } from "./shape.ts";
import type { TypeSpec, TypesView } from "./terms.ts";

/**
 * Reads the description of one Tool (*Type descriptions*).
 * @param json A JSON value as `parseJson` gives it.
 * @param at Its JSON Pointer, where it is part of something larger.
 * @returns The description as plain data; it shares nothing with `json`.
 * @throws FlowError with a code of R35's second list and the JSON Pointer of the place.
 */
export function readTypeSpec(json: JsonValue, at = ""): TypeSpec {
  const reader = new ShapeReader(at);
  const object = reader.exact(json, ["generic", "params", "ok", "err", "declarations"], "a TypeSpec");
  const { result, scope } = reader.scoped(() => ({
    generic: reader.within("generic", () => reader.generic(object["generic"])),
    params: reader.within("params", () => reader.parameters(object["params"], "parameter")),
    ok: reader.root(object["ok"], "ok"),
    err: reader.root(object["err"], "err"),
  }));
  const read = reader.within("declarations", () => reader.declarations(object["declarations"]));
  const roots = toolRoots(result, at);
  checkRoots(roots, scope, result.generic.length, read.declarations);
  checkGraph(`${at}/declarations`, read, roots, roots);
  return { ...result, declarations: read.declarations };
}

/**
 * Reads the types of one generic call: concrete terms for the bindings and for the Tool's roots.
 * Bindings may name any term (R25a); the roots must be able to cross. Whether the view is one of a served Tool is
 * asked by the reader of call views.
 * @param at The JSON Pointer of `json`, where it is part of something larger.
 * @throws FlowError as {@link readTypeSpec} does, and `free-param` for a Param in a binding or root.
 */
export function readTypesView(json: JsonValue, at = ""): TypesView {
  const reader = new ShapeReader(at);
  const object = reader.exact(json, ["bindings", "params", "ok", "err", "declarations"], "a types view");
  const { result, scope } = reader.scoped(() => ({
    bindings: reader.within("bindings", () => reader.parameters(object["bindings"], "binding")),
    params: reader.within("params", () => reader.parameters(object["params"], "parameter")),
    ok: reader.root(object["ok"], "ok"),
    err: reader.root(object["err"], "err"),
  }));
  const read = reader.within("declarations", () => reader.declarations(object["declarations"]));
  const values = toolRoots(result, at);
  const all = [...result.bindings.map(({ type }, i) => ({ at: `${at}/bindings/${i}/type`, type })), ...values];
  checkRoots(all, scope, undefined, read.declarations);
  checkGraph(`${at}/declarations`, read, all, values);
  return { ...result, declarations: read.declarations };
}
