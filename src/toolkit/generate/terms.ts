/** Types as TypeScript writes them (*Values in TypeScript*), laid out within the width of a line. */
import type { Primitive, Term } from "../../types/terms.ts";
import { WIDTH } from "./text.ts";

/** What stands for names: declarations by local id, type parameters by index. The toolkit's own are members of `flow`. */
export interface TermNames {
  declaration(id: string): string;
  param(index: number): string;
}

const PRIMITIVES: Readonly<Record<Primitive, string>> = {
  Int: "bigint",
  Decimal: "flow.Decimal",
  Bool: "boolean",
  Text: "string",
  Bytes: "Uint8Array",
  Duration: "flow.Duration",
  Instant: "flow.Instant",
  Unit: "undefined",
  Never: "never",
  "json.Value": "flow.JsonValue",
};

/** A type in pieces: text, or a bracketed list that may be broken over lines. */
type Layout =
  | string
  | {
      readonly open: string;
      readonly items: readonly Layout[];
      readonly close: string;
      /** Whether a broken list ends with a comma: tuples and parameters do, type arguments do not. */
      readonly trailing: boolean;
      /** A single argument as simple as this is never broken off. */
      readonly hugs: boolean;
    };

/**
 * A type on one line if the line has room for it, else broken.
 * @param indent The indentation of the line that the type starts on.
 * @param before What stands before the type on that line, indentation included.
 * @param after What follows it directly.
 */
export function typeText(term: Term, names: TermNames, indent: string, before: number, after: number): string {
  const layout = layoutOf(term, names);
  const flat = flatText(layout);
  return before + flat.length + after <= WIDTH ? flat : brokenText(layout, indent);
}

/** A type on one line. */
export function flatType(term: Term, names: TermNames): string {
  return flatText(layoutOf(term, names));
}

/** Recursion is as deep as the term. */
function layoutOf(term: Term, names: TermNames): Layout {
  const inner = (part: Term): Layout => layoutOf(part, names);
  if (typeof term === "string") return PRIMITIVES[term];
  if ("Param" in term) return names.param(term.Param.index);
  if ("Named" in term) {
    const { declaration, args } = term.Named;
    return applied(names.declaration(declaration), args.map(inner));
  }
  if ("List" in term) return listOf(inner(term.List), isFunction(term.List));
  if ("Task" in term) return applied("Promise", [inner(term.Task)]);
  if ("Tuple" in term) return { open: "readonly [", items: term.Tuple.map(inner), close: "]", trailing: true, hugs: false };
  if ("Function" in term) return functionOf(term.Function, names);
  if ("Set" in term) return applied("flow.FlowSet", [inner(term.Set)]);
  if ("Dict" in term) return applied("flow.FlowDict", term.Dict.map(inner));
  return applied("flow.Option", [inner(term.Option)]);
}

function applied(name: string, args: readonly Layout[]): Layout {
  if (args.length === 0) return name;
  const hugs = args.length === 1 && typeof args[0] === "string";
  return { open: `${name}<`, items: args, close: ">", trailing: false, hugs };
}

function listOf(item: Layout, isFunction: boolean): Layout {
  // `readonly` binds to the array after it, so an array of arrays takes parentheses.
  const isOperator = (typeof item === "string" ? item : item.open).startsWith("readonly ");
  const [open, close] = isOperator || isFunction ? ["readonly (", ")[]"] : ["readonly ", "[]"];
  if (typeof item === "string") return open + item + close;
  return { ...item, open: open + item.open, close: item.close + close };
}

function isFunction(term: Term): boolean {
  return typeof term !== "string" && "Function" in term;
}

/** Functions stand in type arguments that no value is of; they are written for the sake of the type's identity. */
function functionOf({ params, result }: { readonly params: readonly Term[]; readonly result: Term }, names: TermNames): Layout {
  const items = params.map((param, i) => `a${i}: ${flatType(param, names)}`);
  return `(${items.join(", ")}) => ${flatType(result, names)}`;
}

function flatText(layout: Layout): string {
  if (typeof layout === "string") return layout;
  return `${layout.open}${layout.items.map(flatText).join(", ")}${layout.close}`;
}

function brokenText(layout: Layout, indent: string): string {
  if (typeof layout === "string" || layout.hugs) return flatText(layout);
  const deeper = `${indent}  `;
  const items = layout.items.map((item, i) => {
    const isLast = i === layout.items.length - 1;
    const comma = !isLast || layout.trailing ? 1 : 0;
    const flat = flatText(item);
    const text = deeper.length + flat.length + comma <= WIDTH ? flat : brokenText(item, deeper);
    return `${deeper}${text}${comma === 1 ? "," : ""}\n`;
  });
  return `${layout.open}\n${items.join("")}${indent}${layout.close}`;
}
