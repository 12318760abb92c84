/**
 * What the terms of a description refer to: owners, indices and arities, conflicting templates, the exact closure.
 * Everything here walks the finite graph of templates once and substitutes nothing.
 */
import { displayName } from "./display.ts";
import { pointer, quoted, refusal } from "./refuse.ts";
import type { NamedTerm, ParamTerm, ReadDeclarations, Scope } from "./shape.ts";
import type { Declarations, Template } from "./terms.ts";
import { type PlacedTerm, placeInTemplate, placeInTerm } from "./walk.ts";

/** The owner that a Tool's own type parameters name. */
export const TOOL = "tool";

/**
 * Checks the references of a scope of roots: each Named resolves with the arity it needs, each Param is one of the
 * Tool's.
 * @param generic How many type parameters the Tool has; `undefined` where roots are concrete and none may stand.
 * @throws FlowError `unresolved`, `arity`, `owner`, `index`, `free-param`.
 */
export function checkRoots(roots: readonly PlacedTerm[], scope: Scope, generic: number | undefined, declarations: Declarations): void {
  const place = (term: object): string => {
    for (const root of roots) {
      const at = placeInTerm(root, term);
      if (at !== root.at || root.type === term) return at;
    }
    return "";
  };
  for (const named of scope.named) checkNamed(named, declarations, place);
  for (const param of scope.params) {
    if (generic === undefined) throw refusal("free-param", place(param), "a concrete term", "a type parameter");
    checkParam(param, TOOL, generic, place);
  }
}

/**
 * Checks the references of every template, then that no two templates are the same declaration (R25).
 * @param at The pointer of the declarations map.
 * @throws FlowError `unresolved`, `arity`, `owner`, `index`, `conflict`.
 */
export function checkTemplates(at: string, { declarations, scopes }: ReadDeclarations): void {
  const seen = new Map<string, Set<number>>();
  for (const [id, template] of declarations) {
    const home = at + pointer([id]);
    const place = (term: object): string => placeInTemplate(home, template, term);
    const scope = scopes.get(id) as Scope;
    for (const named of scope.named) checkNamed(named, declarations, place);
    for (const param of scope.params) checkParam(param, id, template.generic.length, place);
    checkDistinct(home, template, seen);
  }
}

function checkNamed(term: NamedTerm, declarations: Declarations, place: (term: object) => string): void {
  const { declaration, args } = term.Named;
  const template = declarations.get(declaration);
  if (template === undefined) throw refusal("unresolved", place(term), "a template of this description", quoted(declaration));
  const arity = template.generic.length;
  if (args.length !== arity) {
    throw refusal("arity", place(term), `${arity} type argument${arity === 1 ? "" : "s"} for ${displayName(template)}`, `${args.length}`);
  }
}

function checkParam(term: ParamTerm, owner: string, count: number, place: (term: object) => string): void {
  if (term.Param.owner !== owner) {
    throw refusal("owner", place(term), `a type parameter of ${quoted(owner)}`, `one of ${quoted(term.Param.owner)}`);
  }
  if (term.Param.index >= count) {
    const range = count === 0 ? "no type parameter, since its owner has none" : `an index of at most ${count - 1}`;
    throw refusal("index", place(term), range, `${term.Param.index}`);
  }
}

function checkDistinct(at: string, template: Template, seen: Map<string, Set<number>>): void {
  const ordinals = seen.get(template.identity);
  if (ordinals === undefined) {
    seen.set(template.identity, new Set([template.lexical_ordinal]));
  } else if (ordinals.has(template.lexical_ordinal)) {
    const what = `${quoted(template.identity)} with ordinal ${template.lexical_ordinal}`;
    throw refusal("conflict", at, "one template for each declaration", `${what} again`);
  } else {
    ordinals.add(template.lexical_ordinal);
  }
}

/**
 * Refuses a template that no root reaches.
 * @throws FlowError `disconnected`.
 */
export function checkConnected(at: string, declarations: Declarations, reached: ReadonlySet<string>): void {
  if (reached.size === declarations.size) return;
  for (const [id, template] of declarations) {
    if (!reached.has(id)) {
      throw refusal("disconnected", at + pointer([id]), "only templates that a root reaches", displayName(template));
    }
  }
}
