/** What answers a Tool, and what it is made to do wrong. */
import type { Fault } from "../../runner/messages.ts";
import { button, type Child, el, spoken } from "../dom.ts";
import { FAULTS } from "./explain.ts";
import type { Bound, Kind } from "./project.ts";

export interface BindingChoiceOptions {
  /** The Tool's file and name. */
  readonly name: string;
  readonly bound: Bound;
  /** Whether the sample's component answers this Tool. */
  readonly hasComponent: boolean;
  /** Dropped components that can be chosen. */
  readonly dropped: readonly Offer[];
  readonly onChange: (bound: Bound) => void;
  /** Opens the function in the editor. */
  readonly onEdit: () => void;
}

/** A dropped component as a choice. */
export interface Offer {
  readonly id: string;
  readonly name: string;
}

const KINDS: Readonly<Record<Exclude<Kind, "dropped">, string>> = {
  function: "a function in this page",
  worker: "the same function in a Worker",
  component: "a WebAssembly component without imports",
  url: "a URL behind fetch",
};

/** Before a component's id, as an option's value. */
const DROPPED = "dropped ";

export class BindingChoice {
  readonly element: HTMLElement;
  readonly switches: HTMLElement;
  private readonly options: BindingChoiceOptions;
  private readonly why = el("p", { class: "why-broken", role: "status" });
  private bound: Bound;
  /** The ids of the dropped components that are listed. */
  private offered: string | undefined;
  private readonly select: HTMLSelectElement;
  private readonly edit: HTMLButtonElement;
  private readonly url: HTMLElement;
  private readonly address: HTMLInputElement;
  private readonly toggles: ReadonlyMap<Fault, HTMLButtonElement>;

  constructor(options: BindingChoiceOptions) {
    this.options = options;
    this.bound = options.bound;
    const { name } = options;
    const id = name.replace(/\W+/g, "-");
    this.select = el("select", { "aria-label": `What answers ${name}` });
    this.select.addEventListener("change", () => this.choose(this.select.value));
    this.edit = button({ class: "link" }, options.onEdit, "Edit", spoken(` the function of ${name}`));
    this.address = el("input", { type: "url", id: `url-${id}`, placeholder: "https://…", spellcheck: "false", autocomplete: "off" });
    this.address.addEventListener("change", () => this.change({ ...this.bound, url: this.address.value }));
    this.url = el("span", { class: "url" }, el("label", { for: `url-${id}` }, "URL", spoken(` that answers ${name}`)), this.address);
    this.element = el("span", { class: "binding-choice" }, this.select, " ", this.edit, this.url);
    this.toggles = new Map(
      (Object.keys(FAULTS) as Fault[]).map((fault) => [
        fault,
        button({ class: "chip", "aria-pressed": "false" }, () => this.toggle(fault), FAULTS[fault].label),
      ]),
    );
    this.switches = el(
      "div",
      { class: "break", role: "group", "aria-label": `Break it: how ${name} answers` },
      el("span", { class: "legend", "aria-hidden": "true" }, "Break it"),
      el("div", { class: "toggles" }, [...this.toggles.values()]),
      this.why,
    );
    this.show(options.bound, options.dropped);
  }

  show(bound: Bound, dropped: readonly Offer[]): void {
    if (String(dropped.map(({ id }) => id)) !== this.offered) this.offer(dropped);
    this.take(bound);
  }

  /** Lists what can be chosen. A list that is open would close, so it stays where nothing has changed. */
  private offer(dropped: readonly Offer[]): void {
    this.offered = String(dropped.map(({ id }) => id));
    this.select.replaceChildren(
      ...kindOptions(this.options.hasComponent),
      ...dropped.map(({ id, name }) => el("option", { value: DROPPED + id }, `Dropped component: ${name}`)),
    );
  }

  private take(bound: Bound): void {
    this.bound = bound;
    this.select.value = bound.kind === "dropped" ? DROPPED + (bound.component ?? "") : bound.kind;
    this.address.value = bound.url ?? "";
    this.edit.hidden = bound.kind !== "function" && bound.kind !== "worker";
    this.url.hidden = bound.kind !== "url";
    for (const [fault, toggle] of this.toggles) toggle.setAttribute("aria-pressed", String(fault === bound.fault));
  }

  /** What came of the switch, in a sentence; nothing where none is on. */
  explain(...why: readonly Child[]): void {
    this.why.replaceChildren(el("span", {}, why));
  }

  private toggle(fault: Fault): void {
    const { fault: before, ...rest } = this.bound;
    this.why.replaceChildren();
    this.change(before === fault ? rest : { ...rest, fault });
  }

  private choose(value: string): void {
    const { component: _, ...rest } = this.bound;
    this.change(
      value.startsWith(DROPPED) ? { ...rest, kind: "dropped", component: value.slice(DROPPED.length) } : { ...rest, kind: value as Kind },
    );
  }

  private change(bound: Bound): void {
    this.take(bound);
    this.options.onChange(bound);
  }
}

function kindOptions(hasComponent: boolean): readonly HTMLOptionElement[] {
  return (Object.keys(KINDS) as (keyof typeof KINDS)[])
    .filter((kind) => kind !== "component" || hasComponent)
    .map((kind) => el("option", { value: kind }, KINDS[kind]));
}
