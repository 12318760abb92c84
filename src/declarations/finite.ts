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
import { components, postorder } from "./graph.ts";
import type { TypeSymbol } from "./names.ts";
import type { TermProgram } from "./templates.ts";

/** Of types that are recursive together, so many that grow are told. */
const MAX_GROWING = 50;

export function checkFinite({ declarations, symbols }: TermProgram): void {
  const graph = references(declarations);
  const refused = uninhabited(declarations, symbols, graph);
  for (const id of refused) refuse(symbols.get(id), "recursion", endlessMessage(declarations.get(id) as Template, declarations, refused));
  checkGrowth(declarations, symbols, graph);
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
function uninhabited(declarations: Declarations, symbols: TermProgram["symbols"], { ids, successors }: References): Set<string> {
  const asking = new Asking();
  for (const [id, template] of declarations) asking.set(id, template);
  asking.order = postorder(ids.length, (node) => successors[node] ?? []).map((node) => ids[node] as string);
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

interface References {
  readonly ids: readonly string[];
  readonly successors: readonly (readonly number[])[];
}

/** The graph of declarations by number: which declarations the members of each name. */
function references(declarations: Declarations): References {
  const ids = [...declarations.keys()];
  const numbers = new Map(ids.map((id, i) => [id, i]));
  const successors = ids.map((id) => {
    const found = new Set<number>();
    for (const term of memberTerms(declarations.get(id) as Template)) eachNamed(term, (named) => found.add(numbers.get(named) as number));
    return [...found];
  });
  return { ids, successors };
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

/**
 * The types whose arguments grow. A recursion runs inside one strongly connected part of the graph of declarations, so
 * each part is judged by itself; what it names outside of itself is there as a stub.
 */
function checkGrowth(declarations: Declarations, symbols: TermProgram["symbols"], { ids, successors }: References): void {
  const component = components(ids.length, (node) => successors[node] ?? []);
  const parts = new Map<number, number[]>();
  for (let node = 0; node < ids.length; node++) {
    const root = component[node] as number;
    const part = parts.get(root);
    if (part === undefined) parts.set(root, [node]);
    else part.push(node);
  }
  let found = 0;
  for (const [root, nodes] of parts) {
    // Without a way back there is no recursion.
    if (found >= MAX_FAULTS) return;
    if (nodes.length === 1 && !successors[root]?.includes(root)) continue;
    const part = new Map<string, Template>();
    for (const node of nodes) {
      for (const next of successors[node] ?? []) {
        const template = declarations.get(ids[next] as string) as Template;
        part.set(ids[next] as string, component[next] === root ? template : stub(template, []));
      }
    }
    found += growing(part, symbols);
  }
}

/** Refuses the types of one part that grow. Each is emptied once found, so that the next look finds another. */
function growing(part: Map<string, Template>, symbols: TermProgram["symbols"]): number {
  for (let found = 0; found < MAX_GROWING; found++) {
    try {
      checkExpansion("", part);
      return found;
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const id = String(caught.at).slice(1);
      const template = part.get(id) as Template;
      part.set(id, stub(template, []));
      const { name, generic } = template;
      const instance = quoteName(`${name}<${generic.join(", ")}>`);
      const message = `met the type ${quoteName(name)}, whose type arguments grow at each turn of its recursion; hold ${instance} itself, or a type without parameters`;
      refuse(symbols.get(id), "recursion", message);
    }
  }
  return MAX_GROWING;
}

function refuse(symbol: TypeSymbol | undefined, code: DeclarationCode, message: string): void {
  if (symbol?.declared === undefined) return;
  const { file, node } = symbol.declared;
  file.faults.add({ code, start: node.name.start, end: node.name.end, message, about: node.name.text });
}
