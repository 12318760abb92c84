/** Ways over terms and templates that several checks share. */
import { pointer } from "./refuse.ts";
import type { Declarations, Template, Term } from "./terms.ts";

/** A term together with the JSON Pointer of where it stands in its description. */
export interface PlacedTerm {
  readonly at: string;
  readonly type: Term;
}

/**
 * The ways to build a value of a declaration, each as the terms it needs: a record has one, an enum one for each
 * constructor. `undefined` for a declaration without a body (host, nondata).
 */
export function alternatives(template: Template): readonly (readonly Term[])[] | undefined {
  if (template.kind === "record") return [template.fields.map((field) => field.type)];
  if (template.kind !== "enum") return undefined;
  return template.constructors.map(({ payload }) => {
    if (payload === null) return [];
    return "named" in payload ? payload.named.map((field) => field.type) : payload.positional;
  });
}

/** Every term of a template's members, in declaration order. */
export function memberTerms(template: Template): readonly Term[] {
  return alternatives(template)?.flat() ?? [];
}

/** The terms directly inside a term, arguments, Function parts and Task items included. */
export function innerTerms(term: Term): readonly Term[] {
  if (typeof term === "string") return [];
  if ("Named" in term) return term.Named.args;
  if ("List" in term) return [term.List];
  if ("Set" in term) return [term.Set];
  if ("Option" in term) return [term.Option];
  if ("Task" in term) return [term.Task];
  if ("Dict" in term) return term.Dict;
  if ("Tuple" in term) return term.Tuple;
  if ("Function" in term) return [...term.Function.params, term.Function.result];
  return [];
}

/** Local ids named by each template's members. Templates never change, and a closure asks for the same ones often. */
const referenceLists = new WeakMap<Template, readonly string[]>();

function references(template: Template): readonly string[] {
  let ids = referenceLists.get(template);
  if (ids === undefined) {
    const found = new Set<string>();
    collectReferences(memberTerms(template), found);
    ids = [...found];
    referenceLists.set(template, ids);
  }
  return ids;
}

function collectReferences(terms: readonly Term[], found: Set<string>): void {
  const open = [...terms].reverse();
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (typeof term === "string") continue;
    if ("Named" in term) found.add(term.Named.declaration);
    const inner = innerTerms(term);
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i] as Term);
  }
}

/**
 * The local ids that some terms reach (*Type descriptions*): through Named terms and their arguments, Function
 * parameters and results, Task items, and the members of what was reached. In order of first reach, breadth first.
 * Ids that name no template are left out.
 */
export function reachable(terms: readonly Term[], declarations: Declarations): Set<string> {
  const named = new Set<string>();
  collectReferences(terms, named);
  const reached = new Set<string>();
  // A Set is walked in insertion order, entries added on the way included: it is its own queue.
  for (const id of named) {
    const template = declarations.get(id);
    if (template === undefined) continue;
    reached.add(id);
    for (const next of references(template)) named.add(next);
  }
  return reached;
}

/** The part of a declarations map that some terms reach. */
export function reachableDeclarations(terms: readonly Term[], declarations: Declarations): Declarations {
  const part = new Map();
  for (const id of reachable(terms, declarations)) part.set(id, declarations.get(id));
  return part;
}

/**
 * The pointer of a term inside a root, by object identity. Checks carry no paths along: a place is looked up once
 * something has been refused there. The root's own pointer where the term is not found.
 */
export function placeInTerm(root: PlacedTerm, target: object): string {
  const path = findIn(root.type, target);
  return path === undefined ? root.at : root.at + pointer(path);
}

/** The pointer of a term inside a template, by object identity. */
export function placeInTemplate(at: string, template: Template, target: object): string {
  for (const { type, path } of placedMembers(template)) {
    const inside = findIn(type, target);
    if (inside !== undefined) return at + pointer([...path, ...inside]);
  }
  return at;
}

function placedMembers(template: Template): { readonly type: Term; readonly path: readonly (string | number)[] }[] {
  if (template.kind === "record") return template.fields.map((field, i) => ({ type: field.type, path: ["fields", i, "type"] }));
  if (template.kind !== "enum") return [];
  return template.constructors.flatMap(({ payload }, c) => {
    const path = ["constructors", c, "payload"];
    if (payload === null) return [];
    if ("named" in payload) return payload.named.map((field, i) => ({ type: field.type, path: [...path, "named", i, "type"] }));
    return payload.positional.map((type, i) => ({ type, path: [...path, "positional", i] }));
  });
}

/** Recursion is as deep as the term, which the reader bounded. */
function findIn(term: Term, target: object): (string | number)[] | undefined {
  if (term === target) return [];
  if (typeof term === "string") return undefined;
  for (const [segments, inner] of placedInner(term)) {
    const path = findIn(inner, target);
    if (path !== undefined) return [...segments, ...path];
  }
  return undefined;
}

function placedInner(term: Exclude<Term, string>): [(string | number)[], Term][] {
  const tag = Object.keys(term)[0] as string;
  const inner = innerTerms(term);
  if ("Named" in term) return inner.map((arg, i) => [["Named", "args", i], arg]);
  if ("Dict" in term || "Tuple" in term) return inner.map((part, i) => [[tag, i], part]);
  if ("Function" in term) {
    const last = inner.length - 1;
    return inner.map((part, i) => [i === last ? ["Function", "result"] : ["Function", "params", i], part]);
  }
  return inner.map((part) => [[tag], part]);
}
