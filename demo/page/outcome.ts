/** The five ways in which a call can end, as the page draws and explains them: by shape, by word and by colour. */
import type { Outcome } from "flow-host";
import { type Child, el, spoken, svg } from "./dom.ts";

export type OutcomeTag = Outcome["tag"];

interface Meaning {
  /** Two sentences for whoever asks why. */
  readonly why: string;
  /** The decision it rests on, as `docs/decisions.md` numbers them. */
  readonly rule: string;
}

/** In the order in which the page lists them. */
export const OUTCOMES: Readonly<Record<OutcomeTag, Meaning>> = {
  Ok: {
    why: "The Tool answered with a value of its declared type. The host decoded it exactly, every digit included.",
    rule: "R27",
  },
  Failed: {
    why: "The Tool answered with one of its declared errors. It did run, and says in a typed value what kept it.",
    rule: "R27",
  },
  NotRun: {
    why: "The call definitely did not happen. It is said only when that is certain, so calling again is safe.",
    rule: "R27",
  },
  Unknown: {
    why: "The call may or may not have happened. Something broke after it was sent, and an honest Unknown is better than a wrong NotRun.",
    rule: "R27, R42",
  },
  BadReply: {
    why: "The Tool answered, but not with a value of the declared type. The answer never reached the program.",
    rule: "R27, R42",
  },
};

const REFUSED: Meaning = {
  why: "The run never started: an implementation does not fit the declaration that the program was checked against. All Tools are bound before the first line runs, or none is.",
  rule: "R36",
};

export const OUTCOME_TAGS = Object.keys(OUTCOMES) as readonly OutcomeTag[];

/** Shape and word of an outcome. */
export function outcomeMark(tag: OutcomeTag): HTMLElement {
  return el("span", { class: `outcome outcome-${tag.toLowerCase()}` }, shape(tag), el("span", { class: "word" }, tag));
}

/** The mark of a run that did not start: a barred circle, which no outcome has. */
export function refusedMark(): HTMLElement {
  const ring = svg("circle", { cx: 6, cy: 6, r: 4.75, fill: "none", stroke: "currentColor", "stroke-width": 1.5 });
  const bar = svg("path", { d: "M3 9 9 3", stroke: "currentColor", "stroke-width": 1.5 });
  return el("span", { class: "outcome outcome-refused" }, frame(ring, bar), el("span", { class: "word" }, "refused"));
}

/** Two sentences about an outcome and the rule, behind a question that can be opened. */
export function whyOutcome(tag: OutcomeTag): HTMLElement {
  return question(`does it say ${tag}`, el("p", {}, meaning(OUTCOMES[tag])));
}

/** The same about everything that a transcript shows. */
export function whyAll(): HTMLElement {
  const outcomes = OUTCOME_TAGS.map((tag) => [el("dt", {}, outcomeMark(tag)), el("dd", {}, meaning(OUTCOMES[tag]))]);
  return details(["What each outcome means"], el("dl", {}, ...outcomes, el("dt", {}, refusedMark()), el("dd", {}, meaning(REFUSED))));
}

function question(about: string, answer: HTMLElement): HTMLElement {
  return details(["Why?", spoken(` ${about}`)], answer);
}

function details(summary: Child, answer: HTMLElement): HTMLElement {
  return el("details", { class: "why" }, el("summary", {}, summary), answer);
}

function meaning({ why, rule }: Meaning): Child {
  return [why, " ", el("span", { class: "rule" }, rule)];
}

function shape(tag: OutcomeTag): SVGElement {
  switch (tag) {
    case "Ok":
      return frame(svg("circle", { cx: 6, cy: 6, r: 5, fill: "currentColor" }));
    case "Failed":
      return frame(svg("path", { d: "M6 .5 11.5 6 6 11.5.5 6Z", fill: "currentColor" }));
    case "NotRun":
      return frame(svg("circle", { cx: 6, cy: 6, r: 4.5, fill: "none", stroke: "currentColor", "stroke-width": 2 }));
    case "Unknown":
      return frame(
        svg("path", {
          d: "M3.2 3.9C3.2 2.2 4.4 1 6.1 1s2.8 1.1 2.8 2.6C8.9 5.6 6 5.7 6 8",
          fill: "none",
          stroke: "currentColor",
          "stroke-width": 1.8,
        }),
        svg("circle", { cx: 6, cy: 10.6, r: 1.2, fill: "currentColor" }),
      );
    case "BadReply":
      return frame(svg("path", { d: "M1.5 1.5 10.5 10.5M10.5 1.5 1.5 10.5", stroke: "currentColor", "stroke-width": 2 }));
  }
}

function frame(...parts: readonly SVGElement[]): SVGElement {
  return svg("svg", { viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" }, ...parts);
}
