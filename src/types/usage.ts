/**
 * How each template uses its type parameters: not at all (a phantom), as part of a value, or as part of something that
 * needs an order (a Set item, a Dict key). Crossing checks look at value positions only (R15, R25a), and an argument
 * is in one exactly where the parameter that takes it is.
 *
 * The answer is a least fixpoint over the finite graph: in `E<F<A>>`, A is used when E uses its parameter and F its own.
 * An argument is walked once its parameter is known to be used, and once more if it then turns out to need an order;
 * the note on each Named term keeps that at two walks, however deeply arguments nest.
 */
import type { Declarations, Term } from "./terms.ts";
import { memberTerms } from "./walk.ts";

export const PHANTOM = 0;
export const VALUE = 1;
export const ORDERED = 2;
/** PHANTOM, VALUE or ORDERED: the strongest use of a parameter. */
export type Use = typeof PHANTOM | typeof VALUE | typeof ORDERED;

/** An argument of a Named term inside a template, walked when the parameter that takes it is used. */
interface Argument {
  readonly owner: string;
  readonly term: Term;
  /** The use of the Named term itself. */
  readonly use: Use;
}

/** Uses of every type parameter of a checked graph of templates. Pure, linear in the size of the templates. */
export class Usage {
  private readonly uses = new Map<string, Use[]>();
  /** For each template and parameter, the arguments given for it inside templates. */
  private readonly given = new Map<string, Argument[][]>();
  private readonly walked = new Map<object, Use>();
  private readonly agenda: Argument[] = [];

  constructor(declarations: Declarations) {
    for (const [id, { generic }] of declarations) {
      if (generic.length === 0) continue;
      this.uses.set(
        id,
        generic.map(() => PHANTOM),
      );
      this.given.set(
        id,
        generic.map(() => []),
      );
    }
    for (const [id, template] of declarations) {
      // Only the body of a generic declaration holds Params.
      if (template.generic.length === 0) continue;
      for (const term of memberTerms(template)) this.agenda.push({ owner: id, term, use: VALUE });
    }
    for (let next = this.agenda.pop(); next !== undefined; next = this.agenda.pop()) this.walk(next.owner, next.term, next.use);
  }

  /** The use of one parameter of a template. */
  of(id: string, index: number): Use {
    return this.uses.get(id)?.[index] ?? PHANTOM;
  }

  private walk(owner: string, term: Term, use: Use): void {
    if (typeof term === "string") return;
    if ("Param" in term) this.raise(owner, term.Param.index, use);
    else if ("Named" in term) this.named(owner, term, term.Named.declaration, term.Named.args, use);
    else eachPart(term, use, (part, partUse) => this.walk(owner, part, partUse));
  }

  private named(owner: string, term: object, id: string, args: readonly Term[], use: Use): void {
    if ((this.walked.get(term) ?? PHANTOM) >= use) return;
    this.walked.set(term, use);
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as Term;
      if (typeof arg === "string") continue;
      const known = this.of(id, i);
      if (known !== ORDERED) this.given.get(id)?.[i]?.push({ owner, term: arg, use });
      if (known !== PHANTOM) this.walk(owner, arg, stronger(known, use));
    }
  }

  private raise(owner: string, index: number, use: Use): void {
    const uses = this.uses.get(owner);
    if (uses === undefined || (uses[index] ?? PHANTOM) >= use) return;
    uses[index] = use;
    for (const argument of this.given.get(owner)?.[index] ?? []) {
      this.agenda.push({ owner: argument.owner, term: argument.term, use: stronger(use, argument.use) });
    }
  }
}

export function stronger(a: Use, b: Use): Use {
  return a > b ? a : b;
}

/**
 * Visits the value positions directly inside a term that is neither Named nor Param, each with its use: a Set's item
 * and a Dict's key need an order. The insides of a Function or a Task are no values.
 */
export function eachPart(term: Exclude<Term, string>, use: Use, visit: (part: Term, use: Use) => void): void {
  if ("List" in term) visit(term.List, use);
  else if ("Option" in term) visit(term.Option, use);
  else if ("Set" in term) visit(term.Set, ORDERED);
  else if ("Dict" in term) {
    visit(term.Dict[0], ORDERED);
    visit(term.Dict[1], use);
  } else if ("Tuple" in term) {
    for (const part of term.Tuple) visit(part, use);
  }
}
