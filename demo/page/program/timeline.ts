/**
 * The timeline of a run. It is drawn on a canvas, since 5,000 calls are 5,000 elements otherwise; to the keyboard and to those who
 * listen it is a slider over the calls, which says each of them in words.
 */
import { el } from "../dom.ts";
import { toolName } from "../notation.ts";
import type { Call, RunModel } from "./model.ts";
import { callAt, heightOf, laneTops, type Palette, paint, paletteOf, ROW, type Window } from "./paint.ts";

/** Time that is drawn beyond the last event, so that the last word has its room. */
const AFTER = 1.12;
const LEAST_MS = 5;
/** The finest that a zoom goes, as a part of the whole. */
const FINEST = 1 / 4096;

export class Timeline {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly slider: HTMLElement;
  private readonly labels = el("div", { class: "lane-labels", "aria-hidden": "true" });
  private readonly hover = el("div", { class: "lane-hover", "aria-hidden": "true" });
  private readonly onSelect: (call: Call) => void;
  private model: RunModel;
  private selected: Call | undefined;
  private diverged: Call | undefined;
  private palette: Palette | undefined;
  private frame = 0;
  private width = 0;
  private zoom = 1;
  private laned = "";

  constructor(model: RunModel, onSelect: (call: Call) => void) {
    this.model = model;
    this.onSelect = onSelect;
    this.slider = el("div", { class: "lanes", role: "slider", tabindex: 0, "aria-label": "Calls", "aria-orientation": "horizontal" });
    this.slider.append(this.canvas, this.labels, this.hover);
    this.element = el("div", { class: "timeline" }, this.slider);
    this.slider.addEventListener("keydown", (event) => this.key(event));
    this.slider.addEventListener("click", (event) => this.select(this.at(event)));
    this.slider.addEventListener("pointermove", (event) => this.point(event));
    this.slider.addEventListener("pointerleave", () => this.hover.replaceChildren());
    new ResizeObserver(([entry]) => {
      this.width = Math.floor(entry?.contentRect.width ?? 0);
      this.draw();
    }).observe(this.slider);
    const recolour = () => {
      this.palette = undefined;
      this.draw();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
    new MutationObserver(recolour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.announce();
  }

  focus(): void {
    this.slider.focus({ preventScroll: true });
  }

  show(model: RunModel): void {
    this.model = model;
    this.selected = undefined;
    this.diverged = undefined;
    this.zoom = 1;
    this.announce();
    this.draw();
  }

  /** The first call that a replay made otherwise. */
  markDivergence(call: Call | undefined): void {
    this.diverged = call;
    this.draw();
  }

  select(call: Call | undefined): void {
    if (call === undefined) return;
    this.selected = call;
    this.announce();
    this.draw();
    this.onSelect(call);
  }

  /** Draws with the next frame, and with every frame while a call is out. */
  draw(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
      if (this.model.isOpen && this.element.isConnected) this.draw();
    });
  }

  /** Says what is selected, in words. */
  announce(): void {
    const { calls } = this.model;
    const { slider, selected } = this;
    slider.setAttribute("aria-valuemin", calls.length === 0 ? "0" : "1");
    slider.setAttribute("aria-valuemax", String(calls.length));
    slider.setAttribute("aria-valuenow", String(selected === undefined ? 0 : selected.index + 1));
    slider.setAttribute("aria-valuetext", selected === undefined ? `${calls.length} calls, none selected` : inWords(selected));
  }

  private paint(): void {
    if (this.width === 0 || !this.element.isConnected) return;
    this.palette ??= paletteOf(this.element);
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const height = heightOf(this.model);
    const ratio = devicePixelRatio;
    if (this.canvas.width !== Math.round(this.width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.inlineSize = `${this.width}px`;
      this.canvas.style.blockSize = `${height}px`;
    }
    paint(context, this.model, this.view(), this.palette, { now: this.now(), selected: this.selected, diverged: this.diverged });
    this.lanes();
  }

  /** Names of the lanes, as text over the canvas. */
  private lanes(): void {
    const tops = laneTops(this.model);
    const key = JSON.stringify([this.model.lanes, tops]);
    if (key === this.laned) return;
    this.laned = key;
    this.labels.replaceChildren(
      ...this.model.lanes.map((tool, i) => {
        const { file, name } = toolName(tool);
        const label = el("span", {}, `${file}.${name}`);
        label.style.insetBlockStart = `${(tops[i] as number) - 12}px`;
        return label;
      }),
    );
  }

  private view(): Window {
    const from = this.model.start ?? 0;
    const end = Math.max(this.model.end, this.model.isOpen ? this.now() : 0);
    const whole = Math.max((end - from) * AFTER, LEAST_MS);
    const span = whole * this.zoom;
    const middle = this.selected?.sent ?? from + whole / 2;
    const start = Math.min(Math.max(middle - span / 2, from), from + whole - span);
    return { from: start, to: start + span, width: this.width };
  }

  private now(): number {
    return this.model.isOrder || this.model.closed ? this.model.end : performance.timeOrigin + performance.now();
  }

  private at(event: MouseEvent): Call | undefined {
    const { left, top } = this.canvas.getBoundingClientRect();
    return callAt(this.model, this.view(), event.clientX - left, event.clientY - top, this.now());
  }

  private point(event: PointerEvent): void {
    const call = this.at(event);
    if (call === undefined) {
      this.hover.replaceChildren();
      return;
    }
    const { left, top } = this.canvas.getBoundingClientRect();
    this.hover.textContent = inWords(call);
    this.hover.style.insetInlineStart = `${Math.min(event.clientX - left, this.width - 200)}px`;
    this.hover.style.insetBlockStart = `${event.clientY - top + ROW}px`;
  }

  private key(event: KeyboardEvent): void {
    const { calls } = this.model;
    const now = this.selected?.index ?? -1;
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: now + 1,
      ArrowDown: now + 1,
      ArrowLeft: now - 1,
      ArrowUp: now - 1,
      PageDown: now + 10,
      PageUp: now - 10,
      Home: 0,
      End: calls.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      this.select(calls[Math.min(Math.max(target, 0), calls.length - 1)]);
    } else if (event.key === "+" || event.key === "-") {
      this.zoom = Math.min(1, Math.max(FINEST, this.zoom * (event.key === "+" ? 0.5 : 2)));
      this.draw();
    }
  }
}

/** `call 3 of search.find, Unknown after 1,200 µs` */
export function inWords({ call, tool, tag, sent, settled, dropped, binding }: Call): string {
  const { file, name } = toolName(tool);
  const drops = dropped.length === 0 ? "" : `, ${dropped.length} dropped`;
  if (tag === undefined || settled === undefined) return `call ${call} of ${file}.${name}, still out`;
  const took = binding === "history" ? "" : ` after ${microseconds(settled - sent)}`;
  return `call ${call} of ${file}.${name}, ${tag}${took}${drops}`;
}

export function microseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000).toLocaleString("en")} µs`;
}
