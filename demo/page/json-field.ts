/**
 * A text field for one JSON value, with places marked in it.
 *
 * A text area cannot mark its own text, so a copy lies behind it in the same letters, transparent but for what is
 * marked. The copy also gives the field its height: it grows with its text, and nothing jumps.
 */
import { type Child, el } from "./dom.ts";
import type { Range } from "./locate.ts";

export interface JsonFieldOptions {
  readonly id: string;
  readonly label: Child;
  readonly placeholder: string;
  /** The id of the element that says what is wrong with the text. */
  readonly faultId: string;
  readonly onInput: () => void;
  /** The key for *do it*: Control or Command with Enter. */
  readonly onSubmit: () => void;
}

export class JsonField {
  readonly element: HTMLElement;
  private readonly area: HTMLTextAreaElement;
  private readonly copy: HTMLElement;
  private readonly faultId: string;

  constructor({ id, label, placeholder, faultId, onInput, onSubmit }: JsonFieldOptions) {
    this.faultId = faultId;
    this.copy = el("div", { class: "copy", "aria-hidden": "true" });
    this.area = el("textarea", {
      id,
      rows: 1,
      placeholder,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      autocorrect: "off",
    });
    this.area.addEventListener("input", () => {
      this.mark(undefined);
      onInput();
    });
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onSubmit();
    });
    this.element = el("div", { class: "field" }, el("label", { for: id }, label), el("div", { class: "editor" }, this.copy, this.area));
    this.mark(undefined);
  }

  get text(): string {
    return this.area.value;
  }

  set text(text: string) {
    this.area.value = text;
    this.mark(undefined);
  }

  /** Underlines a place and says that the text is not valid; without one, takes both back. */
  mark(range: Range | undefined): void {
    const { text } = this;
    // While it is empty, the placeholder decides the height.
    const shown = text === "" ? this.area.placeholder : text;
    if (range === undefined) {
      this.copy.replaceChildren(tail(shown));
      this.area.removeAttribute("aria-invalid");
      this.area.removeAttribute("aria-describedby");
      return;
    }
    // An empty place stands at the end of the text: what is missing there gets a width of its own.
    const marked = el("mark", range.start === range.end ? { class: "missing" } : {}, text.slice(range.start, range.end));
    const rest = text === "" ? shown : text.slice(range.end);
    this.copy.replaceChildren(text.slice(0, range.start), marked, tail(rest));
    this.area.setAttribute("aria-invalid", "true");
    this.area.setAttribute("aria-describedby", this.faultId);
  }

  get isMarked(): boolean {
    return this.area.hasAttribute("aria-invalid");
  }

  focus(range?: Range): void {
    this.area.focus();
    if (range !== undefined) this.area.setSelectionRange(range.start, range.end);
  }
}

/** A last line that is empty has a height in a text area, but none in other elements. */
function tail(text: string): string {
  return text === "" || text.endsWith("\n") ? `${text}\u200b` : text;
}
