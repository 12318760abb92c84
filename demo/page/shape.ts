/** A term opened by one level: what a value, an example or a sentence about a type has to know of it. */
import { type Constructor, type Declarations, displayName, type Field, type Primitive, type Template, type Term } from "flow-host";

export type Shape =
  | { readonly kind: "primitive"; readonly name: Primitive }
  | { readonly kind: "list" | "set" | "option"; readonly item: Term }
  | { readonly kind: "dict"; readonly key: Term; readonly value: Term }
  | { readonly kind: "tuple"; readonly parts: readonly Term[] }
  | { readonly kind: "record"; readonly id: string; readonly template: Template; readonly fields: readonly Field[] }
  | { readonly kind: "enum"; readonly id: string; readonly template: Template; readonly constructors: readonly Constructor[] }
  | { readonly kind: "other" };

/** The shape of a term in which no type parameter is free. */
export function shapeOf(term: Term, declarations: Declarations): Shape {
  if (typeof term === "string") return { kind: "primitive", name: term };
  if ("List" in term) return { kind: "list", item: term.List };
  if ("Set" in term) return { kind: "set", item: term.Set };
  if ("Option" in term) return { kind: "option", item: term.Option };
  if ("Dict" in term) return { kind: "dict", key: term.Dict[0], value: term.Dict[1] };
  if ("Tuple" in term) return { kind: "tuple", parts: term.Tuple };
  if (!("Named" in term)) return { kind: "other" };
  const { declaration: id, args } = term.Named;
  const template = declarations.get(id);
  const filled = (type: Term): Term => substitute(type, id, args);
  const fields = (list: readonly Field[]) => list.map((field) => ({ ...field, type: filled(field.type) }));
  switch (template?.kind) {
    case "record":
      return { kind: "record", id, template, fields: fields(template.fields) };
    case "enum": {
      const constructors = template.constructors.map(({ payload, ...rest }): Constructor => {
        if (payload === null) return { ...rest, payload };
        return { ...rest, payload: "named" in payload ? { named: fields(payload.named) } : { positional: payload.positional.map(filled) } };
      });
      return { kind: "enum", id, template, constructors };
    }
    default:
      return { kind: "other" };
  }
}

/** A term with the type parameters of one declaration replaced. */
function substitute(term: Term, owner: string, args: readonly Term[]): Term {
  if (args.length === 0 || typeof term === "string") return term;
  const inner = (part: Term): Term => substitute(part, owner, args);
  if ("Param" in term) return term.Param.owner === owner ? (args[term.Param.index] ?? term) : term;
  if ("List" in term) return { List: inner(term.List) };
  if ("Set" in term) return { Set: inner(term.Set) };
  if ("Option" in term) return { Option: inner(term.Option) };
  if ("Task" in term) return { Task: inner(term.Task) };
  if ("Dict" in term) return { Dict: [inner(term.Dict[0]), inner(term.Dict[1])] };
  if ("Tuple" in term) return { Tuple: term.Tuple.map(inner) };
  if ("Function" in term) return { Function: { params: term.Function.params.map(inner), result: inner(term.Function.result) } };
  return { Named: { ...term.Named, args: term.Named.args.map(inner) } };
}

/** The type of what stands at a JSON Pointer of a value's JSON; undefined where the type has nothing there. */
export function typeAt(term: Term, declarations: Declarations, pointer: string): Term | undefined {
  let at: Term | undefined = term;
  let fields: readonly Field[] | undefined;
  for (const segment of segmentsOf(pointer)) {
    if (fields !== undefined) {
      at = fieldType(fields, segment);
      fields = undefined;
    } else if (at !== undefined) {
      const shape: Shape = shapeOf(at, declarations);
      at = undefined;
      if (shape.kind === "list" || shape.kind === "set") at = shape.item;
      else if (shape.kind === "option") at = segment === "Some" ? shape.item : undefined;
      else if (shape.kind === "tuple") at = shape.parts[Number(segment)];
      else if (shape.kind === "record") at = fieldType(shape.fields, segment);
      else if (shape.kind === "dict") at = shape.key === "Text" ? shape.value : { Tuple: [shape.key, shape.value] };
      else if (shape.kind === "enum") {
        const payload = shape.constructors.find(({ name }) => name === segment)?.payload ?? null;
        if (payload !== null && "named" in payload) fields = payload.named;
        else if (payload !== null) at = payload.positional.length === 1 ? payload.positional[0] : { Tuple: payload.positional };
      }
    }
    if (at === undefined && fields === undefined) return undefined;
  }
  return at;
}

/** The type of a field's JSON, which for an Option is that of its Some. */
function fieldType(fields: readonly Field[], name: string): Term | undefined {
  const type = fields.find((field) => field.name === name)?.type;
  return type !== undefined && typeof type === "object" && "Option" in type ? type.Option : type;
}

/** The segments of a JSON Pointer, unescaped. */
export function segmentsOf(pointer: string): readonly string[] {
  const unescaped = (segment: string) => segment.replace(/~1/g, "/").replace(/~0/g, "~");
  return pointer === "" ? [] : pointer.slice(1).split("/").map(unescaped);
}

/**
 * A term as Flow writes it: `List<document.Document>`.
 * @param nameOf How a declaration is called; by its file and name where nothing is given.
 */
export function termText(term: Term, declarations: Declarations, nameOf: (template: Template) => string = displayName): string {
  const list = (terms: readonly Term[]) => terms.map((part) => termText(part, declarations, nameOf)).join(", ");
  if (typeof term === "string") return term;
  if ("Named" in term) {
    const template = declarations.get(term.Named.declaration);
    const name = template === undefined ? term.Named.declaration : nameOf(template);
    return term.Named.args.length === 0 ? name : `${name}<${list(term.Named.args)}>`;
  }
  if ("Param" in term) return declarations.get(term.Param.owner)?.generic[term.Param.index] ?? `T${term.Param.index + 1}`;
  if ("Tuple" in term) return `(${list(term.Tuple)})`;
  if ("Function" in term) return `(${list(term.Function.params)}) -> ${list([term.Function.result])}`;
  if ("Dict" in term) return `Dict<${list(term.Dict)}>`;
  const [name, item] = Object.entries(term)[0] as [string, Term];
  return `${name}<${list([item])}>`;
}
