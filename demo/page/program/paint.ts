/** Drawing a timeline: bars from send to settle, an outcome's shape and word at the end of each, crosses for what was dropped. */
import type { OutcomeTag } from "../../runner/messages.ts";
import type { Call, RunModel } from "./model.ts";

export const ROW = 24;
/** Above each lane, for its name. */
const LANE_GAP = 16;
/** Above the first lane, for the ticks of the axis. */
const AXIS = 24;
const EDGE = 8;
/** A bar is seen, however short the call was. */
const LEAST = 3;

export interface Palette {
  readonly ground: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  readonly outcome: Readonly<Record<OutcomeTag, string>>;
  readonly sans: string;
}

/** The part of the time that is drawn, and how wide. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  // A variable holds its text, light-dark() and all; a colour is resolved only as the colour of something.
  const probe = element.ownerDocument.createElement("span");
  element.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const tags: readonly OutcomeTag[] = ["Ok", "Failed", "NotRun", "Unknown", "BadReply"];
  const palette = {
    ground: colour("ground"),
    quiet: colour("quiet"),
    line: colour("line"),
    accent: colour("accent"),
    outcome: Object.fromEntries(tags.map((tag) => [tag, colour(tag.toLowerCase())])) as Record<OutcomeTag, string>,
    sans: style.fontFamily,
  };
  probe.remove();
  return palette;
}

export function heightOf(model: RunModel): number {
  return AXIS + model.lanes.reduce((sum, tool) => sum + model.height(tool) * ROW + LANE_GAP, 0) + 4;
}

/** Where each lane begins. */
export function laneTops(model: RunModel): readonly number[] {
  let top = AXIS + LANE_GAP;
  return model.lanes.map((tool) => {
    const here = top;
    top += model.height(tool) * ROW + LANE_GAP;
    return here;
  });
}

export function xOf(at: number, { from, to, width }: Window): number {
  return EDGE + ((at - from) / (to - from)) * (width - 2 * EDGE);
}

export function paint(
  context: CanvasRenderingContext2D,
  model: RunModel,
  view: Window,
  palette: Palette,
  options: { readonly now: number; readonly selected: Call | undefined; readonly diverged: Call | undefined },
): void {
  const { canvas } = context;
  const ratio = canvas.width / view.width;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, view.width, canvas.height / ratio);
  axis(context, model, view, palette, canvas.height / ratio);
  const lanes = laneTops(model);
  const tops = new Map(model.lanes.map((tool, i) => [tool, lanes[i] as number]));
  context.font = `600 12px ${palette.sans}`;
  context.textBaseline = "middle";
  // From the last to the first, so that each knows where the next call of its line begins: words stand only where there is room.
  const next = new Float64Array(model.lineCount).fill(view.width);
  for (let i = model.calls.length - 1; i >= 0; i--) {
    const call = model.calls[i] as Call;
    const start = xOf(call.sent, view);
    const end = Math.max(xOf(call.settled ?? options.now, view), start + LEAST);
    const room = (next[call.line] as number) - end;
    // Of calls that lie on one pixel, one is drawn.
    const isCovered = (next[call.line] as number) - start < 0.5 && call.dropped.length === 0;
    if (!isCovered) next[call.line] = start;
    if (isCovered || end < 0 || start > view.width) continue;
    const y = (tops.get(call.tool) as number) + call.row * ROW;
    const colour = call.tag === undefined ? palette.accent : palette.outcome[call.tag];
    bar(context, start, end, y, colour, model.ghost);
    if (call.tag !== undefined) {
      label(context, call.tag, { start, end, room, y: y + 11, colour, inside: model.ghost ? colour : palette.ground });
    }
    for (const { at } of call.dropped) cross(context, Math.min(xOf(at, view), view.width - EDGE), y + 19, 3, palette.quiet);
  }
  for (const call of [options.diverged, options.selected]) {
    if (call === undefined) continue;
    const start = xOf(call.sent, view);
    const end = Math.max(xOf(call.settled ?? options.now, view), start + LEAST);
    context.strokeStyle = call === options.selected ? palette.accent : palette.outcome.BadReply;
    context.lineWidth = 2;
    context.strokeRect(start - 3, (tops.get(call.tool) as number) + call.row * ROW + 1, end - start + 6, 20);
    context.lineWidth = 1;
  }
}

/** What was replayed is an outline: nothing was dispatched. */
function bar(context: CanvasRenderingContext2D, start: number, end: number, y: number, colour: string, isGhost: boolean): void {
  if (!isGhost) {
    context.fillStyle = colour;
    context.fillRect(start, y + 4, end - start, 14);
    return;
  }
  context.setLineDash([3, 2]);
  context.strokeStyle = colour;
  context.strokeRect(start + 0.5, y + 4.5, Math.max(end - start - 1, 1), 13);
  context.setLineDash([]);
}

/** The call at a point, the nearest within a few pixels. */
export function callAt(model: RunModel, view: Window, x: number, y: number, now: number): Call | undefined {
  const tops = laneTops(model);
  const lane = tops.findIndex((top, i) => y >= top && y < top + model.height(model.lanes[i] as string) * ROW);
  const tool = model.lanes[lane];
  if (tool === undefined) return undefined;
  const row = Math.floor((y - (tops[lane] as number)) / ROW);
  let nearest: Call | undefined;
  let distance = 12;
  for (const call of model.calls) {
    if (call.tool !== tool || call.row !== row) continue;
    const start = xOf(call.sent, view);
    const end = Math.max(xOf(call.settled ?? now, view), start + LEAST);
    const away = x < start ? start - x : x > end ? x - end : 0;
    if (away < distance || (away === 0 && distance === 0)) {
      nearest = call;
      distance = away;
    }
  }
  return nearest;
}

function axis(context: CanvasRenderingContext2D, model: RunModel, view: Window, palette: Palette, height: number): void {
  const span = view.to - view.from;
  const step = niceStep(span / Math.max(2, view.width / 110));
  const origin = model.start ?? view.from;
  context.strokeStyle = palette.line;
  context.fillStyle = palette.quiet;
  context.font = `400 11px ${palette.sans}`;
  context.textBaseline = "alphabetic";
  context.beginPath();
  for (let at = Math.ceil((view.from - origin) / step) * step; at <= view.to - origin; at += step) {
    const x = Math.round(xOf(origin + at, view)) + 0.5;
    context.moveTo(x, 18);
    context.lineTo(x, height);
    const label = model.isOrder ? String(Math.round(at)) : step >= 1 ? `${Math.round(at)} ms` : `${at.toFixed(1)} ms`;
    if (x + 48 < view.width) context.fillText(label, x + 3, 14);
  }
  context.stroke();
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.05)));
  return ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
}

/** Shape and word, behind a bar where there is room before the next one, otherwise in it. */
function label(
  context: CanvasRenderingContext2D,
  tag: OutcomeTag,
  place: {
    readonly start: number;
    readonly end: number;
    readonly room: number;
    readonly y: number;
    readonly colour: string;
    readonly inside: string;
  },
): void {
  const { start, end, room, y, colour, inside } = place;
  if (room < 16 && end - start < 20) return;
  const word = 24 + wordWidth(context, tag);
  const isBehind = room >= word || (room >= 16 && end - start < word);
  const [x, width, ink] = isBehind ? [end, room, colour] : [start, end - start, inside];
  mark(context, tag, x + 9, y, ink);
  if (width >= word) context.fillText(tag, x + 19, y + 0.5);
}

/** Measured once; the font is the same for all. */
const wordWidths = new Map<OutcomeTag, number>();

function wordWidth(context: CanvasRenderingContext2D, tag: OutcomeTag): number {
  const known = wordWidths.get(tag);
  if (known !== undefined) return known;
  const { width } = context.measureText(tag);
  wordWidths.set(tag, width);
  return width;
}

/** The shapes of `outcome.ts`, on a canvas. */
function mark(context: CanvasRenderingContext2D, tag: OutcomeTag, x: number, y: number, colour: string): void {
  context.fillStyle = colour;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  switch (tag) {
    case "Ok":
      context.arc(x, y, 4.5, 0, 7);
      context.fill();
      break;
    case "Failed":
      context.moveTo(x, y - 5.5);
      context.lineTo(x + 5.5, y);
      context.lineTo(x, y + 5.5);
      context.lineTo(x - 5.5, y);
      context.fill();
      break;
    case "NotRun":
      context.arc(x, y, 4, 0, 7);
      context.stroke();
      break;
    case "Unknown":
      context.fillText("?", x - 3, y + 0.5);
      break;
    case "BadReply":
      cross(context, x, y, 4, colour);
  }
  context.lineWidth = 1;
}

function cross(context: CanvasRenderingContext2D, x: number, y: number, size: number, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x + size, y - size);
  context.lineTo(x - size, y + size);
  context.stroke();
  context.lineWidth = 1;
}
