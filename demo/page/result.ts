/** What became of a call, or what is wrong with its arguments, below its form. */
import type { Outcome, Term, ToolEntry } from "flow-host";
import type { Fault } from "./advice.ts";
import { el } from "./dom.ts";
import { faultBlock } from "./fault.ts";
import { lineAndColumn } from "./locate.ts";
import { longText } from "./long-text.ts";
import { outcomeMark, refusedMark, whyOutcome } from "./outcome.ts";
import type { CallReport } from "./program/page-caller.ts";
import { valueTree } from "./tree.ts";

/** A fault of one parameter's text, with a way to its place. */
export interface PlacedFault {
  readonly parameter: string;
  readonly text: string;
  readonly fault: Fault;
  readonly show: () => void;
}

/** The heading is a live region of its own: whoever listens hears how it ended, not the whole tree. */
export class ResultView {
  readonly element: HTMLElement;
  private readonly head: HTMLElement;
  private readonly body: HTMLElement;
  private readonly entry: ToolEntry;

  constructor(entry: ToolEntry, id: string) {
    this.entry = entry;
    this.head = el("div", { id, class: "head", role: "status" });
    this.body = el("div", { class: "body" });
    this.element = el("div", { class: "result" }, this.head, this.body);
  }

  clear(): void {
    this.head.replaceChildren();
    this.body.replaceChildren();
  }

  /** The last result stands until the next one is there, so that nothing jumps. */
  busy(): void {
    this.head.replaceChildren(el("p", { class: "running" }, "Calling…"));
  }

  faults(faults: readonly PlacedFault[]): void {
    this.head.replaceChildren(...faults.map((fault) => placedBlock(fault, faults.length > 1 || this.entry.spec.params.length > 1)));
    this.body.replaceChildren();
  }

  report(report: CallReport): void {
    if (report.kind === "refused") {
      this.head.replaceChildren(
        ...report.errors.map(({ code, message }) => el("p", {}, refusedMark(), " ", el("code", { class: "code" }, code), " ", message)),
      );
      this.body.replaceChildren(el("p", { class: "advice" }, "The call was never sent. Call again once the reason is gone."));
      return;
    }
    const { outcome, args, text, milliseconds } = report;
    this.head.replaceChildren(
      el("p", {}, outcomeMark(outcome.tag), reasonOf(outcome), " ", el("span", { class: "time" }, `${milliseconds.toFixed(1)} ms`)),
    );
    this.body.replaceChildren(whyOutcome(outcome.tag), texts(args, text), ...this.value(outcome));
  }

  private value(outcome: Outcome): readonly HTMLElement[] {
    const { ok, err, declarations } = this.entry.spec;
    const term: Term | undefined = outcome.tag === "Ok" ? ok : outcome.tag === "Failed" ? err : undefined;
    if (term === undefined) return [];
    return [el("h4", {}, "Decoded value"), valueTree(outcome.value, term, declarations)];
  }
}

/** The reason of an outcome that carries one. */
function reasonOf(outcome: Outcome): string {
  return outcome.tag === "Ok" || outcome.tag === "Failed" ? "" : ` ${outcome.value}`;
}

function texts(args: string, outcome: string): HTMLElement {
  return el(
    "dl",
    { class: "said" },
    el("dt", {}, "Sent"),
    el("dd", {}, longText(args, "sent")),
    el("dt", {}, "Outcome"),
    el("dd", {}, longText(outcome, "received")),
  );
}

function placedBlock({ parameter, text, fault, show }: PlacedFault, named: boolean): HTMLElement {
  const { line, column } = lineAndColumn(text, fault.range.start);
  const place = `${fault.pointer === "" ? "" : `${fault.pointer}, `}line ${line}, column ${column}`;
  return faultBlock({ ...fault, ...(named ? { about: parameter } : {}), place, show });
}
