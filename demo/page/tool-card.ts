/** One Tool: what it is, who answers it, and a form to call it. */
import type { ToolEntry } from "flow-host";
import { CallForm, type CallFormOptions } from "./call-form.ts";
import { copy } from "./clipboard.ts";
import { button, type Child, el, spoken } from "./dom.ts";
import { Notation, toolName } from "./notation.ts";

/** How many hexadecimal digits of a fingerprint are enough to tell two apart at a glance. */
const SHORT = 12;

export interface ToolCardOptions extends Omit<CallFormOptions, "notation"> {
  /** What answers, in a few words. */
  readonly bound: Child;
  /** What it can be made to do wrong. */
  readonly switches: Child;
}

export class ToolCard {
  readonly element: HTMLElement;
  readonly form: CallForm | undefined;

  constructor({ bound, switches, ...options }: ToolCardOptions) {
    const { entry } = options;
    const notation = new Notation(entry);
    const { file, name } = toolName(entry.tool);
    const id = `tool-${entry.tool.replace(/\W+/g, "-")}`;
    const types = notation.types();
    // A generic Tool wants types before it wants arguments.
    this.form = entry.spec.generic.length === 0 ? new CallForm({ ...options, notation }) : undefined;
    this.element = el(
      "article",
      { class: "tool-card", "aria-labelledby": id },
      el("h3", { id }, el("span", { class: "file" }, `${file}.`), name),
      entry.doc === null || entry.doc === "" ? null : el("p", { class: "doc" }, entry.doc),
      el("pre", { class: "signature" }, notation.signature()),
      types.length > 0 &&
        el(
          "details",
          { class: "types" },
          el("summary", {}, types.length === 1 ? "Its type" : `Its ${types.length} types`, spoken(`, those of ${file}.${name}`)),
          types.map((type) => el("pre", {}, type)),
        ),
      facts(entry, bound),
      switches,
      this.form?.element,
    );
  }

  reveal(): void {
    this.element.scrollIntoView({ block: "start" });
  }
}

function facts({ tool, fingerprint }: ToolEntry, bound: Child): HTMLElement {
  const { file, name } = toolName(tool);
  const [algorithm = "", hex = ""] = fingerprint.split(":");
  const copies = button(
    { class: "link" },
    () => void copy(fingerprint, `The fingerprint of ${file}.${name}`),
    "Copy",
    spoken(` the fingerprint of ${file}.${name}`),
  );
  return el(
    "dl",
    { class: "facts" },
    el("dt", {}, "Identity"),
    el("dd", {}, el("code", {}, tool)),
    el("dt", {}, "Fingerprint"),
    el("dd", {}, el("code", {}, `${algorithm}:${hex.slice(0, SHORT)}…`), " ", copies),
    el("dt", {}, "Answered by"),
    el("dd", {}, bound),
  );
}
