/** A refusal as the page shows it: the code, a sentence, a way to the place, and one thing to try. */
import { button, type Child, el, spoken } from "./dom.ts";

export interface ShownFault {
  readonly code: string;
  /** What the fault is about, in front of its sentence, where there could be a doubt. */
  readonly about?: string;
  readonly sentence: Child;
  readonly place: string;
  /** Goes to the place. */
  readonly show: () => void;
  readonly advice: string;
  readonly example: string | undefined;
}

export function faultBlock({ code, about, sentence, place, show, advice, example }: ShownFault): HTMLElement {
  return el(
    "div",
    { class: "fault" },
    el(
      "p",
      {},
      el("code", { class: "code" }, code),
      " ",
      about === undefined ? null : `${about}: `,
      el("span", { class: "sentence" }, sentence),
    ),
    el("p", { class: "place" }, button({ class: "link" }, show, spoken("Show the place: "), place)),
    el("p", { class: "advice" }, advice, example === undefined ? null : [" ", el("code", {}, example)]),
  );
}
