/** A decoded value as a tree, each part with its declared type. Numbers stand with all their digits. */
import { canonicalText, codecFor, type Declarations, type Field, type FlowDict, HostToken, type Payload, type Term } from "flow-host";
import { type Child, el } from "./dom.ts";
import { shapeOf, termText } from "./shape.ts";

/** More than this many items of one list are counted, not shown. */
const MOST_ITEMS = 100;
/** What lies deeper starts closed. */
const OPEN_DEPTH = 3;

export function valueTree(value: unknown, term: Term, declarations: Declarations): HTMLElement {
  return el("ul", { class: "tree" }, new Tree(declarations).node(null, value, term, 0));
}

interface Part {
  readonly name: string;
  readonly value: unknown;
  readonly type: Term;
}

class Tree {
  private readonly declarations: Declarations;

  constructor(declarations: Declarations) {
    this.declarations = declarations;
  }

  node(name: string | null, value: unknown, term: Term, depth: number): HTMLElement {
    const type = termText(term, this.declarations);
    const shape = shapeOf(term, this.declarations);
    switch (shape.kind) {
      case "primitive":
        return leaf(name, this.text(value, term), type);
      case "list":
      case "set": {
        const items = [...(value as Iterable<unknown>)];
        return this.branch(name, countOf(items.length, "item"), type, depth, itemsOf(items, shape.item));
      }
      case "dict": {
        const entries = [...(value as FlowDict<unknown, unknown>)];
        const parts = entries.map(([key, item]) => ({ name: this.text(key, shape.key), value: item, type: shape.value }));
        return this.branch(name, countOf(entries.length, "entry", "entries"), type, depth, parts);
      }
      case "tuple":
        return this.branch(name, "", type, depth, tupleOf(value, shape.parts));
      case "option":
        return this.variant(name, value, type, depth, (tag) => (tag === "Some" ? { positional: [shape.item] } : null));
      case "record":
        return this.branch(name, "", type, depth, fieldsOf(value, shape.fields));
      case "enum":
        return this.variant(name, value, type, depth, (tag) => shape.constructors.find((each) => each.name === tag)?.payload ?? null);
      case "other":
        return leaf(name, value instanceof HostToken ? canonicalText(value.json) : String(value), type);
    }
  }

  /** One constructor: alone, with its one part beside it, or with its parts below. */
  private variant(name: string | null, value: unknown, type: string, depth: number, payloadOf: (tag: string) => Payload): HTMLElement {
    const { tag, value: content } = value as { tag: string; value?: unknown };
    const payload = payloadOf(tag);
    if (payload === null) return leaf(name, tag, type);
    if ("named" in payload) return this.branch(name, tag, type, depth, fieldsOf(content, payload.named));
    const [only] = payload.positional;
    if (payload.positional.length === 1 && only !== undefined) {
      return this.branch(name, tag, type, depth, [{ name: "", value: content, type: only }]);
    }
    return this.branch(name, tag, type, depth, tupleOf(content, payload.positional));
  }

  private branch(name: string | null, summary: string, type: string, depth: number, parts: readonly Part[]): HTMLElement {
    if (parts.length === 0) return leaf(name, summary, type);
    const shown = parts
      .slice(0, MOST_ITEMS)
      .map((part) => this.node(part.name === "" ? null : part.name, part.value, part.type, depth + 1));
    const rest = parts.length > MOST_ITEMS ? el("li", { class: "more" }, `and ${parts.length - MOST_ITEMS} more`) : null;
    return el(
      "li",
      {},
      el(
        "details",
        { open: depth < OPEN_DEPTH },
        el("summary", {}, label(name), summary === "" ? null : el("span", { class: "value" }, summary, " "), typeNote(type)),
        el("ul", {}, shown, rest),
      ),
    );
  }

  /** Canonical text, which has every digit. */
  private text(value: unknown, term: Term): string {
    return codecFor(term, this.declarations).encode(value);
  }
}

function leaf(name: string | null, text: string, type: string): HTMLElement {
  return el("li", {}, label(name), el("span", { class: "value" }, text), " ", typeNote(type));
}

function label(name: string | null): Child {
  return name === null ? null : [el("span", { class: "name" }, name), " "];
}

function typeNote(type: string): HTMLElement {
  return el("span", { class: "type" }, type);
}

function itemsOf(items: readonly unknown[], type: Term): readonly Part[] {
  return items.map((value, i) => ({ name: String(i), value, type }));
}

function tupleOf(value: unknown, types: readonly Term[]): readonly Part[] {
  return types.map((type, i) => ({ name: String(i), value: (value as readonly unknown[])[i], type }));
}

/** The fields that a record has a value for: an Option field without one is absent, one with a value is that value. */
function fieldsOf(value: unknown, fields: readonly Field[]): readonly Part[] {
  const members = value as Readonly<Record<string, unknown>>;
  return fields
    .map(({ name, type }) => ({ name, value: members[name], type }))
    .filter(({ value: member, type }) => member !== undefined || !isOption(type))
    .map((part) => ({ ...part, type: isOption(part.type) ? part.type.Option : part.type }));
}

function isOption(type: Term): type is { readonly Option: Term } {
  return typeof type === "object" && "Option" in type;
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
