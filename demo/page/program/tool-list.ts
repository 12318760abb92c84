/** The Tools that were found, a card each: what it is, what answers it, what it is made to do wrong, and a form. */
import type { ToolEntry } from "flow-host";
import { ACCOUNT, AMOUNT } from "../../sample/program.ts";
import type { Texts } from "../call-form.ts";
import { type Child, el } from "../dom.ts";
import { toolName } from "../notation.ts";
import { ToolCard } from "../tool-card.ts";
import { BindingChoice, type Offer } from "./binding-choice.ts";
import type { Caller } from "./page-caller.ts";
import type { Bound } from "./project.ts";

/** Arguments of the sample that show more than those made from the types would. */
const EXAMPLES: Readonly<Record<string, Texts>> = {
  "search.find": { query: '"tool"' },
  "catalog.read": { id: '"outcome"' },
  "ledger.post": { posting: `{"account": ${ACCOUNT}, "amount": ${AMOUNT}, "note": "rent"}` },
};

export interface ToolListOptions {
  /** Where components are added, above the Tools. */
  readonly components: HTMLElement;
  readonly caller: Caller;
  readonly hasComponent: (name: string) => boolean;
  readonly onBound: (name: string, bound: Bound) => void;
  readonly onEdit: (name: string) => void;
  readonly onForm: (entry: ToolEntry, texts: Texts) => void;
}

interface Shown {
  readonly card: ToolCard;
  readonly choice: BindingChoice;
  /** What the card was made from: it stays as long as this does, with whatever was typed into it. */
  readonly key: string;
}

export class ToolList {
  readonly element: HTMLElement;
  private readonly options: ToolListOptions;
  private readonly cards = el("div", {});
  private readonly note = el("p", { class: "note", role: "status" });
  private shown: ReadonlyMap<string, Shown> = new Map();

  constructor(options: ToolListOptions) {
    this.options = options;
    this.element = el(
      "section",
      { class: "tool-list", "aria-labelledby": "tools-title" },
      el("h2", { id: "tools-title" }, "Tools"),
      options.components,
      this.note,
      this.cards,
    );
  }

  show(entries: readonly ToolEntry[], boundOf: (name: string) => Bound, droppedFor: (entry: ToolEntry) => readonly Offer[]): void {
    const shown = new Map<string, Shown>();
    for (const entry of entries) {
      const { file, name } = toolName(entry.tool);
      const bound = boundOf(`${file}.${name}`);
      const dropped = droppedFor(entry);
      const key = `${entry.fingerprint} ${entry.doc}`;
      const before = this.shown.get(entry.tool);
      if (before?.key === key) {
        before.choice.show(bound, dropped);
        shown.set(entry.tool, before);
      } else shown.set(entry.tool, this.make(entry, `${file}.${name}`, { bound, dropped, key }));
    }
    this.shown = shown;
    const cards = [...shown.values()].map(({ card }) => card.element);
    const same = cards.length === this.cards.children.length && cards.every((card, i) => card === this.cards.children[i]);
    if (!same) this.cards.replaceChildren(...cards);
  }

  /** Says that the Tools are those of texts that have changed since. */
  stale(isStale: boolean): void {
    this.note.textContent = isStale ? "These are the Tools of the last declarations without a fault." : "";
  }

  /** Fills a Tool's form and goes to it. @returns whether there is such a Tool */
  fill(tool: string, texts: Texts): boolean {
    const card = this.shown.get(tool)?.card;
    card?.form?.fill(texts);
    card?.reveal();
    return card !== undefined;
  }

  /** Says below a Tool's switches what came of them. */
  explain(tool: string, ...why: readonly Child[]): void {
    this.shown.get(tool)?.choice.explain(...why);
  }

  private make(entry: ToolEntry, name: string, { key, ...shown }: { bound: Bound; dropped: readonly Offer[]; key: string }): Shown {
    const { caller, hasComponent, onBound, onEdit, onForm } = this.options;
    const choice = new BindingChoice({
      name,
      ...shown,
      hasComponent: hasComponent(name),
      onChange: (changed) => onBound(name, changed),
      onEdit: () => onEdit(name),
    });
    const card = new ToolCard({
      entry,
      caller,
      examples: EXAMPLES[name] ?? {},
      bound: choice.element,
      switches: choice.switches,
      onChange: (texts) => onForm(entry, texts),
    });
    return { card, choice, key };
  }
}
