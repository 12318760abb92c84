/**
 * The names that types have in a schema (R18): the `$defs` key of each instance of a declaration, and the fragment by
 * which a `$ref` points to it.
 */

import { DEFAULT_LIMITS } from "../json/limits.ts";
import { escapeSegment } from "../json/pointer.ts";
import { compareCodePoints } from "../json/text.ts";
import { quoted, refusal } from "../types/refuse.ts";
import { TermTable } from "../types/substitute.ts";
import type { Declarations, Term } from "../types/terms.ts";
import { reachable } from "../types/walk.ts";

/** A declaration at some closed arguments. */
export interface Instance {
  readonly id: string;
  readonly args: readonly Term[];
  readonly key: string;
  /** The `$ref` to it. */
  readonly ref: string;
}

/** Longer keys could not be a member name of any document (R13). */
const MAX_KEY = DEFAULT_LIMITS.string;

export class Names {
  private readonly declarations: Declarations;
  private readonly identity: (identity: string) => string;
  private readonly generic: readonly string[];
  /** Identities that several templates share; empty nearly always. */
  private readonly shared: ReadonlyMap<string, readonly string[]>;
  private numbers: ReadonlyMap<string, number> = new Map();
  private table = new TermTable();
  private at = "";
  private readonly texts = new Map<number, string>();
  /** By local id and, below it, by the key: two instances of one declaration have the same key only if they are one. */
  private readonly instances = new Map<string, Instance>();

  constructor(declarations: Declarations, identity: (identity: string) => string, generic: readonly string[]) {
    this.declarations = declarations;
    this.identity = identity;
    this.generic = generic;
    const byIdentity = new Map<string, string[]>();
    for (const [id, template] of declarations) {
      const text = identity(template.identity);
      const ids = byIdentity.get(text);
      if (ids === undefined) byIdentity.set(text, [id]);
      else ids.push(id);
    }
    this.shared = new Map([...byIdentity].filter(([, ids]) => ids.length > 1));
  }

  /**
   * Turns to another root: where identities repeat, numbers are given among what this root reaches.
   * @param at The root's JSON Pointer, for errors.
   * @returns Whether earlier instances are void.
   */
  enter(root: Term, at: string): boolean {
    this.at = at;
    if (this.shared.size === 0) return false;
    const reached = reachable([root], this.declarations);
    const numbers = new Map<string, number>();
    for (const ids of this.shared.values()) {
      const present = ids.filter((id) => reached.has(id)).sort((a, b) => this.inLexicalOrder(a, b));
      for (const [i, id] of present.entries()) if (i > 0) numbers.set(id, i + 1);
    }
    this.numbers = numbers;
    this.instances.clear();
    this.texts.clear();
    this.table = new TermTable();
    return true;
  }

  /** By ordinal, then by the full identity (R21), so that two versions of one type keep two keys. */
  private inLexicalOrder(a: string, b: string): number {
    const x = this.declarations.get(a);
    const y = this.declarations.get(b);
    if (x === undefined || y === undefined) return 0;
    return x.lexical_ordinal - y.lexical_ordinal || compareCodePoints(x.identity, y.identity);
  }

  /** The one instance of a declaration at these closed arguments. @throws FlowError `conflict`, `bounds`. */
  instance(id: string, args: readonly Term[]): Instance {
    const key = this.named(id, args);
    const known = this.instances.get(key);
    if (known === undefined) {
      const made = { id, args, key, ref: `#/$defs/${fragment(escapeSegment(key))}` };
      this.instances.set(key, made);
      return made;
    }
    // Identities are free text. One that imitates an argument list or a number could make two types share a key.
    if (known.id === id && known.args.length === args.length && known.args.every((arg, i) => this.same(arg, args[i] as Term))) return known;
    throw refusal("conflict", this.at, "a $defs key of its own for each type", `two types with the key ${quoted(key)}`);
  }

  private same(a: Term, b: Term): boolean {
    return a === b || this.table.number(a) === this.table.number(b);
  }

  private named(id: string, args: readonly Term[]): string {
    const template = this.declarations.get(id);
    const number = this.numbers.get(id);
    const identity = this.identity(template?.identity ?? id) + (number === undefined ? "" : `#${number}`);
    if (args.length === 0) return identity;
    return this.bounded(`${identity}<${this.list(args)}>`);
  }

  /** How a term is written as an argument. Each distinct term is written once: arguments share their parts. */
  private argument(term: Term): string {
    if (typeof term === "string") return term;
    const number = this.table.number(term);
    let text = this.texts.get(number);
    if (text === undefined) {
      text = this.bounded(this.write(term));
      this.texts.set(number, text);
    }
    return text;
  }

  private write(term: Exclude<Term, string>): string {
    if ("Named" in term) return this.named(term.Named.declaration, term.Named.args);
    if ("Param" in term) return `$${this.generic[term.Param.index] ?? term.Param.index}`;
    if ("List" in term) return `List<${this.argument(term.List)}>`;
    if ("Set" in term) return `Set<${this.argument(term.Set)}>`;
    if ("Option" in term) return `Option<${this.argument(term.Option)}>`;
    if ("Task" in term) return `Task<${this.argument(term.Task)}>`;
    if ("Dict" in term) return `Dict<${this.list(term.Dict)}>`;
    if ("Tuple" in term) return `(${this.list(term.Tuple)})`;
    return `(${this.list(term.Function.params)})->${this.argument(term.Function.result)}`;
  }

  private list(terms: readonly Term[]): string {
    let text = "";
    for (let i = 0; i < terms.length; i++) {
      text += (i === 0 ? "" : ",") + this.argument(terms[i] as Term);
      this.bounded(text);
    }
    return text;
  }

  /** Concatenation shares its parts until a text is looked at, so judging each length keeps even doubling keys small. */
  private bounded(text: string): string {
    if (text.length <= MAX_KEY) return text;
    throw refusal("bounds", this.at, `$defs keys of at most ${MAX_KEY} characters`, "a type whose arguments take more");
  }
}

/** Percent-encodes what RFC 3986 does not allow in a fragment; a pointer's own `~0` and `~1` are allowed. */
function fragment(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]/gu, encodeURIComponent);
}
