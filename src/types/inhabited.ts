/**
 * R22, first check: every declaration can have a finite value when Never and type parameters are taken as having one.
 *
 * Whether `D<A, B>` has a value is a monotone boolean function of whether A and B have one, and it is a joint one: an
 * enum `Either<X, Y> { L(X), R(Y) }` needs one of them, whichever, so no parameter can be judged by itself. The function
 * is evaluated on demand: a *case* is a template together with one bit for each argument, all cases start as "no
 * value", and a case that turns out to have one wakes those that waited for it. What is left when nothing wakes any
 * more is the least fixpoint. A declaration without a value in the case of all ones is refused. Nothing is expanded.
 *
 * Most descriptions have about one case for each template and the whole takes time linear in their size. But arguments
 * that change places on the way (`T<A, B, C>` holding `T<B, C, A>`) visit all their rotations, and cycles of coprime
 * lengths multiply, so that the cases of a hostile description can be exponentially many. Therefore both the cases and
 * the work have a budget, and a description past it is refused as past the bounds.
 */
import { displayName } from "./display.ts";
import { pointer, refusal } from "./refuse.ts";
import { BOUNDS } from "./shape.ts";
import type { Declarations, Template, Term } from "./terms.ts";
import { alternatives } from "./walk.ts";

/** Sixteen cases for each template of the largest description. */
export const MAX_CASES: number = 16 * BOUNDS.templates;
/** Sixty-four looks at each term of the largest description. */
const MAX_LOOKS = 64 * BOUNDS.terms;

/** One template with its arguments judged: `bits` has "1" where an argument has a value. */
interface Case {
  readonly id: string;
  readonly bits: string;
  readonly ways: readonly (readonly Term[])[];
  /** How many terms of each way are known to have a value; they never lose it again. */
  readonly done: Uint32Array;
  inhabited: boolean;
  /** The ways of other cases to be looked at again once this case has a value. */
  readonly waiting: Waiter[];
}

interface Waiter {
  readonly of: Case;
  readonly way: number;
}

/** What a look at a term says. UNKNOWN: cases it needs were met for the first time and are looked at before it. */
const NO = 0;
const YES = 1;
const UNKNOWN = 2;
type Answer = typeof NO | typeof YES | typeof UNKNOWN;

/**
 * @param at The pointer of the declarations map.
 * @throws FlowError `recursion`; `bounds` past the budget.
 */
export function checkInhabited(at: string, declarations: Declarations): void {
  const judge = new Judge(at, declarations);
  for (const [id, template] of declarations) {
    if (judge.hasValue(id, template)) continue;
    throw refusal("recursion", at + pointer([id]), "a declaration that can have a finite value", `${displayName(template)}, which cannot`);
  }
}

class Judge {
  private readonly at: string;
  private readonly declarations: Declarations;
  private readonly cases = new Map<string, Map<string, Case>>();
  private readonly ways = new Map<string, readonly (readonly Term[])[]>();
  private count = 0;
  private looks: number;
  private readonly maxCases: number;
  /** Ways to look at, the last first. */
  private readonly agenda: Waiter[] = [];

  constructor(at: string, declarations: Declarations) {
    this.at = at;
    this.declarations = declarations;
    // A program-wide map is not one description and may be larger; its budget grows with it.
    const scale = Math.max(1, declarations.size / BOUNDS.templates);
    this.looks = MAX_LOOKS * scale;
    this.maxCases = MAX_CASES * scale;
  }

  hasValue(id: string, template: Template): boolean {
    const top = this.case(id, "1".repeat(template.generic.length));
    for (let next = this.agenda.pop(); next !== undefined; next = this.agenda.pop()) this.look(next);
    return top.inhabited;
  }

  /** Looks at one way of a case, from the first term that is not known to have a value. */
  private look(waiter: Waiter): void {
    const { of, way } = waiter;
    if (of.inhabited) return;
    const terms = of.ways[way] as readonly Term[];
    for (let i = of.done[way] as number; i < terms.length; i++) {
      // New cases are put on the agenda above the waiter, so that they are looked at before it comes again.
      const mark = this.agenda.length;
      const answer = this.term(terms[i] as Term, waiter, false);
      if (answer === UNKNOWN) this.agenda.splice(mark, 0, waiter);
      if (answer !== YES) return;
      of.done[way] = i + 1;
    }
    of.inhabited = true;
    for (const waiting of of.waiting) this.agenda.push(waiting);
    of.waiting.length = 0;
  }

  /** Recursion is as deep as the term. `nested`: inside an argument, where the answer decides which case is asked for. */
  private term(term: Term, waiter: Waiter, nested: boolean): Answer {
    if (--this.looks < 0) this.exhausted();
    if (typeof term === "string") return YES;
    if ("Param" in term) return waiter.of.bits.charCodeAt(term.Param.index) === 49 ? YES : NO;
    if ("Tuple" in term) return this.tuple(term.Tuple, waiter, nested);
    if ("Named" in term) return this.named(term.Named.declaration, term.Named.args, waiter, nested);
    return YES;
  }

  private tuple(parts: readonly Term[], waiter: Waiter, nested: boolean): Answer {
    for (const part of parts) {
      const answer = this.term(part, waiter, nested);
      if (answer !== YES) return answer;
    }
    return YES;
  }

  private named(id: string, args: readonly Term[], waiter: Waiter, nested: boolean): Answer {
    let bits = "";
    let unknown = false;
    for (const arg of args) {
      const answer = this.term(arg, waiter, true);
      if (answer === UNKNOWN) unknown = true;
      bits += answer === YES ? "1" : "0";
    }
    // Asked for now, a case would be one with too many zeros, to be asked for again with fewer.
    if (unknown) return UNKNOWN;
    const before = this.count;
    const found = this.case(id, bits);
    if (found.inhabited) return YES;
    if (nested && this.count > before) return UNKNOWN;
    found.waiting.push(waiter);
    return NO;
  }

  /** The case of a template at some bits, put on the agenda when it is new. */
  private case(id: string, bits: string): Case {
    let ofTemplate = this.cases.get(id);
    if (ofTemplate === undefined) {
      ofTemplate = new Map();
      this.cases.set(id, ofTemplate);
    }
    const known = ofTemplate.get(bits);
    if (known !== undefined) return known;
    if (++this.count > this.maxCases) this.exhausted();
    this.looks -= bits.length;
    const ways = this.waysOf(id);
    // Without a body, or without constructors (which counts as Never does), there is nothing to ask.
    const inhabited = ways.length === 0;
    const made: Case = { id, bits, ways, done: new Uint32Array(ways.length), inhabited, waiting: [] };
    ofTemplate.set(bits, made);
    for (let way = ways.length - 1; way >= 0; way--) this.agenda.push({ of: made, way });
    this.looks -= ways.length;
    return made;
  }

  private waysOf(id: string): readonly (readonly Term[])[] {
    let ways = this.ways.get(id);
    if (ways === undefined) {
      ways = alternatives(this.declarations.get(id) as Template) ?? [];
      this.ways.set(id, ways);
    }
    return ways;
  }

  private exhausted(): never {
    throw refusal(
      "bounds",
      this.at,
      "declarations whose recursion can be judged within the budget",
      "type arguments that change places too often",
    );
  }
}
