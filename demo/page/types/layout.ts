/** A layered layout of a directed graph: what uses stands to the left of what is used, and edges cross as little as a few sweeps can do. */

export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Placed {
  readonly x: number;
  readonly y: number;
  readonly layer: number;
}

export interface Layout {
  readonly places: ReadonlyMap<string, Placed>;
  readonly width: number;
  readonly height: number;
}

const LAYER_GAP = 64;
const ROW_GAP = 24;
const MARGIN = 16;
const SWEEPS = 8;

export function layOut(nodes: readonly LayoutNode[], edges: readonly Edge[]): Layout {
  const layers = layersOf(nodes, edges);
  const columns: string[][] = [];
  for (const { id } of nodes) {
    const layer = layers.get(id) ?? 0;
    columns[layer] ??= [];
    (columns[layer] as string[]).push(id);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) order(columns, edges, sweep % 2 === 0);
  return place(columns, new Map(nodes.map((node) => [node.id, node])));
}

/** The longest way from a node that nothing uses; what stands on a cycle goes by the way that was found first. */
function layersOf(nodes: readonly LayoutNode[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const uses = new Map<string, string[]>();
  for (const { from, to } of edges) uses.set(from, [...(uses.get(from) ?? []), to]);
  const forward = withoutCycles(nodes, uses);
  const layers = new Map(nodes.map(({ id }) => [id, 0]));
  for (let changed = true, turns = 0; changed && turns <= nodes.length; turns++) {
    changed = false;
    for (const { from, to } of forward) {
      const wanted = (layers.get(from) ?? 0) + 1;
      if ((layers.get(to) ?? 0) >= wanted) continue;
      layers.set(to, wanted);
      changed = true;
    }
  }
  return layers;
}

/** The edges that do not close a cycle, in a search that starts at each node in turn. */
function withoutCycles(nodes: readonly LayoutNode[], uses: ReadonlyMap<string, readonly string[]>): readonly Edge[] {
  const forward: Edge[] = [];
  const open = new Set<string>();
  const done = new Set<string>();
  for (const { id } of nodes) {
    // By hand, since declarations may be chained more deeply than the stack allows.
    const stack: { id: string; next: number }[] = done.has(id) ? [] : [{ id, next: 0 }];
    if (stack.length > 0) open.add(id);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const to = uses.get(top.id)?.[top.next++];
      if (to === undefined) {
        open.delete(top.id);
        done.add(top.id);
        stack.pop();
        continue;
      }
      if (open.has(to)) continue;
      forward.push({ from: top.id, to });
      if (done.has(to)) continue;
      open.add(to);
      stack.push({ id: to, next: 0 });
    }
  }
  return forward;
}

/** Sorts each column by the middle of what its nodes are joined to in the column before it, or behind it. */
function order(columns: string[][], edges: readonly Edge[], forwards: boolean): void {
  const rows = new Map<string, number>();
  for (const column of columns) {
    column?.forEach((id, row) => {
      rows.set(id, row);
    });
  }
  const joined = new Map<string, number[]>();
  for (const { from, to } of edges) {
    const [node, other] = forwards ? [to, from] : [from, to];
    joined.set(node, [...(joined.get(node) ?? []), rows.get(other) ?? 0]);
  }
  const middle = (id: string): number => {
    const list = joined.get(id);
    return list === undefined ? (rows.get(id) ?? 0) : list.reduce((sum, row) => sum + row, 0) / list.length;
  };
  for (const column of columns) column?.sort((a, b) => middle(a) - middle(b));
}

function place(columns: readonly (readonly string[] | undefined)[], nodes: ReadonlyMap<string, LayoutNode>): Layout {
  const heights = columns.map((column = []) => column.reduce((sum, id) => sum + (nodes.get(id)?.height ?? 0) + ROW_GAP, -ROW_GAP));
  const height = Math.max(0, ...heights);
  const places = new Map<string, Placed>();
  let x = MARGIN;
  columns.forEach((column = [], layer) => {
    let y = MARGIN + (height - (heights[layer] as number)) / 2;
    for (const id of column) {
      places.set(id, { x, y, layer });
      y += (nodes.get(id)?.height ?? 0) + ROW_GAP;
    }
    x += Math.max(0, ...column.map((id) => nodes.get(id)?.width ?? 0)) + LAYER_GAP;
  });
  return { places, width: x - LAYER_GAP + MARGIN, height: height + 2 * MARGIN };
}
