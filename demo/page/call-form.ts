/** A form to call one Tool with arguments that a person types: a JSON text for each parameter. */
import { codecFor, type ToolEntry } from "flow-host";
import { explain } from "./advice.ts";
import { button, el, spoken } from "./dom.ts";
import { exampleOf } from "./example.ts";
import { JsonField } from "./json-field.ts";
import { type Notation, toolName } from "./notation.ts";
import type { Caller } from "./program/page-caller.ts";
import { type PlacedFault, ResultView } from "./result.ts";

/** The texts of a form by parameter name. */
export type Texts = Readonly<Record<string, string>>;

export interface CallFormOptions {
  readonly entry: ToolEntry;
  readonly notation: Notation;
  readonly caller: Caller;
  /** Texts to start from where the sample knows better ones than can be made from the types. */
  readonly examples: Texts;
  /** The texts have changed. */
  readonly onChange: (texts: Texts) => void;
}

interface ParameterField {
  readonly name: string;
  readonly example: string;
  readonly input: JsonField;
  readonly decode: () => unknown;
  readonly fault: (caught: unknown) => PlacedFault;
}

export class CallForm {
  readonly element: HTMLElement;
  private readonly options: CallFormOptions;
  private readonly fields: readonly ParameterField[];
  private readonly result: ResultView;
  private readonly call: HTMLButtonElement;
  /** Whether the texts are judged while they are typed: once somebody has asked what is wrong with them. */
  private judged = false;
  private busy = false;

  constructor(options: CallFormOptions) {
    this.options = options;
    const { entry } = options;
    const base = `call-${entry.tool.replace(/\W+/g, "-")}`;
    this.result = new ResultView(entry, `${base}-result`);
    this.fields = entry.spec.params.map((_, i) => this.field(i, `${base}-${i}`, `${base}-result`));
    const { file, name } = toolName(entry.tool);
    const about = spoken(` ${file}.${name}`);
    this.call = el("button", { type: "submit", class: "primary" }, "Call", about);
    const example = button({}, () => this.useExample(), "Example", spoken(" arguments"), about.cloneNode(true));
    const form = el(
      "form",
      { class: "call", novalidate: true },
      this.fields.map(({ input }) => input.element),
      el("div", { class: "actions" }, this.call, this.fields.length > 0 && example, el("span", { class: "hint" }, keys())),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit();
    });
    this.element = el("div", {}, form, this.result.element);
  }

  get texts(): Texts {
    return Object.fromEntries(this.fields.map(({ name, input }) => [name, input.text]));
  }

  /** Takes over texts, those of a link, and says what is wrong with them. It calls nothing: opening a link must not act. */
  fill(texts: Texts): void {
    for (const { name, input } of this.fields) input.text = texts[name] ?? "";
    this.result.clear();
    this.judged = this.fields.some(({ input }) => input.text !== "");
    if (this.judged) this.judge();
  }

  private field(index: number, id: string, faultId: string): ParameterField {
    const { entry, notation, examples } = this.options;
    const { declarations, params } = entry.spec;
    const { name, type: term } = params[index] as (typeof params)[number];
    const example = examples[name] ?? exampleOf(term, declarations) ?? "";
    const input = new JsonField({
      id,
      faultId,
      label: [name, ": ", notation.type(term)],
      placeholder: example,
      onInput: () => this.changed(),
      onSubmit: () => void this.submit(),
    });
    return {
      name,
      example,
      input,
      // Read as a run's input is: nothing undeclared, nothing that only a host can make.
      decode: () => codecFor(term, declarations).decode(input.text, { mode: "strict" }),
      fault: (caught) => {
        const { text } = input;
        const fault = explain(caught, text, { term, declarations, example });
        return { parameter: name, text, fault, show: () => input.focus(fault.range) };
      },
    };
  }

  private changed(): void {
    if (this.judged) this.judge();
    this.options.onChange(this.texts);
  }

  private useExample(): void {
    for (const { input, example } of this.fields) input.text = example;
    this.judged = false;
    this.result.clear();
    this.options.onChange(this.texts);
    this.fields[0]?.input.focus();
  }

  /** Decodes every field, marks what is wrong, and says whether nothing is. */
  private judge(): boolean {
    const faults: PlacedFault[] = [];
    for (const { input, decode, fault } of this.fields) {
      try {
        decode();
        input.mark(undefined);
      } catch (caught) {
        const placed = fault(caught);
        input.mark(placed.fault.range);
        faults.push(placed);
      }
    }
    if (faults.length > 0) this.result.faults(faults);
    else this.result.clear();
    return faults.length === 0;
  }

  /** JSON text of all arguments, as they were typed. */
  private argsText(): string {
    return `{${this.fields.map(({ name, input }) => `${JSON.stringify(name)}:${input.text}`).join(",")}}`;
  }

  private async submit(): Promise<void> {
    if (this.busy) return;
    const { entry, caller, onChange } = this.options;
    onChange(this.texts);
    const isValid = this.judge();
    this.judged = !isValid;
    if (!isValid) return this.fields.find(({ input }) => input.isMarked)?.input.focus();
    this.busy = true;
    this.call.setAttribute("aria-disabled", "true");
    this.result.busy();
    try {
      this.result.report(await caller.call(entry, this.argsText()));
    } finally {
      this.busy = false;
      this.call.removeAttribute("aria-disabled");
    }
  }
}

/** How this machine calls the key that sends a form. */
function keys(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘ Enter" : "Ctrl Enter";
}
