/**
 * Finding out before any evaluation which results must be remembered. *The work meter* charges a pair of a schema and
 * an instance pointer once, however many ways lead to it. Ways can only meet again at a definition: two references to
 * it, both evaluated at one place. Everywhere else each pair is met once by construction, and remembering it would
 * cost time for nothing.
 */
import type { SchemaNode } from "./node.ts";

/** Past this many steps the search ends, and every definition that is referred to twice is remembered. */
const MOST_STEPS = 200_000;

/** Where below its own value a node evaluates another: a member, all members but some, or a range of items. */
type Step = { readonly node: SchemaNode } & (
  | { readonly member: string }
  | { readonly except: ReadonlyMap<string, unknown> | undefined }
  | { readonly from: number; readonly to: number }
);

/**
 * Sets `remembered` and `placed` on the nodes of a graph.
 * @param tops The definitions, each behind those it refers to, and the roots.
 * @param roots The nodes that an evaluation starts from.
 */
export function planMemory(tops: readonly SchemaNode[], roots: readonly SchemaNode[]): void {
  const references = new Map<SchemaNode, number>();
  for (const top of tops) {
    for (const node of nodesOf(top)) if (node.ref !== undefined) references.set(node.ref, (references.get(node.ref) ?? 0) + 1);
  }
  const shared = new Set<SchemaNode>();
  for (const [target, count] of references) if (count > 1) shared.add(target);
  if (shared.size === 0) return;
  const leading = nodesLeadingTo(tops, shared);
  for (const target of metTwice(roots, shared, leading) ?? shared) target.remembered = true;
  for (const node of nodesLeadingTo(tops, new Set([...shared].filter((target) => target.remembered)))) node.placed = true;
}

/** A node and those that stand inside it; references are not followed. */
function* nodesOf(top: SchemaNode): Iterable<SchemaNode> {
  const stack = [top];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    for (const child of node.inPlace()) if (child !== node.ref) stack.push(child);
    for (const child of node.below()) stack.push(child);
  }
}

/** The nodes whose evaluation can come to one of the targets, the targets themselves included. */
function nodesLeadingTo(tops: readonly SchemaNode[], targets: ReadonlySet<SchemaNode>): ReadonlySet<SchemaNode> {
  const leading = new Set<SchemaNode>();
  const visit = (node: SchemaNode): boolean => {
    let leads = targets.has(node) || (node.ref !== undefined && leading.has(node.ref));
    for (const child of node.inPlace()) if (child !== node.ref && visit(child)) leads = true;
    for (const child of node.below()) if (visit(child)) leads = true;
    if (leads) leading.add(node);
    return leads;
  };
  for (const top of tops) visit(top);
  return leading;
}

/**
 * The targets that two references can reach at one place, by following all pairs of nodes that may be evaluated at the
 * same place; `undefined` where that takes too long.
 */
function metTwice(
  roots: readonly SchemaNode[],
  shared: ReadonlySet<SchemaNode>,
  leading: ReadonlySet<SchemaNode>,
): ReadonlySet<SchemaNode> | undefined {
  const met = new Set<SchemaNode>();
  const seen = new Set<number>();
  const open: [SchemaNode, SchemaNode][] = [];
  let steps = 0;
  const add = (a: SchemaNode, b: SchemaNode): void => {
    steps++;
    const key = a.index < b.index ? a.index * 65_536 + b.index : b.index * 65_536 + a.index;
    if (seen.has(key)) return;
    seen.add(key);
    open.push([a, b]);
    if (a !== b && a.ref !== undefined && a.ref === b.ref && shared.has(a.ref)) met.add(a.ref);
  };
  const stepsOf = new Map<SchemaNode, readonly Step[]>();
  const below = (node: SchemaNode): readonly Step[] => {
    let list = stepsOf.get(node);
    if (list === undefined) {
      list = stepsBelow(node).filter((step) => leading.has(step.node));
      stepsOf.set(node, list);
    }
    return list;
  };
  for (const root of roots) if (leading.has(root)) add(root, root);
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    for (const child of a.inPlace()) if (leading.has(child)) add(child, b);
    if (a !== b) for (const child of b.inPlace()) if (leading.has(child)) add(a, child);
    for (const one of below(a)) {
      for (const other of below(b)) {
        if (meet(one, other)) add(one.node, other.node);
        if (++steps > MOST_STEPS) return undefined;
      }
    }
    if (steps > MOST_STEPS) return undefined;
  }
  return met;
}

function stepsBelow(node: SchemaNode): readonly Step[] {
  const steps: Step[] = [];
  if (node.properties !== undefined) for (const [member, child] of node.properties) steps.push({ node: child, member });
  if (node.additionalProperties !== undefined) steps.push({ node: node.additionalProperties, except: node.properties });
  for (const [i, child] of (node.prefixItems ?? []).entries()) steps.push({ node: child, from: i, to: i });
  if (node.items !== undefined) steps.push({ node: node.items, from: node.prefixItems?.length ?? 0, to: Number.POSITIVE_INFINITY });
  if (node.contains !== undefined) steps.push({ node: node.contains, from: 0, to: Number.POSITIVE_INFINITY });
  return steps;
}

/** Whether two steps from one place can lead to the same place. */
function meet(a: Step, b: Step): boolean {
  if ("from" in a) return "from" in b && a.from <= b.to && b.from <= a.to;
  if ("from" in b) return false;
  if ("member" in a) return "member" in b ? a.member === b.member : b.except?.has(a.member) !== true;
  return "member" in b ? a.except?.has(b.member) !== true : true;
}
