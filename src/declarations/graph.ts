/** Two walks over a graph of numbered nodes, with stacks of their own: chains of declarations may be as long as a file. */

export type Successors = (node: number) => readonly number[];

/** Every node after those that it leads to, as far as cycles allow. */
export function postorder(count: number, successors: Successors): number[] {
  const seen = new Uint8Array(count);
  const order: number[] = [];
  const nodes: number[] = [];
  const cursors: number[] = [];
  for (let root = 0; root < count; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    nodes.push(root);
    cursors.push(0);
    while (nodes.length > 0) {
      const node = nodes[nodes.length - 1] as number;
      const cursor = cursors[cursors.length - 1] as number;
      const next = successors(node)[cursor];
      if (next === undefined) {
        order.push(node);
        nodes.pop();
        cursors.pop();
        continue;
      }
      cursors[cursors.length - 1] = cursor + 1;
      if (seen[next] === 1) continue;
      seen[next] = 1;
      nodes.push(next);
      cursors.push(0);
    }
  }
  return order;
}

/** A number for each node, the same for two nodes exactly when each leads to the other (Kosaraju). */
export function components(count: number, successors: Successors): Int32Array {
  const predecessors: number[][] = Array.from({ length: count }, () => []);
  for (let node = 0; node < count; node++) for (const next of successors(node)) (predecessors[next] as number[]).push(node);
  const component = new Int32Array(count).fill(-1);
  for (const root of postorder(count, successors).reverse()) {
    if (component[root] !== -1) continue;
    component[root] = root;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const before of predecessors[node] as number[]) {
        if (component[before] !== -1) continue;
        component[before] = root;
        open.push(before);
      }
    }
  }
  return component;
}
