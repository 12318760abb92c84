/** Descriptions back to JSON: what the readers of this room read. */
import { type JsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import type { Declarations, Field, Parameter, Payload, Template, Term, TypeSpec, TypesView } from "./terms.ts";

/** Terms have the shape of their JSON already, except for the number in a Param. */
export function termJson(term: Term): JsonValue {
  if (typeof term === "string") return term;
  if ("Named" in term)
    return jsonObject({ Named: jsonObject({ declaration: term.Named.declaration, args: term.Named.args.map(termJson) }) });
  if ("Param" in term) return jsonObject({ Param: jsonObject({ owner: term.Param.owner, index: BigInt(term.Param.index) }) });
  if ("List" in term) return jsonObject({ List: termJson(term.List) });
  if ("Set" in term) return jsonObject({ Set: termJson(term.Set) });
  if ("Option" in term) return jsonObject({ Option: termJson(term.Option) });
  if ("Task" in term) return jsonObject({ Task: termJson(term.Task) });
  if ("Dict" in term) return jsonObject({ Dict: term.Dict.map(termJson) });
  if ("Tuple" in term) return jsonObject({ Tuple: term.Tuple.map(termJson) });
  return jsonObject({ Function: jsonObject({ params: term.Function.params.map(termJson), result: termJson(term.Function.result) }) });
}

export function templateJson(template: Template): JsonObject {
  const { name, identity, lexical_ordinal, generic, opaque, kind, doc } = template;
  const common = { name, identity, lexical_ordinal: BigInt(lexical_ordinal), generic, opaque, kind, doc };
  if (template.kind === "record") return jsonObject({ ...common, fields: template.fields.map(fieldJson) });
  if (template.kind !== "enum") return jsonObject(common);
  const constructors = template.constructors.map((made) =>
    jsonObject({ name: made.name, doc: made.doc, payload: payloadJson(made.payload) }),
  );
  return jsonObject({ ...common, constructors });
}

function payloadJson(payload: Payload): JsonValue {
  if (payload === null) return null;
  if ("named" in payload) return jsonObject({ named: payload.named.map(fieldJson) });
  return jsonObject({ positional: payload.positional.map(termJson) });
}

function fieldJson({ name, type, doc }: Field): JsonObject {
  return jsonObject({ name, type: termJson(type), doc });
}

export function declarationsJson(declarations: Declarations): JsonObject {
  const members = Object.create(null) as Record<string, JsonValue>;
  for (const [id, template] of declarations) members[id] = templateJson(template);
  return members;
}

/** Parameters or bindings. */
export function parametersJson(parameters: readonly Parameter[]): JsonValue[] {
  return parameters.map(({ name, type }) => jsonObject({ name, type: termJson(type) }));
}

/** The JSON of a TypeSpec: `readTypeSpec` reads an equal one from it. */
export function typeSpecJson(spec: TypeSpec): JsonObject {
  const { generic, params, ok, err, declarations } = spec;
  return jsonObject({
    generic,
    params: parametersJson(params),
    ok: termJson(ok),
    err: termJson(err),
    declarations: declarationsJson(declarations),
  });
}

/** The JSON of a types view, as a generic call carries it. */
export function typesViewJson(view: TypesView): JsonObject {
  const { bindings, params, ok, err, declarations } = view;
  return jsonObject({
    bindings: parametersJson(bindings),
    params: parametersJson(params),
    ok: termJson(ok),
    err: termJson(err),
    declarations: declarationsJson(declarations),
  });
}
