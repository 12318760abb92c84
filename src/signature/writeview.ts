/** Writing the `schema` and `types` of a generic call: the caller's side of `readCallView` (*Type descriptions*). */
import { FlowError } from "../json/errors.ts";
import { isJsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { schemaOf } from "../schema/schema.ts";
import { displayName } from "../types/display.ts";
import { checkRoots, TOOL } from "../types/graph.ts";
import { pointer, refusal } from "../types/refuse.ts";
import { ShapeReader } from "../types/shape.ts";
import { substitute, termKey } from "../types/substitute.ts";
import type { Constructor, Declarations, Field, Payload, Template, Term, TypeSpec } from "../types/terms.ts";
import { reachableDeclarations } from "../types/walk.ts";
import { declarationsJson, parametersJson, termJson } from "../types/write.ts";
import { withoutVersion } from "./identity.ts";
import { signatureText } from "./signature.ts";

/** What a caller binds a generic Tool's type parameters to. */
export interface GenericTypes {
  /** A concrete term for each type parameter, by name. */
  readonly bindings: Readonly<Record<string, Term>>;
  /** The templates those terms name. */
  readonly declarations?: Declarations;
}

/** Both views, canonical text. */
export interface CallViewTexts {
  /** The schema of the success type. */
  readonly schema: string;
  /** The types view. */
  readonly types: string;
}

/**
 * The views of a call.
 * @param spec The Tool's description, as the program knows it.
 * @throws FlowError `member` where a type parameter is unbound, unknown, or the Tool has none; for a binding that is no
 *   term or names no template, and where `schemaOf` does, a code of R35's second list; `conflict` where the caller's
 *   template of a declaration is not the Tool's. That the views are valid as a whole is for `readCallView` to say.
 */
export function writeCallViews(spec: TypeSpec, types: GenericTypes | undefined): CallViewTexts {
  if (spec.generic.length === 0) throw new FlowError("member", "the Tool is not generic, and the call gives types");
  if (types === undefined)
    throw new FlowError("member", `the Tool is generic, and the call does not say what ${spec.generic.join(", ")} stand for`);
  for (const name of Object.keys(types.bindings)) {
    if (!spec.generic.includes(name))
      throw new FlowError("member", `the Tool has no type parameter ${JSON.stringify(name)}`, { at: "/bindings" });
  }
  const own: Declarations = types.declarations ?? new Map();
  const merged = new Merged(spec.declarations, own);
  const visible = new Map([...spec.declarations, ...own]);
  const args = spec.generic.map((name) => {
    if (!Object.hasOwn(types.bindings, name))
      throw new FlowError("member", `the call does not say what ${name} stands for`, { at: "/bindings" });
    return merged.term(readBinding(name, types.bindings[name], visible));
  });
  const concrete = (term: Term) => substitute(term, TOOL, args);
  const bindings = spec.generic.map((name, i) => ({ name, type: args[i] as Term }));
  const params = spec.params.map(({ name, type }) => ({ name, type: concrete(type) }));
  const ok = concrete(spec.ok);
  const err = concrete(spec.err);
  const declarations = reachableDeclarations([...args, ...params.map(({ type }) => type), ok, err], merged.declarations);
  return {
    schema: signatureText(schemaOf(ok, declarations)),
    types: signatureText(
      jsonObject({
        bindings: parametersJson(bindings),
        params: parametersJson(params),
        ok: termJson(ok),
        err: termJson(err),
        declarations: declarationsJson(declarations),
      }),
    ),
  };
}

/** A caller's term, which nobody has read yet: a program writes it by hand. */
function readBinding(name: string, term: Term | undefined, visible: Declarations): Term {
  const reader = new ShapeReader("");
  const { result, scope } = reader.scoped(() => reader.within("bindings", () => reader.root(exact(term), name)));
  checkRoots([{ at: pointer(["bindings", name]), type: result }], scope, undefined, visible);
  return result;
}

/** Terms in memory count with numbers, in JSON with bigints. */
function exact(term: unknown): JsonValue | undefined {
  if (typeof term === "number") return Number.isInteger(term) ? BigInt(term) : null;
  if (Array.isArray(term)) return term.map((part) => exact(part) ?? null);
  if (!isJsonObject(term as JsonValue)) return term as JsonValue | undefined;
  return jsonObject(Object.fromEntries(Object.entries(term as object).map(([name, part]) => [name, exact(part) ?? null])));
}

/**
 * The served declarations and the caller's in one map. Local ids are references within one description, so an id may
 * stand for different templates in the two; the caller's then gets another. A declaration both know is one template.
 */
class Merged {
  readonly declarations: ReadonlyMap<string, Template>;
  private readonly ids = new Map<string, string>();

  constructor(served: Declarations, own: Declarations) {
    const all = new Map(served);
    const known = new Map([...served].map(([id, template]) => [declarationKey(template), id]));
    for (const [id, template] of own) {
      const same = known.get(declarationKey(template));
      this.ids.set(id, same ?? (all.has(id) ? this.fresh(id, all, own) : id));
      // Reserves the id, so that no later one takes it.
      if (same === undefined) all.set(this.ids.get(id) as string, template);
    }
    for (const [id, template] of own) {
      const mine = this.ids.get(id) as string;
      const other = served.get(mine);
      if (other === undefined) all.set(mine, this.template(template));
      else if (semantics(this.template(template)) !== semantics(other)) {
        // Taking the Tool's in its place would say of the caller's values what they are not.
        const at = pointer(["declarations", id]);
        throw refusal("conflict", at, `${displayName(template)} as the Tool's description has it`, "another one");
      }
    }
    this.declarations = all;
  }

  /** A caller's term with the ids of the merged map, by which Params name their owners as well. */
  term(term: Term): Term {
    if (typeof term === "string") return term;
    if ("Param" in term) return { Param: { owner: this.id(term.Param.owner), index: term.Param.index } };
    if ("Named" in term)
      return { Named: { declaration: this.id(term.Named.declaration), args: term.Named.args.map((arg) => this.term(arg)) } };
    if ("List" in term) return { List: this.term(term.List) };
    if ("Set" in term) return { Set: this.term(term.Set) };
    if ("Option" in term) return { Option: this.term(term.Option) };
    if ("Task" in term) return { Task: this.term(term.Task) };
    if ("Dict" in term) return { Dict: [this.term(term.Dict[0]), this.term(term.Dict[1])] };
    if ("Tuple" in term) return { Tuple: term.Tuple.map((part) => this.term(part)) };
    return { Function: { params: term.Function.params.map((part) => this.term(part)), result: this.term(term.Function.result) } };
  }

  private id(own: string): string {
    return this.ids.get(own) ?? own;
  }

  private template(template: Template): Template {
    if (template.kind === "record") return { ...template, fields: this.fields(template.fields) };
    if (template.kind !== "enum") return template;
    const constructors = template.constructors.map((made): Constructor => ({ ...made, payload: this.payload(made.payload) }));
    return { ...template, constructors };
  }

  private payload(payload: Payload): Payload {
    if (payload === null) return null;
    return "named" in payload ? { named: this.fields(payload.named) } : { positional: payload.positional.map((part) => this.term(part)) };
  }

  private fields(fields: readonly Field[]): readonly Field[] {
    return fields.map((field) => ({ ...field, type: this.term(field.type) }));
  }

  private fresh(id: string, taken: ReadonlyMap<string, Template>, own: Declarations): string {
    for (let i = 1; ; i++) {
      const candidate = `${id}_${i}`;
      if (!taken.has(candidate) && !own.has(candidate)) return candidate;
    }
  }
}

/** What must agree between two templates of one declaration (*Type descriptions*): docs and names of type parameters need not. */
function semantics(template: Template): string {
  const { kind, opaque, generic } = template;
  const fields = (list: readonly Field[]) => list.map(({ name, type }) => [name, termKey(type)]);
  const payload = (made: Payload) => {
    if (made === null) return null;
    return "named" in made ? { named: fields(made.named) } : made.positional.map(termKey);
  };
  if (template.kind === "record") return JSON.stringify([kind, opaque, generic.length, fields(template.fields)]);
  const constructors = template.kind === "enum" ? template.constructors.map((made) => [made.name, payload(made.payload)]) : [];
  return JSON.stringify([kind, opaque, generic.length, constructors]);
}

function declarationKey(template: Template): string {
  return `${template.lexical_ordinal} ${withoutVersion(template.identity)}`;
}
