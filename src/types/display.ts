/** How a declaration is called in a sentence for people. It identifies nothing: two declarations may share it. */
import type { Declarations, Template, Term } from "./terms.ts";
import { innerTerms } from "./walk.ts";

/**
 * The short name of a declaration: the base name of its file without `.flow`, a point, its name.
 * `github.com/acme/docs@1.2.0/document.flow.Document` becomes `document.Document`.
 * An identity of another form (nothing obliges a description to keep to one) leaves the bare name.
 */
export function displayName(template: Pick<Template, "name" | "identity">): string {
  const { name, identity } = template;
  const ending = `.flow.${name}`;
  if (!identity.endsWith(ending)) return name;
  const file = identity.slice(identity.lastIndexOf("/", identity.length - ending.length) + 1, -ending.length);
  return file === "" ? name : `${file}.${name}`;
}

/** Longer terms are cut: a sentence names a type, it does not describe it. */
const MAX_TERM = 120;

/**
 * A term in a sentence, as Flow would write it: `List<document.Document>`, `(Int, Text)`, `() -> T`.
 * @param params How a Param reads; by default by its place among its owner's parameters.
 */
export function displayTerm(
  term: Term,
  declarations: Declarations,
  params: (index: number) => string = (index) => `parameter ${index + 1}`,
): string {
  const text = new TermText(declarations, params).term(term);
  return text.length <= MAX_TERM ? text : `${text.slice(0, MAX_TERM - 3)}...`;
}

class TermText {
  private readonly declarations: Declarations;
  private readonly params: (index: number) => string;
  /** What is cut off is not written either. */
  private budget = MAX_TERM;

  constructor(declarations: Declarations, params: (index: number) => string) {
    this.declarations = declarations;
    this.params = params;
  }

  term(term: Term): string {
    if (this.budget-- < 0) return "...";
    if (typeof term === "string") return term;
    if ("Param" in term) return this.params(term.Param.index);
    if ("Named" in term) {
      const template = this.declarations.get(term.Named.declaration);
      const name = template === undefined ? term.Named.declaration : displayName(template);
      return term.Named.args.length === 0 ? name : `${name}<${this.list(term.Named.args)}>`;
    }
    if ("Tuple" in term) return `(${this.list(term.Tuple)})`;
    if ("Function" in term) return `(${this.list(term.Function.params)}) -> ${this.term(term.Function.result)}`;
    return `${Object.keys(term)[0]}<${this.list(innerTerms(term))}>`;
  }

  private list(terms: readonly Term[]): string {
    return terms.map((term) => this.term(term)).join(", ");
  }
}
