/**
 * Resolved declarations as terms and templates (*Type descriptions*), with local ids in order of first reach (R34), and
 * with the place in the source that each term was written at.
 */

import { TOOL } from "../types/graph.ts";
import { BOUNDS } from "../types/shape.ts";
import type { Constructor, Declarations, Field, Parameter, Payload, Template, Term } from "../types/terms.ts";
import type { ResolvedProgram, Target, ToolSymbol, TypeSymbol } from "./names.ts";
import type { ProgramFile } from "./program.ts";
import type { FieldNode, NamedNode, PayloadNode, Span, TypeNode } from "./syntax.ts";

/** A Tool's roots, without what they reach. */
export interface ToolTerms {
  readonly symbol: ToolSymbol;
  readonly generic: readonly string[];
  readonly params: readonly Parameter[];
  readonly ok: Term;
  readonly err: Term;
}

export interface TermProgram {
  /** In the order of R34. */
  readonly tools: readonly ToolTerms[];
  /** Every declared type of the program and std's `Result`, reached or not. */
  readonly declarations: Declarations;
  /** The declared types by local id. */
  readonly symbols: ReadonlyMap<string, TypeSymbol>;
  /** Where a term that is an object was written. */
  readonly places: ReadonlyMap<object, Span>;
}

/** Stands for what was refused: it has values, an order, and may cross, so that it is refused only once. */
const PLACEHOLDER: Term = "Int";

export function buildTerms(program: ResolvedProgram): TermProgram {
  const symbols = numberTypes(program);
  const builder = new Builder(program);
  const declarations = new Map<string, Template>();
  for (const [id, symbol] of symbols) declarations.set(id, builder.template(symbol));
  const tools = program.tools.map((symbol) => builder.tool(symbol));
  return { tools, declarations, symbols, places: builder.places };
}

/**
 * Local ids in order of first reach, depth first: for each Tool its params, ok and err; for each Named term the
 * declaration itself, then its arguments, then its members (R34). Types that no Tool reaches come after all of these.
 */
function numberTypes({ tools, types, result, targets }: ResolvedProgram): Map<string, TypeSymbol> {
  const symbols = new Map<string, TypeSymbol>();
  const open: TypeNode[] = [];
  const number = (symbol: TypeSymbol): void => {
    symbol.id = `t${symbols.size + 1}`;
    symbols.set(symbol.id, symbol);
  };
  const walk = (): void => {
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const target = node.kind === "named" ? targets.get(node) : undefined;
      // What is pushed last comes first: arguments before members.
      if (target?.kind === "type" && target.symbol.id === "") {
        number(target.symbol);
        pushReversed(open, memberTypes(target.symbol));
      }
      pushReversed(open, innerTypes(node));
    }
  };
  for (const { node } of tools) {
    for (const { type } of node.params) {
      open.push(type);
      walk();
    }
    // The Result around a Tool's roots is no term.
    if (node.result !== undefined) pushReversed(open, innerTypes(node.result));
    walk();
  }
  for (const symbol of [...types, result]) if (symbol.id === "") number(symbol);
  return symbols;
}

function pushReversed(open: TypeNode[], nodes: readonly TypeNode[]): void {
  for (let i = nodes.length - 1; i >= 0; i--) open.push(nodes[i] as TypeNode);
}

function innerTypes(node: TypeNode): readonly TypeNode[] {
  if (node.kind === "named") return node.args;
  return node.kind === "tuple" ? node.parts : [...node.params, node.result];
}

function memberTypes({ declared }: TypeSymbol): readonly TypeNode[] {
  const body = declared?.node.body;
  if (body?.kind === "record") return body.fields.map((field) => field.type);
  if (body?.kind !== "enum") return [];
  return body.constructors.flatMap(({ payload }) => {
    if (payload === null) return [];
    return "named" in payload ? payload.named.map((field) => field.type) : payload.positional;
  });
}

class Builder {
  readonly places: Map<object, Span> = new Map();
  private readonly targets: ReadonlyMap<NamedNode, Target>;
  private owner = TOOL;
  private file: ProgramFile | undefined;

  constructor(program: ResolvedProgram) {
    this.targets = program.targets;
  }

  tool(symbol: ToolSymbol): ToolTerms {
    const { node, file } = symbol;
    this.owner = TOOL;
    this.file = file;
    const params = node.params.map(({ name, type }) => ({ name: name.text, type: this.term(type, 1) }));
    const { result } = node;
    const [ok, err] = result?.kind === "named" ? result.args : [];
    const root = (type: TypeNode | undefined): Term => (type === undefined ? PLACEHOLDER : this.term(type, 1));
    return { symbol, generic: node.generic.map((name) => name.text), params, ok: root(ok), err: root(err) };
  }

  template({ id, identity, declared }: TypeSymbol): Template {
    // The file of a source has each name once, so the ordinal is 1 (R23).
    const common = { identity, lexical_ordinal: 1 };
    if (declared === undefined) return { ...common, ...stdResult(id) };
    const { node, file } = declared;
    this.owner = id;
    this.file = file;
    const generic = node.generic.map((name) => name.text);
    const head = { name: node.name.text, ...common, generic, opaque: node.isOpaque, doc: node.doc };
    // A body that could not be read says nothing about what the type holds.
    if (node.isBroken) return { ...head, kind: "record", fields: [] };
    const { body } = node;
    if (body.kind === "host") return { ...head, kind: "host" };
    if (body.kind === "record") return { ...head, kind: "record", fields: this.fields(body.fields) };
    const constructors = body.constructors.map(
      ({ name, doc, payload }): Constructor => ({ name: name.text, doc, payload: this.payload(payload) }),
    );
    return { ...head, kind: "enum", constructors };
  }

  private fields(fields: readonly FieldNode[]): Field[] {
    return fields.map(({ name, type, doc }) => ({ name: name.text, type: this.term(type, 1), doc }));
  }

  private payload(payload: PayloadNode): Payload {
    if (payload === null) return null;
    if ("named" in payload) return { named: this.fields(payload.named) };
    return { positional: payload.positional.map((type) => this.term(type, 1)) };
  }

  /** Recursion is as deep as the type, which the parser bounded. */
  private term(node: TypeNode, depth: number): Term {
    if (depth === BOUNDS.depth + 1) {
      const message = `expected a type at most ${BOUNDS.depth} levels deep (R24); name its inner parts`;
      this.file?.faults.add({ code: "bounds", start: node.start, end: node.start + 1, message, about: "" });
    }
    const term = this.build(node, depth);
    if (typeof term !== "string") this.places.set(term, node.kind === "named" ? node.name : { start: node.start, end: node.end });
    return term;
  }

  private build(node: TypeNode, depth: number): Term {
    if (node.kind === "tuple") {
      const parts = node.parts.map((part) => this.term(part, depth + 1));
      return parts.length < 2 ? PLACEHOLDER : { Tuple: parts };
    }
    if (node.kind === "function") {
      const params = node.params.map((param) => this.term(param, depth + 1));
      return { Function: { params, result: this.term(node.result, depth + 1) } };
    }
    const target = this.targets.get(node);
    const arg = (index: number): Term => {
      const inner = node.args[index];
      return inner === undefined ? PLACEHOLDER : this.term(inner, depth + 1);
    };
    if (target === undefined) return PLACEHOLDER;
    switch (target.kind) {
      case "primitive":
        return target.term;
      case "parameter":
        return { Param: { owner: this.owner, index: target.index } };
      case "type": {
        const count = target.symbol.declared?.node.generic.length ?? 2;
        return { Named: { declaration: target.symbol.id, args: Array.from({ length: count }, (_, i) => arg(i)) } };
      }
    }
    switch (target.name) {
      case "List":
        return { List: arg(0) };
      case "Set":
        return { Set: arg(0) };
      case "Option":
        return { Option: arg(0) };
      case "Task":
        return { Task: arg(0) };
      case "Dict":
        return { Dict: [arg(0), arg(1)] };
    }
  }
}

/** The one std declaration (R20). */
function stdResult(id: string): Omit<Extract<Template, { readonly kind: "enum" }>, "identity" | "lexical_ordinal"> {
  const part = (name: string, index: number): Constructor => ({
    name,
    doc: null,
    payload: { positional: [{ Param: { owner: id, index } }] },
  });
  return { name: "Result", generic: ["T", "E"], opaque: false, doc: null, kind: "enum", constructors: [part("Ok", 0), part("Err", 1)] };
}
