/** One method: a form to try a value against its input, its output or one of its errors, and what judging it took. */
import { type CompiledSchema, type ContractMethod, isFlowError, readJson1, type Validation, WORK_BUDGET } from "flow-host/contracts";
import { type Child, el, spoken } from "../dom.ts";
import { JsonField } from "../json-field.ts";
import { locate, type Range, tokenAt } from "../locate.ts";

export class MethodForm {
  readonly element: HTMLElement;
  private readonly schemas: ReadonlyMap<string, CompiledSchema>;
  private readonly field: JsonField;
  private readonly choice: HTMLSelectElement;
  private readonly verdict: HTMLElement;
  private readonly meter = el("div", { class: "meter-bar" });

  constructor(name: string, method: ContractMethod, onInput: (name: string, text: string) => void) {
    this.schemas = new Map([
      ["input", method.input],
      ["output", method.output],
      ...Object.entries(method.errors).map(([error, schema]) => [`error ${error}`, schema] as const),
    ]);
    const id = `method-${name}`;
    this.verdict = el("div", { class: "verdict", role: "status", id: `${id}-verdict` });
    this.choice = el(
      "select",
      { id: `${id}-of`, "aria-label": `What of ${name} the value is tried as` },
      [...this.schemas.keys()].map((each) => el("option", { value: each }, each)),
    );
    const judge = (): void => {
      this.judge();
      onInput(name, this.field.text);
    };
    this.choice.addEventListener("change", () => this.judge());
    this.field = new JsonField({
      id,
      label: ["Value", spoken(` for ${name}`)],
      placeholder: '{"sessionId": "s-1"}',
      faultId: `${id}-verdict`,
      onInput: judge,
      onSubmit: judge,
    });
    this.element = el(
      "article",
      { class: "method", "aria-labelledby": `${id}-title` },
      el("h4", { id: `${id}-title`, class: "method-name" }, name, " ", this.choice),
      this.field.element,
      this.verdict,
      this.meter,
    );
  }

  set text(text: string) {
    this.field.text = text;
    this.judge();
  }

  private judge(): void {
    const { text } = this.field;
    this.field.mark(undefined);
    this.meter.replaceChildren();
    if (text === "") {
      this.verdict.replaceChildren(
        el("p", { class: "note" }, "Type a value to see whether the contract takes it, and what judging it costs."),
      );
      return;
    }
    const schema = this.schemas.get(this.choice.value) as CompiledSchema;
    try {
      const result = schema.validate(readJson1(text));
      this.verdict.replaceChildren(...this.judged(result, text));
      this.meter.replaceChildren(...meterOf(result.units));
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const range = caught.offset === undefined ? locate(text, String(caught.at)) : tokenAt(text, caught.offset);
      this.field.mark(range);
      this.verdict.replaceChildren(fault(caught.code, caught.message));
    }
  }

  private judged({ valid, diagnostics }: Validation, text: string): readonly HTMLElement[] {
    if (valid) return [el("p", { class: "good" }, "Valid.")];
    const ranges: readonly Range[] = diagnostics.map(({ instance }) => locate(text, instance));
    if (ranges[0] !== undefined) this.field.mark(ranges[0]);
    return diagnostics.map(({ code, message, instance, schema }) =>
      fault(code, [message, " ", el("span", { class: "note" }, `at ${instance === "" ? "the whole value" : instance}, by ${schema}`)]),
    );
  }
}

function fault(code: string, sentence: Child): HTMLElement {
  return el("p", { class: "fault" }, el("code", { class: "code" }, code), " ", sentence);
}

/** The meter counts to a million, so the bar is logarithmic: each sixth is ten times the one before. */
function meterOf(units: number): readonly HTMLElement[] {
  const bar = el("div", {
    class: "meter",
    role: "meter",
    "aria-label": "Units of work",
    "aria-valuemin": 0,
    "aria-valuemax": WORK_BUDGET,
    "aria-valuenow": units,
  });
  const fill = el("div", { class: "meter-fill" });
  fill.style.inlineSize = `${(Math.log10(units + 1) / Math.log10(WORK_BUDGET + 1)) * 100}%`;
  bar.append(fill);
  const words = `${units.toLocaleString("en")} of ${WORK_BUDGET.toLocaleString("en")} units of work, each sixth of the bar ten times the last`;
  return [bar, el("p", { class: "note" }, words)];
}
