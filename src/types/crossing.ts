/**
 * What may cross (R15) and what has an order (R12), judged on the finite graph. Only value positions count: a phantom
 * argument may be anything, and a Tool's own type parameter is judged once a call binds it (R25a).
 */
import { displayName } from "./display.ts";
import { pointer, refusal } from "./refuse.ts";
import type { Declarations, Template, Term } from "./terms.ts";
import { eachPart, ORDERED, stronger, Usage, type Use, VALUE } from "./usage.ts";
import { memberTerms, type PlacedTerm, placeInTemplate, placeInTerm } from "./walk.ts";

/**
 * What is asked of a root. `parameter` and `reply` (a success or error type) may hold no Function, Task or nondata, a
 * `reply` no opaque type either (R15). `any` asks for order alone (R12), as a codec must.
 */
export type Role = "parameter" | "reply" | "any";

export interface CrossingRoot extends PlacedTerm {
  readonly role: Role;
}

/**
 * Checks that roots may cross. Roots and declarations must have been read by this room.
 * @param at The pointer of the declarations map.
 * @throws FlowError `crossing`, at the Function, Task or Named term that must not stand where it does.
 */
export function requireCrossing(roots: readonly CrossingRoot[], declarations: Declarations, at = "/declarations"): void {
  new Crossing(declarations, at, new Usage(declarations)).check(roots);
}

/** {@link requireCrossing} for several Tools over one map: the uses of type parameters are found once. */
export class Crossing {
  private readonly declarations: Declarations;
  private readonly at: string;
  private readonly usage: Usage;

  constructor(declarations: Declarations, at: string, usage: Usage) {
    this.declarations = declarations;
    this.at = at;
    this.usage = usage;
  }

  check(roots: readonly CrossingRoot[]): void {
    // One visit serves all roots of a role: what a template holds does not depend on who asks.
    for (const role of ["parameter", "reply", "any"] as const) {
      const visit = new Visit(this.declarations, this.usage, role);
      for (const root of roots) {
        if (root.role === role) visit.root(root.type, (term) => placeInTerm(root, term));
      }
      visit.templates((id, template) => (term) => placeInTemplate(this.at + pointer([id]), template, term));
    }
  }
}

type Place = (term: object) => string;

class Visit {
  private readonly declarations: Declarations;
  private readonly usage: Usage;
  private readonly role: Role;
  /** The strongest use in which each template's members were visited or are about to be. */
  private readonly seen = new Map<string, Use>();
  private readonly agenda: { readonly id: string; readonly use: Use }[] = [];
  private place: Place = () => "";

  constructor(declarations: Declarations, usage: Usage, role: Role) {
    this.declarations = declarations;
    this.usage = usage;
    this.role = role;
  }

  root(term: Term, place: Place): void {
    this.place = place;
    this.term(term, VALUE);
  }

  /** Visits the members of every template met, and of those met on the way: at most twice each. */
  templates(place: (id: string, template: Template) => Place): void {
    for (let next = this.agenda.pop(); next !== undefined; next = this.agenda.pop()) {
      if (this.seen.get(next.id) !== next.use) continue;
      const template = this.declarations.get(next.id) as Template;
      this.place = place(next.id, template);
      for (const term of memberTerms(template)) this.term(term, next.use);
    }
  }

  /** Recursion is as deep as the term. */
  private term(term: Term, use: Use): void {
    if (typeof term === "string") return;
    if ("Function" in term) this.forbid(term, "a function", use);
    else if ("Task" in term) this.forbid(term, "a Task", use);
    else if ("Named" in term) this.named(term, term.Named.declaration, term.Named.args, use);
    else if (!("Param" in term)) eachPart(term, use, (part, partUse) => this.term(part, partUse));
  }

  private named(term: object, id: string, args: readonly Term[], use: Use): void {
    const template = this.declarations.get(id) as Template;
    if (template.kind === "nondata") this.forbid(term, `${displayName(template)}, which is no data`, use);
    if (template.kind === "host" && use === ORDERED) this.unordered(term, `the host type ${displayName(template)}`);
    if (template.opaque && this.role === "reply") {
      throw refusal("crossing", this.place(term), "no opaque type in a success or error type", displayName(template));
    }
    for (let i = 0; i < args.length; i++) {
      const own = this.usage.of(id, i);
      if (own !== 0) this.term(args[i] as Term, stronger(own, use));
    }
    if (use > (this.seen.get(id) ?? 0)) {
      this.seen.set(id, use);
      this.agenda.push({ id, use });
    }
  }

  /** Functions, Tasks and nondata never cross and have no order. */
  private forbid(term: object, met: string, use: Use): void {
    if (this.role !== "any") throw refusal("crossing", this.place(term), "only data in a value position", met);
    if (use === ORDERED) this.unordered(term, met);
  }

  private unordered(term: object, met: string): never {
    throw refusal("crossing", this.place(term), "Set items and Dict keys that have an order", met);
  }
}
