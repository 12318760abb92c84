/** Putting arguments in the place of parameters, and telling terms apart cheaply. */
import type { Term } from "./terms.ts";

/**
 * The term with each Param of `owner` replaced by its argument, Params of other owners left as they are. Arguments go
 * in by reference and are not looked into, and what holds no such Param is returned itself: the cost is the size of
 * `term`, however large the arguments are.
 */
export function substitute(term: Term, owner: string, args: readonly Term[]): Term {
  if (typeof term === "string" || args.length === 0) return term;
  if ("Param" in term) return term.Param.owner === owner ? (args[term.Param.index] ?? term) : term;
  if ("Named" in term) {
    const inner = list(term.Named.args, owner, args);
    return inner === term.Named.args ? term : { Named: { declaration: term.Named.declaration, args: inner } };
  }
  if ("List" in term) return one(term, term.List, owner, args, (inner) => ({ List: inner }));
  if ("Set" in term) return one(term, term.Set, owner, args, (inner) => ({ Set: inner }));
  if ("Option" in term) return one(term, term.Option, owner, args, (inner) => ({ Option: inner }));
  if ("Task" in term) return one(term, term.Task, owner, args, (inner) => ({ Task: inner }));
  if ("Dict" in term) {
    const inner = list(term.Dict, owner, args);
    return inner === term.Dict ? term : { Dict: [inner[0] as Term, inner[1] as Term] };
  }
  if ("Tuple" in term) {
    const inner = list(term.Tuple, owner, args);
    return inner === term.Tuple ? term : { Tuple: inner };
  }
  const params = list(term.Function.params, owner, args);
  const result = substitute(term.Function.result, owner, args);
  return params === term.Function.params && result === term.Function.result ? term : { Function: { params, result } };
}

function one(term: Term, inner: Term, owner: string, args: readonly Term[], build: (inner: Term) => Term): Term {
  const replaced = substitute(inner, owner, args);
  return replaced === inner ? term : build(replaced);
}

function list(terms: readonly Term[], owner: string, args: readonly Term[]): readonly Term[] {
  let changed = false;
  const result = terms.map((term) => {
    const replaced = substitute(term, owner, args);
    if (replaced !== term) changed = true;
    return replaced;
  });
  return changed ? result : terms;
}

/** Keys of terms met before. Terms are shared, so an argument's key is made once. */
const keys = new WeakMap<object, string>();

/**
 * A text that two terms of one description share exactly when they are equal. Strings inside carry their length in
 * front, so that no local id can imitate structure. Keys hold their arguments' keys: for terms that are made by
 * substituting into each other again and again, a {@link TermTable} stays small where a key would not.
 */
export function termKey(term: Term): string {
  if (typeof term === "string") return term;
  let key = keys.get(term);
  if (key === undefined) {
    key = keyOf(term, termKey);
    keys.set(term, key);
  }
  return key;
}

/** The key of one node over the keys of the terms inside it. */
function keyOf(term: Exclude<Term, string>, inner: (term: Term) => string): string {
  if ("Named" in term) return `${counted(term.Named.declaration)}<${joined(term.Named.args, inner)}>`;
  if ("Param" in term) return `$${counted(term.Param.owner)}.${term.Param.index}`;
  if ("List" in term) return `[${inner(term.List)}]`;
  if ("Set" in term) return `{${inner(term.Set)}}`;
  if ("Option" in term) return `?${inner(term.Option)};`;
  if ("Task" in term) return `!${inner(term.Task)};`;
  if ("Dict" in term) return `{${inner(term.Dict[0])}:${inner(term.Dict[1])}}`;
  if ("Tuple" in term) return `(${joined(term.Tuple, inner)})`;
  return `^(${joined(term.Function.params, inner)})${inner(term.Function.result)}`;
}

function counted(text: string): string {
  return `${text.length}'${text}`;
}

function joined(terms: readonly Term[], inner: (term: Term) => string): string {
  let text = "";
  for (let i = 0; i < terms.length; i++) text += i === 0 ? inner(terms[i] as Term) : `,${inner(terms[i] as Term)}`;
  return text;
}

/**
 * Numbers for terms, equal exactly for equal ones. A term's number is found over the numbers of its parts, so a term of
 * any size costs one short text for each of its distinct nodes. One table serves one description.
 */
export class TermTable {
  private readonly numbers = new WeakMap<object, number>();
  private readonly known = new Map<string, number>();

  /** @param term Whose shared parts are best numbered before the whole: recursion is as deep as its unnumbered part. */
  number(term: Term): number {
    if (typeof term === "string") return this.byKey(term);
    let number = this.numbers.get(term);
    if (number === undefined) {
      number = this.byKey(keyOf(term, (inner) => String(this.number(inner))));
      this.numbers.set(term, number);
    }
    return number;
  }

  private byKey(key: string): number {
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.known.size;
      this.known.set(key, number);
    }
    return number;
  }
}
