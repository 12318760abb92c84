/**
 * Terms to nodes. Equal types share one node, found by the numbers of their parts rather than by spelling the whole
 * type out: a chain of generic declarations can name a type of 2^30 terms in a few lines, and it has few nodes.
 */
import { FlowError } from "../json/errors.ts";
import { displayName } from "../types/display.ts";
import type { Constructor, Declarations, Field, Payload, Template, Term } from "../types/terms.ts";
import { carrierNode } from "./carrier.ts";
import { listNode, setNode, tupleNode } from "./collections.ts";
import { dictNode, textDictNode } from "./dicts.ts";
import { type ConstructorNode, enumNode } from "./enum.ts";
import { type Node, titled, titles } from "./node.ts";
import { hostNode, opaqueNode, rawNode, unencodableNode } from "./raw.ts";
import { type FieldNode, recordNode } from "./record.ts";
import { boolNode, decimalNode, intNode, neverNode, textNode, unitNode } from "./scalars.ts";
import { bytesNode, durationNode, instantNode } from "./strings.ts";

/**
 * How many distinct types one graph of declarations may come to. Finite graphs within R24's bounds can still stand
 * for millions (a record whose seven, eleven and thirteen parameters each move one place at every turn).
 */
const MOST_NODES = 65_536;

/** How many terms may be looked at for one graph: a record of a thousand fields is looked at anew for each of its instances. */
const MOST_TERMS = 524_288;

/** A node with what only the compiler knows of it. */
export interface Entry {
  readonly id: number;
  readonly node: Node;
  /** For an Option: the entry of what it holds, where a field's shortcut applies. */
  readonly inner?: Entry;
  readonly isText?: boolean;
}

export class Compiler {
  private readonly declarations: Declarations;
  private readonly entries = new Map<string, Entry>();
  private readonly pending: (() => void)[] = [];
  /** Concrete terms that were met before: terms made by substitution share their parts, and written out they can be endless. */
  private readonly concrete = new WeakMap<object, Entry>();
  private count = 0;
  private looked = 0;
  /** The units of the longest name of a field or constructor. */
  readonly longestName: number;

  constructor(declarations: Declarations) {
    this.declarations = declarations;
    let longest = "None".length;
    for (const template of declarations.values()) for (const name of memberNames(template)) longest = Math.max(longest, name.length);
    this.longestName = longest;
  }

  /**
   * The entry of a concrete term: one for each distinct type.
   * @param params What stands for the Params of a Tool's roots, where the term has some.
   * @throws FlowError `bounds`, after which the compiler is of no use.
   */
  compile(term: Term, params: readonly Entry[] = []): Entry {
    const entry = this.entry(term, params);
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) next();
    return entry;
  }

  /** An entry of another compiler's, whose values are carried as the JSON they are (`carried.ts`). */
  adopt(foreign: Entry): Entry {
    const facts = { isText: foreign.isText === true, ...(foreign.inner === undefined ? {} : { inner: this.adopt(foreign.inner) }) };
    return this.register(`Carried ${this.count}`, carrierNode(foreign.node), facts);
  }

  private entry(term: Term, params: readonly Entry[]): Entry {
    if (++this.looked > MOST_TERMS) throw tooManyTypes();
    if (typeof term === "object" && params.length === 0) {
      const known = this.concrete.get(term);
      if (known !== undefined) return known;
      const entry = this.newEntry(term, params);
      this.concrete.set(term, entry);
      return entry;
    }
    return this.newEntry(term, params);
  }

  private newEntry(term: Term, params: readonly Entry[]): Entry {
    if (typeof term === "string") return this.shared(term, () => PRIMITIVE_NODES[term], term === "Text");
    if ("Param" in term) return params[term.Param.index] as Entry;
    if ("List" in term) return this.made("List", [this.entry(term.List, params)], ([item]) => listNode(item as Node));
    if ("Set" in term) return this.made("Set", [this.entry(term.Set, params)], ([item]) => setNode(item as Node));
    if ("Option" in term) return this.option(this.entry(term.Option, params));
    if ("Dict" in term) {
      const parts = term.Dict.map((part) => this.entry(part, params));
      const isText = (parts[0] as Entry).isText === true;
      return this.made("Dict", parts, ([key, value]) => (isText ? textDictNode(value as Node) : dictNode(key as Node, value as Node)));
    }
    if ("Tuple" in term)
      return this.made(
        "Tuple",
        term.Tuple.map((part) => this.entry(part, params)),
        (parts) => tupleNode(parts),
      );
    if ("Named" in term)
      return this.named(
        term.Named.declaration,
        term.Named.args.map((argument) => this.entry(argument, params)),
      );
    return "Task" in term
      ? this.shared("Task", () => unencodableNode("a Task"))
      : this.shared("Function", () => unencodableNode("a function"));
  }

  private shared(key: string, make: () => Node, isText = false): Entry {
    return this.entries.get(key) ?? this.register(key, make(), { isText });
  }

  private made(kind: string, parts: readonly Entry[], make: (nodes: readonly Node[]) => Node): Entry {
    const key = `${kind} ${parts.map((part) => part.id).join(" ")}`;
    return this.entries.get(key) ?? this.register(key, make(parts.map((part) => part.node)));
  }

  private register(key: string, node: Node, facts: { inner?: Entry; isText?: boolean } = {}): Entry {
    const entry: Entry = { id: this.count++, node, ...facts };
    if (this.count > MOST_NODES) throw tooManyTypes();
    this.entries.set(key, entry);
    return entry;
  }

  private option(inner: Entry): Entry {
    const key = `Option ${inner.id}`;
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const constructors: readonly ConstructorNode[] = [
      { name: "None", payload: undefined },
      { name: "Some", payload: inner.node },
    ];
    return this.register(
      key,
      enumNode(titled(`Option<${inner.node.title}>`), undefined, () => constructors),
      { inner },
    );
  }

  private named(id: string, args: readonly Entry[]): Entry {
    const key = `Named ${id.length} ${id} ${args.map((argument) => argument.id).join(" ")}`;
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const template = this.declarations.get(id) as Template;
    const display = displayName(template);
    const title = args.length === 0 ? display : titled(`${display}<${titles(args.map(({ node }) => node))}>`);
    switch (template.kind) {
      case "host":
        return this.register(key, hostNode(title));
      case "nondata":
        return this.register(key, unencodableNode(title));
      case "record":
        return this.declared(key, template, this.record(title, template.fields, args));
      case "enum":
        return this.declared(key, template, this.enumeration(title, template.constructors, args));
    }
  }

  private declared(key: string, { opaque }: Template, node: Node): Entry {
    return this.register(key, opaque ? opaqueNode(node) : node);
  }

  /**
   * The node of a record. Its fields are compiled later: a recursion then finds the entry, and a chain of thousands of
   * declarations does not become a stack of thousands of calls.
   */
  private record(title: string, fields: readonly Field[], args: readonly Entry[]): Node {
    let compiled: readonly FieldNode[] = [];
    this.pending.push(() => {
      compiled = fields.map((field): FieldNode => {
        const entry = this.entry(field.type, args);
        return { name: field.name, optional: entry.inner !== undefined, node: (entry.inner ?? entry).node };
      });
    });
    return recordNode(title, () => compiled);
  }

  private enumeration(title: string, constructors: readonly Constructor[], args: readonly Entry[]): Node {
    let compiled: readonly ConstructorNode[] = [];
    this.pending.push(() => {
      compiled = constructors.map(({ name, payload }) => {
        return { name, payload: this.payload(`${title}.${name}`, payload, args) };
      });
    });
    return enumNode(title, title, () => compiled);
  }

  private payload(title: string, payload: Payload, args: readonly Entry[]): Node | undefined {
    if (payload === null) return undefined;
    if ("named" in payload) return this.record(title, payload.named, args);
    const parts = payload.positional.map((part) => this.entry(part, args).node);
    return parts.length === 1 ? parts[0] : tupleNode(parts, title);
  }
}

function tooManyTypes(): FlowError {
  return new FlowError("bounds", `expected declarations that stand for at most ${MOST_NODES} distinct types`);
}

/** The names that stand in the encoding of a template's values. */
function memberNames(template: Template): readonly string[] {
  if (template.kind === "record") return template.fields.map(({ name }) => name);
  if (template.kind !== "enum") return [];
  return template.constructors.flatMap(({ name, payload }) =>
    payload !== null && "named" in payload ? [name, ...payload.named.map((field) => field.name)] : [name],
  );
}

const PRIMITIVE_NODES = {
  Int: intNode,
  Decimal: decimalNode,
  Bool: boolNode,
  Text: textNode,
  Bytes: bytesNode,
  Duration: durationNode,
  Instant: instantNode,
  Unit: unitNode,
  Never: neverNode,
  "json.Value": rawNode,
} as const;
