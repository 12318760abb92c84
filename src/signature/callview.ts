/**
 * Reading the `schema` and `types` of a call, against the TypeSpec of the Tool that serves it (*Type descriptions*, R25a,
 * R25b, R36). Any refusal makes the call NotRun before the author's code runs.
 *
 * The caller describes its own types; what is served only supplies the comparison. Names and identities in a view are
 * compared and shown, and never looked up.
 */
import { isFlowError } from "../json/errors.ts";
import { isJsonObject, type JsonValue } from "../json/value.ts";
import { schemaOf } from "../schema/schema.ts";
import { withoutDescriptions } from "../schema/strip.ts";
import { displayTerm } from "../types/display.ts";
import { pointer, quoted, refusal } from "../types/refuse.ts";
import { readTypesView } from "../types/spec.ts";
import type { Declarations, Parameter, Term, TypeSpec, TypesView } from "../types/terms.ts";
import { difference } from "./difference.ts";
import { Matching } from "./matching.ts";

/** The two members of a call that its description of types consists of; a member that the call lacks is `undefined`. */
export interface CallTypes {
  /** The schema of the success type. */
  readonly schema?: JsonValue | undefined;
  /** The types view. */
  readonly types?: JsonValue | undefined;
}

/** The types of one call: of a generic one as its caller bound them, of any other as the Tool declares them. */
export interface CallView {
  /** What each type parameter is bound to; empty for a Tool that is not generic. */
  readonly bindings: readonly Parameter[];
  /** The parameters of this call. */
  readonly params: readonly Parameter[];
  /** The type of its success. */
  readonly ok: Term;
  /** The type of its error. */
  readonly err: Term;
  /** The templates that these name. */
  readonly declarations: Declarations;
  /** The success type's schema as the call gave it; `undefined` for a call of a Tool that is not generic. */
  readonly schema: JsonValue | undefined;
}

/**
 * Reads the view of a call.
 * @param call The call's `schema` and `types`, as JSON values.
 * @param served The description of the Tool that serves it.
 * @throws FlowError with a code of R35's second list, and the JSON Pointer into `{"schema", "types"}`.
 */
export function readCallView(call: CallTypes, served: TypeSpec): CallView {
  const { schema, types } = call;
  if (served.generic.length === 0) {
    if (schema !== undefined || types !== undefined) {
      const extra = schema === undefined ? "types" : "schema";
      throw refusal("member", `/${extra}`, "no schema and no types in a call of a Tool that is not generic", extra);
    }
    const { params, ok, err, declarations } = served;
    return { bindings: [], params, ok, err, declarations, schema: undefined };
  }
  if (schema === undefined) throw refusal("member", "", "the member schema in a generic call");
  if (types === undefined) throw refusal("member", "", "the member types in a generic call");
  if (schema === null) throw refusal("shape", "/schema", "a schema, an object", "null");
  if (types === null) throw refusal("shape", "/types", "a types view, an object", "null");
  const view = readTypesView(types, "/types");
  compareNames(view, served);
  const matching = new Matching(served, view);
  matching.templates("/types/declarations");
  matching.roots("/types");
  compareSchema(schema, view);
  return { ...view, schema };
}

/** Bindings and parameters by name, count and order. */
function compareNames(view: TypesView, served: TypeSpec): void {
  compareList("bindings", "type parameter", view.bindings, served.generic);
  compareList(
    "params",
    "parameter",
    view.params,
    served.params.map((param) => param.name),
  );
}

function compareList(member: string, what: string, given: readonly Parameter[], names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    const met = given[i];
    if (met === undefined) throw refusal("mismatch", `/types/${member}`, `the ${what} ${quoted(name)} as number ${i + 1}`, "none");
    if (met.name !== name) throw refusal("mismatch", `/types/${member}/${i}/name`, `the ${what} ${quoted(name)}`, quoted(met.name));
  }
  if (given.length > names.length) {
    throw refusal(
      "mismatch",
      `/types/${member}/${names.length}`,
      `${names.length} ${what}${names.length === 1 ? "" : "s"}`,
      `${given.length}`,
    );
  }
}

/** The schema must be the projection of the view's own success type, docs aside (R25b). */
function compareSchema(schema: JsonValue, view: TypesView): void {
  // The right schema is as large as the projection, so the work is bounded by what was sent: a few templates can have a
  // projection of any size. Each object or name that is counted is at least half a value of the JSON.
  const nodes = 2 * countValues(schema) + 2;
  let path: Path | undefined = [];
  try {
    path = difference(withoutDescriptions(schema), schemaOf(view.ok, view.declarations, { docs: false, nodes }, "/types/ok"));
  } catch (caught) {
    if (!(isFlowError(caught) && caught.code === "bounds")) throw caught;
  }
  if (path === undefined) return;
  const met = `another one than that of ${displayTerm(view.ok, view.declarations)}`;
  throw refusal("mismatch", `/schema${pointer(path)}`, "the schema of the view's success type", met);
}

type Path = readonly (string | number)[];

/** How many values a JSON value holds, itself included. */
function countValues(json: JsonValue): number {
  let count = 0;
  const open = [json];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count++;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) for (const name of Object.keys(value)) open.push(value[name] as JsonValue);
  }
  return count;
}
