/** Two panes side by side and the line between them, which can be dragged and moved by arrow keys. Narrow pages stack them. */
import { el } from "./dom.ts";
import { recall, remember } from "./memory.ts";

const LEAST = 25;
const MOST = 75;
const STEP = 2;

export interface PanesOptions {
  /** Under which the split is remembered. */
  readonly name: string;
  /** How much of the width the left pane has at first, in percent. */
  readonly split: number;
}

export function panes(left: HTMLElement, right: HTMLElement, { name, split }: PanesOptions): HTMLElement {
  const line = el("div", {
    class: "divider",
    role: "separator",
    tabindex: 0,
    "aria-label": "Width of the left pane",
    "aria-orientation": "vertical",
    "aria-valuemin": LEAST,
    "aria-valuemax": MOST,
  });
  const element = el("div", { class: "panes" }, left, line, right);
  const key = `split.${name}`;
  let now = split;
  const set = (percent: number): void => {
    if (!Number.isFinite(percent)) return;
    now = Math.min(MOST, Math.max(LEAST, Math.round(percent)));
    element.style.setProperty("--split", `${now}%`);
    line.setAttribute("aria-valuenow", String(now));
  };
  const keep = (): void => remember(key, String(now));
  set(Number(recall(key) ?? split));

  line.addEventListener("keydown", (event) => {
    const targets: Readonly<Record<string, number>> = { ArrowLeft: now - STEP, ArrowRight: now + STEP, Home: LEAST, End: MOST };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    set(target);
    keep();
  });
  line.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    line.setPointerCapture(event.pointerId);
  });
  line.addEventListener("pointermove", (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const { left: start, width } = element.getBoundingClientRect();
    set(((event.clientX - start) / width) * 100);
  });
  line.addEventListener("lostpointercapture", keep);
  line.addEventListener("dblclick", () => {
    set(split);
    keep();
  });
  return element;
}
