/** The picture of what `JSON.parse` makes of a text: lost digits struck through, overwritten members faded, a count in words. */
import { type Child, el, spoken } from "../dom.ts";
import { longText } from "../long-text.ts";
import { type Loss, lossesOf } from "./losses.ts";

/** A text of this length or more is not drawn, only counted: nobody reads it, and every mark is an element. */
const MOST_DRAWN = 200_000;

export function lossesPanel(text: string): readonly HTMLElement[] {
  const losses = lossesOf(text);
  if ("refused" in losses) {
    return [el("p", { class: "count-words" }, "JSON.parse refuses this text too."), el("p", { class: "note" }, losses.refused)];
  }
  const words = el("p", { class: losses.losses.length === 0 ? "count-words" : "count-words lossy" }, losses.words);
  if (text.length > MOST_DRAWN) return [words];
  return [
    words,
    el("pre", { class: "losses" }, marked(text, 0, text.length, losses.losses)),
    el("h4", {}, "What a program then has"),
    el("p", {}, longText(losses.result, "parsed")),
  ];
}

function marked(text: string, start: number, end: number, losses: readonly Loss[]): readonly Child[] {
  const parts: Child[] = [];
  let at = start;
  for (const loss of losses) {
    if (loss.kind === "member") {
      const { range } = loss;
      parts.push(text.slice(at, range.start), el("del", { class: "faded" }, spoken("overwritten: "), text.slice(range.start, range.end)));
      at = range.end;
      continue;
    }
    const { number, lost, becomes } = loss;
    parts.push(text.slice(at, lost.start), el("del", {}, text.slice(lost.start, lost.end)), text.slice(lost.end, number.end));
    parts.push(" ", el("ins", {}, spoken("becomes "), el("span", { "aria-hidden": "true" }, "→ "), becomes));
    at = number.end;
  }
  parts.push(text.slice(at, end));
  return parts;
}
