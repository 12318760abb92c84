/** The graph, drawn: it is dragged, zoomed by wheel and keys, and its nodes are buttons that the arrow keys go between. */
import { el, svg } from "../dom.ts";
import { type Layout, type LayoutNode, layOut } from "./layout.ts";
import type { Graph, GraphNode } from "./model.ts";

const LINE = 16;
const CHARACTER = 7;
const WIDEST = 36;
const MOST_LINES = 8;
const ZOOM = 1.2;
const PAN = 40;

const KINDS: Readonly<Record<GraphNode["kind"], string>> = {
  tool: "Tool",
  record: "record",
  enum: "enum",
  host: "host type",
  nondata: "not data",
};

export class GraphView {
  readonly element: HTMLElement;
  private readonly onSelect: (node: GraphNode) => void;
  private readonly scene = svg("g");
  private readonly canvas = svg(
    "svg",
    { class: "graph-canvas", role: "group", "aria-label": "Declarations; arrow keys go between them" },
    this.scene,
  );
  private graph: Graph = { nodes: [], edges: [] };
  private layout: Layout | undefined;
  private moved: ReadonlySet<string> = new Set();
  private selected: string | undefined;
  private view = { x: 0, y: 0, scale: 1 };
  private untouched = true;

  constructor(onSelect: (node: GraphNode) => void) {
    this.onSelect = onSelect;
    const zoom = (label: string, text: string, act: () => void) => {
      const pressed = el("button", { type: "button", "aria-label": label }, text);
      pressed.addEventListener("click", act);
      return pressed;
    };
    const tools = el(
      "div",
      { class: "graph-tools", role: "toolbar", "aria-label": "The graph's size" },
      zoom("Larger", "+", () => this.zoom(ZOOM)),
      zoom("Smaller", "−", () => this.zoom(1 / ZOOM)),
      zoom("Fit all", "Fit", () => this.fit()),
    );
    this.element = el("div", { class: "graph" }, this.canvas, tools);
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.drag();
    new ResizeObserver(() => this.untouched && this.fit()).observe(this.element);
  }

  show(graph: Graph, moved: ReadonlySet<string>): void {
    this.graph = graph;
    this.moved = moved;
    const nodes = graph.nodes.map(sized);
    this.layout = layOut(nodes, graph.edges);
    const hadFocus = this.canvas.contains(document.activeElement);
    if (!graph.nodes.some(({ id }) => id === this.selected)) this.selected = graph.nodes[0]?.id;
    this.scene.replaceChildren(...this.edges(nodes), ...graph.nodes.map((node, i) => this.node(node, nodes[i] as LayoutNode)));
    if (hadFocus) this.focusSelected();
    if (this.untouched) this.fit();
  }

  private node(node: GraphNode, { width, height }: LayoutNode): SVGElement {
    const { x, y } = this.layout?.places.get(node.id) ?? { x: 0, y: 0 };
    const isMoved = this.moved.has(node.id);
    const lines = shownLines(node);
    const label = `${KINDS[node.kind]} ${node.title}${isMoved ? ", its fingerprint has moved" : ""}`;
    const text = (content: string, top: number, className: string): SVGElement => {
      const element = svg("text", { x: 10, y: top, class: className });
      element.textContent = content;
      return element;
    };
    const group = svg(
      "g",
      {
        class: `node node-${node.kind}${isMoved ? " moved" : ""}`,
        transform: `translate(${x} ${y})`,
        role: "button",
        "aria-label": label,
        "aria-pressed": String(node.id === this.selected),
        tabindex: node.id === this.selected ? 0 : -1,
      },
      svg("rect", { width, height, rx: 4 }),
      text(node.title, 18, "title"),
      ...lines.map((line, i) => text(line, 38 + i * LINE, "line")),
    );
    group.dataset["id"] = node.id;
    group.addEventListener("click", () => this.select(node.id));
    return group;
  }

  private edges(nodes: readonly LayoutNode[]): readonly SVGElement[] {
    const sizes = new Map(nodes.map((node) => [node.id, node]));
    return this.graph.edges.flatMap(({ from, to }) => {
      const [a, b] = [this.layout?.places.get(from), this.layout?.places.get(to)];
      const [one, two] = [sizes.get(from), sizes.get(to)];
      if (a === undefined || b === undefined || one === undefined || two === undefined) return [];
      const [x1, y1] = [a.x + one.width, a.y + one.height / 2];
      const [x2, y2] = [b.x, b.y + two.height / 2];
      // One that goes back, on a cycle, leaves below and comes in from above.
      const bend = x2 > x1 ? (x2 - x1) / 2 : 60;
      const isLit = from === this.selected || to === this.selected;
      return [svg("path", { class: isLit ? "edge lit" : "edge", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` })];
    });
  }

  private select(id: string): void {
    const node = this.graph.nodes.find((each) => each.id === id);
    if (node === undefined) return;
    this.selected = id;
    this.show(this.graph, this.moved);
    this.focusSelected();
    this.onSelect(node);
  }

  private focusSelected(): void {
    const element = [...this.scene.querySelectorAll<SVGElement>(".node")].find(({ dataset }) => dataset["id"] === this.selected);
    element?.focus({ preventScroll: true });
    this.bringIntoView();
  }

  private key(event: KeyboardEvent): void {
    const { key } = event;
    if (key === "+" || key === "-") this.zoom(key === "+" ? ZOOM : 1 / ZOOM);
    else if (key === "0") this.fit();
    else if (key === "Enter" || key === " ") this.select(this.selected ?? "");
    else if (key.startsWith("Arrow") && event.shiftKey) {
      this.pan(key === "ArrowLeft" ? PAN : key === "ArrowRight" ? -PAN : 0, key === "ArrowUp" ? PAN : key === "ArrowDown" ? -PAN : 0);
    } else if (key.startsWith("Arrow")) this.step(key);
    else return;
    event.preventDefault();
  }

  /** To the nearest node in a direction; what lies aside counts twice. */
  private step(key: string): void {
    const here = this.layout?.places.get(this.selected ?? "");
    if (here === undefined) return;
    let best: { readonly id: string; readonly away: number } | undefined;
    for (const [id, { x, y }] of this.layout?.places ?? []) {
      const [dx, dy] = [x - here.x, y - here.y];
      const [along, aside] = key === "ArrowLeft" || key === "ArrowRight" ? [dx, dy] : [dy, dx];
      const forward = key === "ArrowRight" || key === "ArrowDown" ? along : -along;
      if (forward <= 0) continue;
      const away = forward + 2 * Math.abs(aside);
      if (best === undefined || away < best.away) best = { id, away };
    }
    if (best !== undefined) this.select(best.id);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { left, top } = this.canvas.getBoundingClientRect();
    this.zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1, event.clientX - left, event.clientY - top);
  }

  private zoom(by: number, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2): void {
    const { view } = this;
    const scale = Math.min(3, Math.max(0.1, view.scale * by));
    const ratio = scale / view.scale;
    this.move({ x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio, scale });
  }

  private pan(dx: number, dy: number): void {
    this.move({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
  }

  private move(view: GraphView["view"]): void {
    this.untouched = false;
    this.view = view;
    this.scene.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
  }

  private fit(): void {
    const { width, height } = this.layout ?? { width: 1, height: 1 };
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0) return;
    const scale = Math.min(1, clientWidth / width, clientHeight / height);
    this.move({ x: (clientWidth - width * scale) / 2, y: Math.max(0, (clientHeight - height * scale) / 2), scale });
    this.untouched = true;
  }

  private bringIntoView(): void {
    const place = this.layout?.places.get(this.selected ?? "");
    if (place === undefined) return;
    const { x, y, scale } = this.view;
    const [left, top] = [place.x * scale + x, place.y * scale + y];
    const { clientWidth, clientHeight } = this.canvas;
    const dx = left < 8 ? 8 - left : left > clientWidth - 160 ? clientWidth - 160 - left : 0;
    const dy = top < 8 ? 8 - top : top > clientHeight - 60 ? clientHeight - 60 - top : 0;
    if ((dx !== 0 || dy !== 0) && !this.untouched) this.pan(dx, dy);
  }

  private drag(): void {
    let from: { readonly x: number; readonly y: number } | undefined;
    this.canvas.addEventListener("pointerdown", (event) => {
      if ((event.target as Element).closest(".node") !== null) return;
      from = { x: event.clientX, y: event.clientY };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (from === undefined) return;
      this.pan(event.clientX - from.x, event.clientY - from.y);
      from = { x: event.clientX, y: event.clientY };
    });
    this.canvas.addEventListener("lostpointercapture", () => {
      from = undefined;
    });
  }
}

function shownLines({ lines }: GraphNode): readonly string[] {
  const cut = (line: string) => (line.length <= WIDEST ? line : `${line.slice(0, WIDEST - 1)}…`);
  const rest = lines.length - MOST_LINES;
  return rest > 0 ? [...lines.slice(0, MOST_LINES - 1).map(cut), `and ${rest + 1} more`] : lines.map(cut);
}

function sized(node: GraphNode): LayoutNode {
  const lines = shownLines(node);
  const longest = Math.max(node.title.length + 2, ...lines.map((line) => line.length));
  return { id: node.id, width: longest * CHARACTER + 24, height: 28 + (lines.length === 0 ? 0 : lines.length * LINE + 8) };
}
