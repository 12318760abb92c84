/** The Values view: a type and a JSON text, what they make of each other, and what `JSON.parse` would have lost. */
import { canonicalText, codecFor, isFlowError, type JsonValue, schemaOf, sha256Hex } from "flow-host";
import { explain } from "../advice.ts";
import { copy } from "../clipboard.ts";
import { button, type Child, el, spoken } from "../dom.ts";
import { exampleOf } from "../example.ts";
import { faultBlock } from "../fault.ts";
import { JsonField } from "../json-field.ts";
import { longText } from "../long-text.ts";
import { panes } from "../panes.ts";
import { termText } from "../shape.ts";
import type { MountedView, ViewContext } from "../shell.ts";
import { valueTree } from "../tree.ts";
import { changesOf } from "./changes.ts";
import { EXAMPLES, type ValueExample } from "./examples.ts";
import { lossesPanel } from "./losses-panel.ts";
import { readType, type TypeReading } from "./type-text.ts";

const PRIMITIVES = ["Int", "Decimal", "Bool", "Text", "Bytes", "Instant", "Duration", "Unit", "json.Value"];
const SAMPLE_TYPES = ["ledger.Posting", "ledger.LedgerError", "document.Document", "search.SearchError", "catalog.CatalogError"];
const COMPOSED = ["Set<Int>", "Dict<Text, Decimal>", "Option<(Int, Text)>", "List<document.Document>"];

export class ValuesView implements MountedView {
  readonly element: HTMLElement;
  private readonly context: ViewContext;
  private readonly type: JsonField;
  private readonly declarations: JsonField;
  private readonly json: JsonField;
  private readonly picker: HTMLSelectElement;
  private readonly own: HTMLDetailsElement;
  private readonly verdict = el("div", { class: "verdict", role: "status", id: "values-verdict" });
  private readonly losses = el("div", { class: "parse" });
  private readonly typed = el("div", {});
  private turn = 0;

  constructor(context: ViewContext) {
    this.context = context;
    const changed = () => this.changed();
    const field = (id: string, label: Child, placeholder: string) =>
      new JsonField({ id, label, placeholder, faultId: "values-verdict", onInput: changed, onSubmit: changed });
    this.type = field("values-type", "Type", "Int, List<Text>, ledger.Posting, …");
    this.declarations = field("values-declarations", "Flow", "type Name { field: Int }");
    this.json = field("values-json", "JSON", "42");
    this.picker = el(
      "select",
      { id: "values-example" },
      EXAMPLES.map(({ title }, i) => el("option", { value: i }, title)),
      el("option", { value: "own", hidden: true }, "Your own"),
    );
    this.picker.addEventListener("change", () => this.fill(EXAMPLES[Number(this.picker.value)] ?? EXAMPLES[0]));
    this.own = el("details", { class: "own" }, el("summary", {}, "Declarations of your own"), this.declarations.element);
    const left = el(
      "section",
      { class: "pane", "aria-labelledby": "values-title", tabindex: 0 },
      el("header", {}, el("h2", { id: "values-title" }, "A type and a text")),
      el("div", { class: "field pick" }, el("label", { for: "values-example" }, "Example"), this.picker),
      this.type.element,
      el(
        "p",
        { class: "chips" },
        [...PRIMITIVES, ...SAMPLE_TYPES, ...COMPOSED].map((name) => this.chip(name)),
      ),
      this.own,
      this.json.element,
    );
    const right = el(
      "section",
      { class: "pane", "aria-labelledby": "values-result", tabindex: 0 },
      el("header", {}, el("h2", { id: "values-result" }, "What they make of each other")),
      this.verdict,
      el("section", { "aria-labelledby": "values-parse" }, el("h3", { id: "values-parse" }, "JSON.parse"), this.losses),
      this.typed,
    );
    this.element = panes(left, right, { name: "values", split: 42 });
    this.fill(EXAMPLES[0], false);
  }

  show(parameters: URLSearchParams): void {
    if ([...parameters].length === 0) {
      this.context.setState(this.state());
      return;
    }
    this.fill(
      { title: "", type: parameters.get("type") ?? "", json: parameters.get("json") ?? "", declarations: parameters.get("flow") ?? "" },
      false,
    );
  }

  private chip(name: string): HTMLElement {
    return button(
      { class: "chip" },
      () => {
        this.type.text = name;
        this.changed();
        this.type.focus();
      },
      spoken("Use the type "),
      name,
    );
  }

  private fill({ type, json, declarations = "" }: ValueExample, tell = true): void {
    this.type.text = type;
    this.json.text = json;
    this.declarations.text = declarations;
    if (declarations !== "") this.own.open = true;
    if (tell) this.context.setState(this.state());
    void this.judge();
  }

  private changed(): void {
    this.context.setState(this.state());
    void this.judge();
  }

  private state(): URLSearchParams {
    const own = this.declarations.text;
    return new URLSearchParams({ type: this.type.text, json: this.json.text, ...(own === "" ? {} : { flow: own }) });
  }

  private async judge(): Promise<void> {
    const turn = ++this.turn;
    const [type, json, own] = [this.type.text, this.json.text, this.declarations.text];
    const picked = EXAMPLES.findIndex((each) => each.type === type && each.json === json && (each.declarations ?? "") === own);
    this.picker.value = picked < 0 ? "own" : String(picked);
    this.losses.replaceChildren(...lossesPanel(json));
    const reading = await readType(type, own);
    const show = "type" in reading ? await this.decoded(reading, json) : this.refused(reading);
    // Somebody has typed on meanwhile.
    if (turn !== this.turn) return;
    for (const field of [this.type, this.declarations, this.json]) field.mark(undefined);
    show();
  }

  private refused(reading: Exclude<TypeReading, { readonly type: unknown }>): () => void {
    const { code, sentence, field, place, start, end } = reading;
    const at = field === "type" ? this.type : this.declarations;
    return () => {
      if (field === "declarations") this.own.open = true;
      at.mark({ start, end });
      const advice = "Write a type as Flow does, such as";
      this.verdict.replaceChildren(
        faultBlock({ code, sentence, place, show: () => at.focus({ start, end }), advice, example: "List<ledger.Posting>" }),
      );
      this.typed.replaceChildren();
    };
  }

  private async decoded(
    { type: { type, declarations } }: Extract<TypeReading, { readonly type: unknown }>,
    json: string,
  ): Promise<() => void> {
    const title = termText(type, declarations);
    try {
      const codec = codecFor(type, declarations);
      const value = codec.decode(json);
      const canonical = codec.encode(value);
      const digest = await sha256Hex(canonical);
      const schema = JSON.stringify(JSON.parse(canonicalText(schemaOf(type, declarations) as JsonValue)), null, 2);
      return () => {
        this.verdict.replaceChildren(el("p", { class: "good" }, "A value of ", el("code", {}, title), ", exact to the last digit."));
        this.typed.replaceChildren(
          section("Decoded value", valueTree(value, type, declarations)),
          section("Canonical text", el("p", { class: "canonical" }, longText(canonical, "canonical-text"))),
          section("What differs from the input", changeList(json, canonical)),
          section("SHA-256 of the canonical text", hashLine(digest)),
          section("JSON Schema", el("details", {}, el("summary", {}, `The schema of ${title}`), el("pre", { class: "schema" }, schema))),
        );
      };
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const example = exampleOf(type, declarations) ?? "null";
      const fault = explain(caught, json, { term: type, declarations, example });
      return () => {
        this.json.mark(fault.range);
        const place = fault.pointer === "" ? "the whole value" : fault.pointer;
        this.verdict.replaceChildren(
          faultBlock({ ...fault, place: `${place}, ${lineOf(json, fault.range.start)}`, show: () => this.json.focus(fault.range) }),
        );
        this.typed.replaceChildren();
      };
    }
  }
}

function lineOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

function section(title: string, ...content: readonly Child[]): HTMLElement {
  const id = `values-${title.toLowerCase().replace(/\W+/g, "-")}`;
  return el("section", { "aria-labelledby": id }, el("h3", { id }, title), content);
}

function changeList(text: string, canonical: string): HTMLElement {
  const changes = changesOf(text, canonical);
  if (changes.length === 0) return el("p", {}, "Nothing: the input is the canonical text.");
  return el(
    "ul",
    { class: "changes" },
    changes.map(({ what, sentence }) => el("li", {}, el("span", { class: "what" }, what), " ", el("span", {}, sentence))),
  );
}

function hashLine(digest: string): HTMLElement {
  const copies = button({ class: "link" }, () => void copy(digest, "The SHA-256"), "Copy", spoken(" the SHA-256"));
  return el("p", { class: "hash" }, el("code", {}, digest), " ", copies);
}
