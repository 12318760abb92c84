/**
 * R22, second check: no recursion whose arguments grow at each turn.
 *
 * The parameter dependency graph has a node for each type parameter of each template. Where the body of a template
 * with parameter `A` names `D<..., t, ...>`, an edge leads from `A` to that parameter of `D`: a plain one where `t` is
 * `A` itself, an expansive one where `t` holds `A` further inside. A cycle with an expansive edge makes ever larger
 * instances (`T<A>` holding `T<List<A>>`); without one, the instances of a description are finitely many. A cycle runs
 * inside one strongly connected component, so Tarjan's algorithm decides it in linear time and nothing is expanded.
 *
 * An argument that is no bare parameter gets a node of its own between the parameters inside it and the parameter that
 * takes it; an argument nested in another argument leads to the outer one's node. Edges are then at most two for each
 * term. Drawn directly, a parameter under 127 nested Named terms would take 127.
 */
import { displayName } from "./display.ts";
import { pointer, refusal } from "./refuse.ts";
import type { Declarations, Term } from "./terms.ts";
import { innerTerms, memberTerms } from "./walk.ts";

const NONE = -1;

/**
 * @param at The pointer of the declarations map.
 * @throws FlowError `recursion`.
 */
export function checkExpansion(at: string, declarations: Declarations): void {
  const graph = new DependencyGraph(declarations);
  if (graph.expansive.length === 0) return;
  const component = components(graph.nodes, graph.from, graph.to);
  for (const edge of graph.expansive) {
    const from = graph.from[edge] as number;
    if (component[from] !== component[graph.to[edge] as number]) continue;
    const { id, index } = graph.parameter(from);
    const template = declarations.get(id);
    const name = template === undefined ? id : `${displayName(template)}<${template.generic.join(", ")}>`;
    throw refusal(
      "recursion",
      at + pointer([id]),
      `a recursion whose type arguments do not grow`,
      `${name}, whose parameter ${index + 1} does`,
    );
  }
}

class DependencyGraph {
  nodes = 0;
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Indices of expansive edges. Each starts at a parameter's node. */
  readonly expansive: number[] = [];
  /** The node of each template's first parameter. */
  private readonly first = new Map<string, number>();

  constructor(declarations: Declarations) {
    for (const [id, template] of declarations) {
      this.first.set(id, this.nodes);
      this.nodes += template.generic.length;
    }
    for (const [id, template] of declarations) {
      if (template.generic.length === 0) continue;
      const own = this.first.get(id) as number;
      for (const term of memberTerms(template)) this.term(term, own, NONE);
    }
  }

  /** Which parameter a node stands for. Only asked once something is refused. */
  parameter(node: number): { readonly id: string; readonly index: number } {
    let found = { id: "", index: 0 };
    for (const [id, first] of this.first) {
      if (first <= node) found = { id, index: node - first };
    }
    return found;
  }

  /** `inside` is the node of the innermost argument around the term. Recursion is as deep as the term. */
  private term(term: Term, own: number, inside: number): void {
    if (typeof term === "string") return;
    if ("Param" in term) {
      if (inside !== NONE) this.expansive.push(this.edge(own + term.Param.index, inside));
      return;
    }
    if (!("Named" in term)) {
      for (const inner of innerTerms(term)) this.term(inner, own, inside);
      return;
    }
    const target = this.first.get(term.Named.declaration) as number;
    for (const [i, arg] of term.Named.args.entries()) {
      if (typeof arg === "string") continue;
      if ("Param" in arg) {
        this.edge(own + arg.Param.index, target + i);
        this.term(arg, own, inside);
        continue;
      }
      const node = this.nodes++;
      this.edge(node, target + i);
      if (inside !== NONE) this.edge(node, inside);
      this.term(arg, own, node);
    }
  }

  private edge(from: number, to: number): number {
    this.from.push(from);
    return this.to.push(to) - 1;
  }
}

/** Strongly connected components (Tarjan), with a stack of its own: a chain of templates may be as long as they are many. */
function components(nodes: number, from: readonly number[], to: readonly number[]): Int32Array {
  const { start, next } = adjacency(nodes, from, to);
  const component = new Int32Array(nodes).fill(NONE);
  const order = new Int32Array(nodes).fill(NONE);
  const low = new Int32Array(nodes);
  const cursor = start.slice(0, nodes);
  const open: number[] = [];
  const calls: number[] = [];
  let counter = 0;
  for (let root = 0; root < nodes; root++) {
    if (order[root] !== NONE) continue;
    calls.push(root);
    while (calls.length > 0) {
      const node = calls[calls.length - 1] as number;
      if (order[node] === NONE) {
        order[node] = counter;
        low[node] = counter++;
        open.push(node);
      }
      let descended = false;
      while ((cursor[node] as number) < (start[node + 1] as number)) {
        const successor = next[cursor[node] as number] as number;
        if (order[successor] === NONE) {
          calls.push(successor);
          descended = true;
          break;
        }
        // A successor without a component is still open; one just returned from brings its low link along.
        if (component[successor] === NONE) low[node] = Math.min(low[node] as number, low[successor] as number);
        cursor[node] = (cursor[node] as number) + 1;
      }
      if (descended) continue;
      calls.pop();
      if (low[node] !== order[node]) continue;
      for (let member = NONE; member !== node; ) {
        member = open.pop() as number;
        component[member] = node;
      }
    }
  }
  return component;
}

/** Successors of node `n` stand in `next` from `start[n]` to `start[n + 1]`. */
function adjacency(nodes: number, from: readonly number[], to: readonly number[]): { start: Int32Array; next: Int32Array } {
  const start = new Int32Array(nodes + 1);
  for (const node of from) start[node + 1] = (start[node + 1] as number) + 1;
  for (let node = 0; node < nodes; node++) start[node + 1] = (start[node + 1] as number) + (start[node] as number);
  const fill = start.slice();
  const next = new Int32Array(from.length);
  for (let edge = 0; edge < from.length; edge++) {
    const node = from[edge] as number;
    next[fill[node] as number] = to[edge] as number;
    fill[node] = (fill[node] as number) + 1;
  }
  return { start, next };
}
