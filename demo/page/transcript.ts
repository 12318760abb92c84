/** The sample's transcript, line by line as it happens. */
import type { TranscriptLine } from "../sample/transcript.ts";
import { button, type Child, el, spoken } from "./dom.ts";
import { longText } from "./long-text.ts";
import { OUTCOME_TAGS, type OutcomeTag, outcomeMark, refusedMark, whyAll } from "./outcome.ts";

export class TranscriptView {
  readonly element: HTMLElement;
  private readonly lines: HTMLElement;
  private readonly seen: HTMLElement;
  private readonly again: HTMLButtonElement;
  private list: HTMLElement | undefined;
  private calls = 0;
  private counts = new Map<OutcomeTag | "refused", number>();

  constructor(onRunAgain: () => void) {
    this.again = button({}, onRunAgain, "Run again");
    this.seen = el("p", { class: "seen", role: "status" });
    this.lines = el("div", { class: "lines" });
    // Scrolls by itself, and so can be reached and scrolled by keyboard.
    this.element = el(
      "section",
      { class: "pane", "aria-labelledby": "transcript-title", tabindex: 0 },
      el("header", {}, el("h2", { id: "transcript-title" }, "Transcript"), this.again),
      this.seen,
      whyAll(),
      this.lines,
    );
  }

  start(): void {
    this.calls = 0;
    this.counts = new Map();
    this.list = undefined;
    // While it fills again it keeps its height.
    this.lines.style.minBlockSize = `${this.lines.offsetHeight}px`;
    this.lines.replaceChildren();
    this.seen.replaceChildren(el("span", { class: "running" }, "The sample program runs…"));
    this.again.setAttribute("aria-disabled", "true");
  }

  readonly print = (line: TranscriptLine): void => {
    if (line.kind === "call") this.calls++;
    if (line.kind === "outcome") this.count(line.word as OutcomeTag);
    if (line.kind === "refusal") this.count("refused");
    if (line.kind === "title") {
      this.list = el("ol", {});
      this.lines.append(el("h3", {}, line.text), this.list);
      return;
    }
    this.list ??= this.lines.appendChild(el("ol", {}));
    this.list.append(item(line));
  };

  /** The sample is over: says what was seen, or that it could not run. The reasons were printed. */
  end(ran: boolean): void {
    this.again.removeAttribute("aria-disabled");
    this.lines.style.minBlockSize = "";
    if (!ran) {
      this.seen.replaceChildren("The sample could not run, for the reason below. Run it again once that is gone.");
      return;
    }
    const marks = OUTCOME_TAGS.flatMap((tag) => this.countOf(tag, outcomeMark(tag)));
    const refused = this.countOf("refused", refusedMark());
    this.seen.replaceChildren(el("span", {}, `${this.calls} calls:`), " ", ...marks, ...refused);
  }

  private count(tag: OutcomeTag | "refused"): void {
    this.counts.set(tag, (this.counts.get(tag) ?? 0) + 1);
  }

  private countOf(tag: OutcomeTag | "refused", mark: HTMLElement): readonly (HTMLElement | string)[] {
    const count = this.counts.get(tag);
    return count === undefined ? [] : [el("span", { class: "count" }, mark, " ", el("b", {}, String(count))), " "];
  }
}

function item(line: TranscriptLine): HTMLElement {
  return el("li", { "data-kind": line.kind, class: "line" }, el("span", { class: "number" }, line.call), content(line));
}

function content({ kind, word, text }: TranscriptLine): Child {
  switch (kind) {
    case "call": {
      const [, args = text, binding = ""] = /^(.*) {2}\[([^\]]*)\]$/s.exec(text) ?? [];
      const mark = el("span", { class: "tool" }, spoken("calls "), word);
      return row(mark, longText(args), binding === "" ? null : el("span", { class: "binding" }, binding));
    }
    case "outcome":
      return row(outcomeMark(word as OutcomeTag), longText(text));
    case "refusal":
      return row(refusedMark(), el("code", { class: "code" }, word), el("span", { class: "text" }, text));
    default:
      return el("div", { class: "said" }, el("span", { class: "word" }, `${word}:`), " ", el("span", { class: "text" }, text));
  }
}

function row(mark: HTMLElement, ...message: readonly Child[]): Child {
  return el("div", { class: "message" }, el("div", { class: "mark" }, mark), el("div", { class: "texts" }, message));
}
