/**
 * Matching the templates and roots of a call's view with those of the TypeSpec that serves it.
 *
 * Two templates are the same declaration where their identities are equal without versions (R36) and their ordinals are
 * equal; local ids mean nothing across descriptions. A view's template whose identity is served must be that very
 * declaration, unless it is a caller-private one beside it (R25b).
 */
import { displayName, displayTerm } from "../types/display.ts";
import { pointer, quoted, refusal } from "../types/refuse.ts";
import { termKey } from "../types/substitute.ts";
import type { Constructor, Declarations, Field, Template, Term, TypeSpec, TypesView } from "../types/terms.ts";
import { withoutVersion } from "./identity.ts";

type Path = readonly (string | number)[];

export class Matching {
  private readonly served: TypeSpec;
  private readonly view: TypesView;
  private readonly bindings: readonly string[];

  constructor(served: TypeSpec, view: TypesView) {
    this.served = served;
    this.view = view;
    this.bindings = view.bindings.map((binding) => termKey(binding.type));
  }

  /**
   * Every template of the view whose identity is served agrees with the served one: kind, opacity, arity and ordered
   * members, docs and the names of generic parameters aside.
   * @throws FlowError `conflict`.
   */
  templates(at: string): void {
    const known = byIdentity(this.served.declarations);
    const present = byIdentity(this.view.declarations);
    for (const [id, template] of this.view.declarations) {
      const ordinals = known.get(withoutVersion(template.identity));
      if (ordinals === undefined) continue;
      const place = at + pointer([id]);
      const original = ordinals.get(template.lexical_ordinal);
      if (original !== undefined) {
        this.template(place, template, original);
        continue;
      }
      // Another ordinal is another declaration, but only beside the served ones, never in their place.
      const beside = present.get(withoutVersion(template.identity));
      if ([...ordinals.keys()].every((ordinal) => beside?.has(ordinal))) continue;
      const expected = `ordinal ${[...ordinals.keys()].join(" or ")} for ${displayName(template)}, as served`;
      throw refusal("conflict", `${place}/lexical_ordinal`, expected, `${template.lexical_ordinal}`);
    }
  }

  /**
   * The served signature at the view's bindings is what the view's roots say.
   * @throws FlowError `mismatch`.
   */
  roots(at: string): void {
    for (const [i, param] of this.served.params.entries()) {
      this.root(`${at}/params/${i}/type`, this.view.params[i]?.type as Term, param.type);
    }
    this.root(`${at}/ok`, this.view.ok, this.served.ok);
    this.root(`${at}/err`, this.view.err, this.served.err);
  }

  private root(at: string, given: Term, served: Term): void {
    const path = this.parting(given, served, true);
    if (path === undefined) return;
    const bound = (index: number): string => displayTerm(this.view.bindings[index]?.type ?? "Never", this.view.declarations);
    const expected = displayTerm(served, this.served.declarations, bound);
    const met = displayTerm(given, this.view.declarations);
    throw refusal(
      "mismatch",
      at + pointer(path),
      `${expected}, as served at these bindings`,
      met === expected ? "another type of that name" : met,
    );
  }

  private template(at: string, given: Template, served: Template): void {
    const name = displayName(served);
    if (given.kind !== served.kind) conflict(`${at}/kind`, `the kind ${served.kind} of ${name}`, given.kind);
    if (given.opaque !== served.opaque)
      conflict(`${at}/opaque`, served.opaque ? `${name}, an opaque type` : `${name}, a type that is not opaque`);
    const arity = served.generic.length;
    if (given.generic.length !== arity) conflict(`${at}/generic`, `${arity} type parameters of ${name}`, `${given.generic.length}`);
    if (given.kind === "record" && served.kind === "record") this.fields(`${at}/fields`, given.fields, served.fields, name);
    if (given.kind === "enum" && served.kind === "enum")
      this.constructors(`${at}/constructors`, given.constructors, served.constructors, name);
  }

  private fields(at: string, given: readonly Field[], served: readonly Field[], owner: string): void {
    sameNames(at, given, served, `field of ${owner}`);
    for (const [i, field] of served.entries()) this.member(`${at}/${i}/type`, given[i]?.type as Term, field.type, owner);
  }

  private constructors(at: string, given: readonly Constructor[], served: readonly Constructor[], owner: string): void {
    sameNames(at, given, served, `constructor of ${owner}`);
    for (const [i, original] of served.entries()) {
      const place = `${at}/${i}/payload`;
      const expected = original.payload;
      const met = given[i]?.payload ?? null;
      if (form(met) !== form(expected)) conflict(place, `${form(expected)} in ${original.name} of ${owner}`, form(met));
      if (expected === null || met === null) continue;
      if ("named" in expected && "named" in met) this.fields(`${place}/named`, met.named, expected.named, owner);
      if ("positional" in expected && "positional" in met) {
        for (const [p, part] of expected.positional.entries())
          this.member(`${place}/positional/${p}`, met.positional[p] as Term, part, owner);
      }
    }
  }

  private member(at: string, given: Term, served: Term, owner: string): void {
    const path = this.parting(given, served, false);
    if (path === undefined) return;
    const expected = displayTerm(served, this.served.declarations);
    const met = displayTerm(given, this.view.declarations);
    conflict(at + pointer(path), `${expected}, as ${owner} is served`, met === expected ? "another type of that name" : met);
  }

  /**
   * Where a view's term parts from a served one, `undefined` where they agree. In a root, a served Param is the Tool's
   * and stands for its binding; in a member, it is the template's own on both sides. Recursion is as deep as the terms.
   */
  private parting(given: Term, served: Term, root: boolean): Path | undefined {
    if (typeof served === "string") return given === served ? undefined : [];
    if ("Param" in served && root) return termKey(given) === this.bindings[served.Param.index] ? undefined : [];
    if (typeof given === "string") return [];
    if ("Named" in served) {
      if (!("Named" in given)) return [];
      if (!this.sameDeclaration(given.Named.declaration, served.Named.declaration)) return ["Named", "declaration"];
      return this.list(given.Named.args, served.Named.args, root, ["Named", "args"]);
    }
    if ("Param" in served) return "Param" in given && given.Param.index === served.Param.index ? undefined : [];
    if ("List" in served) return "List" in given ? this.list([given.List], [served.List], root, ["List"], true) : [];
    if ("Set" in served) return "Set" in given ? this.list([given.Set], [served.Set], root, ["Set"], true) : [];
    if ("Option" in served) return "Option" in given ? this.list([given.Option], [served.Option], root, ["Option"], true) : [];
    if ("Task" in served) return "Task" in given ? this.list([given.Task], [served.Task], root, ["Task"], true) : [];
    if ("Dict" in served) return "Dict" in given ? this.list(given.Dict, served.Dict, root, ["Dict"]) : [];
    if ("Tuple" in served) return "Tuple" in given ? this.list(given.Tuple, served.Tuple, root, ["Tuple"]) : [];
    if (!("Function" in given)) return [];
    return (
      this.list(given.Function.params, served.Function.params, root, ["Function", "params"]) ??
      this.list([given.Function.result], [served.Function.result], root, ["Function", "result"], true)
    );
  }

  /** `bare`: the one term stands at `path` itself, not in an array there. */
  private list(given: readonly Term[], served: readonly Term[], root: boolean, path: Path, bare = false): Path | undefined {
    if (given.length !== served.length) return path;
    for (let i = 0; i < served.length; i++) {
      const inside = this.parting(given[i] as Term, served[i] as Term, root);
      if (inside !== undefined) return bare ? [...path, ...inside] : [...path, i, ...inside];
    }
    return undefined;
  }

  private sameDeclaration(given: string, served: string): boolean {
    const a = this.view.declarations.get(given);
    const b = this.served.declarations.get(served);
    if (a === undefined || b === undefined) return false;
    return a.lexical_ordinal === b.lexical_ordinal && withoutVersion(a.identity) === withoutVersion(b.identity);
  }
}

/** Templates by identity without version, then by ordinal. */
function byIdentity(declarations: Declarations): Map<string, Map<number, Template>> {
  const known = new Map<string, Map<number, Template>>();
  for (const template of declarations.values()) {
    const identity = withoutVersion(template.identity);
    const ordinals = known.get(identity) ?? new Map<number, Template>();
    ordinals.set(template.lexical_ordinal, template);
    known.set(identity, ordinals);
  }
  return known;
}

interface NamedMember {
  readonly name: string;
}

function sameNames(at: string, given: readonly NamedMember[], served: readonly NamedMember[], what: string): void {
  for (const [i, { name }] of served.entries()) {
    const met = given[i];
    if (met === undefined) conflict(at, `the ${what} named ${quoted(name)}`, "none");
    if (met.name !== name) conflict(`${at}/${i}/name`, `the ${what} named ${quoted(name)}`, quoted(met.name));
  }
  if (given.length > served.length) conflict(`${at}/${served.length}`, `no other ${what}`, quoted(given[served.length]?.name ?? ""));
}

function form(payload: Constructor["payload"]): string {
  if (payload === null) return "no payload";
  return "named" in payload ? "named parts" : `${payload.positional.length} parts by position`;
}

function conflict(at: string, expected: string, met = ""): never {
  throw refusal("conflict", at, expected, met);
}
