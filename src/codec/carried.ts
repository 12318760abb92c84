/** The codecs of a generic Tool's own side, for one set of bindings: values of its type parameters stay JSON. */
import type { JsonValue } from "../json/value.ts";
import type { Declarations, Parameter, Term, TypeSpec } from "../types/terms.ts";
import { Codec } from "./codec.ts";
import { Compiler } from "./compile.ts";

/** What a call's type parameters stand for. */
export interface BoundParameters {
  /** In the order of the Tool's own list. */
  readonly bindings: readonly Parameter[];
  readonly declarations: Declarations;
}

export interface CarriedCodecs {
  readonly params: readonly { readonly name: string; readonly codec: Codec }[];
  readonly ok: Codec;
  readonly err: Codec;
}

/** The codec of one concrete type whose values stay JSON. @throws FlowError `bounds` */
export function carriedCodec(type: Term, declarations: Declarations): Codec<JsonValue> {
  const compiler = new Compiler(declarations);
  return new Codec<JsonValue>(type, declarations, { node: compiler.adopt(compiler.compile(type)).node, longestName: compiler.longestName });
}

/**
 * Codecs of a Tool's declared roots with its type parameters bound. Sets and dictionaries of a parameter's values are in
 * the order of the bound type, and a field of a parameter's type follows the bound type's rule for Option fields (R4).
 * @param bound Bindings that were validated against the Tool (`readCallView`).
 * @throws FlowError `bounds` for declarations that stand for too many types
 */
export function carriedCodecs(spec: TypeSpec, bound: BoundParameters): CarriedCodecs {
  const caller = new Compiler(bound.declarations);
  const served = new Compiler(spec.declarations);
  const params = bound.bindings.map(({ type }) => served.adopt(caller.compile(type)));
  const longestName = Math.max(caller.longestName, served.longestName);
  const codec = (type: Parameter["type"]) => new Codec(type, spec.declarations, { node: served.compile(type, params).node, longestName });
  return { params: spec.params.map(({ name, type }) => ({ name, codec: codec(type) })), ok: codec(spec.ok), err: codec(spec.err) };
}
