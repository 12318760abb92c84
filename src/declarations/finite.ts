/**
 * R22 for every declared type: each can have a finite value, and no recursion grows its arguments. The checks are those
 * of the types room, which stop at the first type they refuse; here every one is told, each at its own name.
 */
import { isFlowError } from "../json/errors.ts";
import { checkExpansion } from "../types/expansion.ts";
import { checkInhabited } from "../types/inhabited.ts";
import type { Declarations, Field, Template, Term } from "../types/terms.ts";
import { innerTerms, memberTerms } from "../types/walk.ts";
import type { DeclarationCode } from "./codes.ts";
import { quoteName } from "./cursor.ts";
import { MAX_FAULTS } from "./diagnostic.ts";
import { postorder } from "./graph.ts";
import type { TypeSymbol } from "./names.ts";
import type { TermProgram } from "./templates.ts";

/** A program with more types that grow than this is told of these. */
const MAX_GROWING = 50;

export function checkFinite({ declarations, symbols }: TermProgram): void {
  const refused = uninhabited(declarations, symbols);
  for (const id of refused) refuse(symbols.get(id), "recursion", endlessMessage(declarations.get(id) as Template, declarations, refused));
  checkGrowth(declarations, symbols);
}

/** A map whose iteration gives only the templates that are asked about; looking up finds all. */
class Asking extends Map<string, Template> {
  order: readonly string[] = [];
  from = 0;
  to = 0;

  override *[Symbol.iterator](): MapIterator<[string, Template]> {
    for (let i = this.from; i < this.to; i++) {
      const id = this.order[i] as string;
      yield [id, this.get(id) as Template];
    }
  }
}

/**
 * The types that can have no finite value. Each is asked about after those that its members name, and once it is judged
 * it is replaced by the shortest type of the same answer: the types that depend on it then cost one look, and the whole
 * is about as much work as a single check.
 */
function uninhabited(declarations: Declarations, symbols: TermProgram["symbols"]): Set<string> {
  const asking = new Asking();
  for (const [id, template] of declarations) asking.set(id, template);
  asking.order = dependenciesFirst(declarations);
  const { order } = asking;
  const refused = new Set<string>();
  let isSingle = false;
  while (asking.from < order.length && refused.size < MAX_FAULTS) {
    asking.to = isSingle ? asking.from + 1 : order.length;
    const outcome = firstRefused(asking);
    if (outcome?.code === "bounds") {
      if (isSingle) {
        const message = "met type arguments that change places too often to be judged; name the instances";
        refuse(symbols.get(order[asking.from] as string), "bounds", message);
        break;
      }
      // Which type was too much work is known once they are asked about one by one.
      isSingle = true;
      continue;
    }
    const end = outcome === undefined ? asking.to : order.indexOf(outcome.id, asking.from);
    for (; asking.from < end; asking.from++) {
      const id = order[asking.from] as string;
      // What a generic type's arguments say still matters.
      if (asking.get(id)?.generic.length === 0) asking.set(id, stub(asking.get(id) as Template, []));
    }
    if (outcome === undefined) continue;
    refused.add(outcome.id);
    asking.set(outcome.id, endless(outcome.id, asking.get(outcome.id) as Template));
    asking.from++;
  }
  return refused;
}

function firstRefused(declarations: Declarations): { readonly code: string; readonly id: string } | undefined {
  try {
    checkInhabited("", declarations);
    return undefined;
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    return { code: caught.code, id: String(caught.at).slice(1) };
  }
}

/** A record that holds itself, with the type parameters of the template it stands for. */
function endless(id: string, template: Template): Template {
  const args = template.generic.map((_, index): Term => ({ Param: { owner: id, index } }));
  return stub(template, [{ name: "self", doc: null, type: { Named: { declaration: id, args } } }]);
}

function stub({ name, identity, lexical_ordinal, generic }: Template, fields: readonly Field[]): Template {
  return { name, identity, lexical_ordinal, generic, opaque: false, doc: null, kind: "record", fields };
}

function dependenciesFirst(declarations: Declarations): string[] {
  const ids = [...declarations.keys()];
  const numbers = new Map(ids.map((id, i) => [id, i]));
  const successors = ids.map((id) => {
    const found = new Set<number>();
    for (const term of memberTerms(declarations.get(id) as Template)) eachNamed(term, (named) => found.add(numbers.get(named) as number));
    return [...found];
  });
  return postorder(ids.length, (node) => successors[node] ?? []).map((node) => ids[node] as string);
}

/** Recursion is as deep as the term. */
function eachNamed(term: Term, visit: (id: string) => void): void {
  if (typeof term === "string") return;
  if ("Named" in term) visit(term.Named.declaration);
  for (const inner of innerTerms(term)) eachNamed(inner, visit);
}

function endlessMessage(template: Template, declarations: Declarations, refused: ReadonlySet<string>): string {
  const name = quoteName(template.name);
  if (template.kind !== "record") {
    return `met the type ${name}, which can have no finite value: each of its constructors holds a value that needs another one first; add a constructor that does not`;
  }
  for (const field of template.fields) {
    const needs = neededOf(field.type, refused);
    if (needs === undefined) continue;
    const what = quoteName(declarations.get(needs)?.name ?? template.name);
    return `met the type ${name}, which can have no finite value: its field ${quoteName(field.name)} needs a value of ${what} first; make the field an \`Option\` or a \`List\``;
  }
  return `met the type ${name}, which can have no finite value; make the field that leads back to it an \`Option\` or a \`List\``;
}

/** A type without a finite value that a term holds directly or as an argument. */
function neededOf(term: Term, refused: ReadonlySet<string>): string | undefined {
  if (typeof term === "string" || !("Named" in term || "Tuple" in term)) return undefined;
  if ("Named" in term && refused.has(term.Named.declaration)) return term.Named.declaration;
  for (const inner of innerTerms(term)) {
    const found = neededOf(inner, refused);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Each type found to grow is emptied, so that the next look finds another. */
function checkGrowth(declarations: Declarations, symbols: TermProgram["symbols"]): void {
  const rest = new Map(declarations);
  for (let found = 0; found < MAX_GROWING; found++) {
    try {
      checkExpansion("", rest);
      return;
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const id = String(caught.at).slice(1);
      const template = rest.get(id) as Template;
      const { name, generic } = template;
      rest.set(id, stub(template, []));
      const instance = quoteName(`${name}<${generic.join(", ")}>`);
      const message = `met the type ${quoteName(name)}, whose type arguments grow at each turn of its recursion; hold ${instance} itself, or a type without parameters`;
      refuse(symbols.get(id), "recursion", message);
    }
  }
}

function refuse(symbol: TypeSymbol | undefined, code: DeclarationCode, message: string): void {
  if (symbol?.declared === undefined) return;
  const { file, node } = symbol.declared;
  file.faults.add({ code, start: node.name.start, end: node.name.end, message, about: node.name.text });
}
