/** One declaration as TypeScript. */
import type { Constructor, Field, Template, Term } from "../../types/terms.ts";
import { memberTerms } from "../../types/walk.ts";
import { identifierOf } from "./names.ts";
import { flatType, type TermNames, typeText } from "./terms.ts";
import { docComment, propertyName, stringLiteral, WIDTH } from "./text.ts";

/** What a declaration is called, and what else is made for it. */
export interface DeclaredNames {
  readonly name: string;
  /** The names of what stands beside it: the parts of a constructor by `.name`, the plain fields of a record by `""`. */
  readonly parts: ReadonlyMap<string, string>;
}

/** The module that a declaration is written into. */
export interface Module {
  names(id: string): DeclaredNames;
  /** The names that type parameters must not hide. */
  readonly taken: ReadonlySet<string>;
}

/** The source of one declaration, ending in a line feed. */
export function declarationText(id: string, template: Template, module: Module): string {
  return new Writer(id, template, module).text();
}

/** Whether a field's own type is a type parameter: then it depends on the argument whether the field may be left out (R4). */
export function isBare({ type }: Field): boolean {
  return typeof type !== "string" && "Param" in type;
}

/** `<A, B>`, each name free of what the module declares; those that nothing uses start with `_`, as compilers want it. */
export function genericNames(generic: readonly string[], used: ReadonlySet<number>, taken: ReadonlySet<string>): string[] {
  const names: string[] = [];
  for (const [i, name] of generic.entries()) {
    const base = `${used.has(i) ? "" : "_"}${identifierOf(name)}`;
    let free = base;
    for (let number = 2; taken.has(free) || names.includes(free); number++) free = `${base}${number}`;
    names.push(free);
  }
  return names;
}

/** The indices of the type parameters of an owner that some terms mention. */
export function usedParams(terms: readonly Term[]): Set<number> {
  const used = new Set<number>();
  const names: TermNames = { declaration: () => "", param: (index) => String(used.add(index).size) };
  for (const term of terms) flatType(term, names);
  return used;
}

class Writer {
  private readonly template: Template;
  private readonly own: DeclaredNames;
  private readonly params: readonly string[];
  private readonly terms: TermNames;

  constructor(id: string, template: Template, module: Module) {
    this.template = template;
    this.own = module.names(id);
    this.params = genericNames(template.generic, usedParams(memberTerms(template)), module.taken);
    this.terms = {
      declaration: (of) => module.names(of).name,
      param: (index) => this.params[index] as string,
    };
  }

  text(): string {
    const { template, own } = this;
    const head = `${own.name}${this.generic(this.params)}`;
    if (template.kind === "record") return this.record(template.fields, own.name, own.parts.get(""), this.doc([]));
    if (template.kind === "enum") return this.enumText(template.constructors, head);
    if (template.kind === "nondata") return `${this.doc([])}export type ${head} = never;\n`;
    return `${this.doc([])}export type ${head} = flow.HostToken;\n`;
  }

  private doc(more: readonly string[]): string {
    const { doc } = this.template;
    const lines = doc === null ? [] : [doc];
    return docComment(lines.length > 0 && more.length > 0 ? [...lines, "", ...more] : [...lines, ...more], "");
  }

  private generic(params: readonly string[]): string {
    return params.length === 0 ? "" : `<${params.join(", ")}>`;
  }

  /**
   * Fields as an interface. Where some are bare type parameters, `plain` is the interface's name, and the record maps
   * it: a field is optional exactly where its argument is an Option.
   */
  private record(fields: readonly Field[], name: string, plain: string | undefined, doc: string): string {
    const used = usedParams(fields.map((field) => field.type));
    // A constructor's parts may use fewer parameters than its enum.
    const params = name === this.own.name ? this.params : this.params.filter((_, i) => used.has(i));
    const generic = this.generic(params);
    if (fields.length === 0) return `${doc}export type ${name}${generic} = flow.Empty;\n`;
    if (plain === undefined) return `${doc}export interface ${name}${generic} ${this.body(fields)}`;
    const inner = this.generic(this.params.filter((_, i) => used.has(i)));
    const bare = fields.filter(isBare).map((field) => stringLiteral(field.name));
    const alias = unionText(`export type ${name}${generic} = flow.Fields<${plain}${inner}, `, bare, ">;");
    return `interface ${plain}${inner} ${this.body(fields)}\n${doc}${alias}`;
  }

  private body(fields: readonly Field[]): string {
    return `{\n${fields.map((field) => this.field(field)).join("")}}\n`;
  }

  private field({ name, type, doc }: Field): string {
    const isOption = typeof type !== "string" && "Option" in type;
    const before = `  readonly ${propertyName(name)}${isOption ? "?" : ""}: `;
    const text = typeText(isOption ? type.Option : type, this.terms, "  ", before.length, 1);
    return `${docComment(doc === null ? [] : [doc], "  ")}${before}${text};\n`;
  }

  /** A union of its constructors; parts that have names are an interface of their own. */
  private enumText(constructors: readonly Constructor[], head: string): string {
    const docs = constructors.filter((made) => made.doc !== null && made.doc !== "");
    const doc = this.doc(docs.map((made) => `- \`${made.name}\`: ${(made.doc as string).split("\n").join("\n  ")}`));
    const parts = constructors.flatMap(({ name, payload }) => {
      if (payload === null || !("named" in payload)) return [];
      const own = this.own.parts.get(`.${name}`) as string;
      const about = docComment([`The parts of \`${this.template.name}.${name}\`.`], "");
      return [`${this.record(payload.named, own, this.own.parts.get(`.${name}.`), about)}\n`];
    });
    const variants = constructors.map((made) => this.variant(made));
    if (variants.length === 0) return `${doc}export type ${head} = never;\n`;
    const line = `export type ${head} = ${variants.map(({ flat }) => flat).join(" | ")};`;
    if (line.length <= WIDTH) return `${parts.join("")}${doc}${line}\n`;
    if (variants.length === 1) return `${parts.join("")}${doc}export type ${head} = ${variants[0]?.lone};\n`;
    return `${parts.join("")}${doc}export type ${head} =\n${variants.map(({ broken }) => broken).join("\n")};\n`;
  }

  private variant({ name, payload }: Constructor): { readonly flat: string; readonly broken: string; readonly lone: string } {
    const tag = `readonly tag: ${stringLiteral(name)}`;
    if (payload === null) {
      const flat = `{ ${tag} }`;
      return { flat, broken: `  | ${flat}`, lone: flat };
    }
    const type = this.payloadType(name, payload);
    const at = (indent: string): string => {
      if (typeof type !== "object") return type;
      const before = `${indent}  readonly value: `;
      return typeText(type.term, this.terms, `${indent}  `, before.length, 1);
    };
    const flat = `{ ${tag}; readonly value: ${typeof type === "object" ? flatType(type.term, this.terms) : type} }`;
    const spread = (indent: string): string => `{\n${indent}  ${tag};\n${indent}  readonly value: ${at(indent)};\n${indent}}`;
    const isShort = flat.length + 4 <= WIDTH;
    return { flat, broken: `  | ${isShort ? flat : spread("    ")}`, lone: spread("") };
  }

  private payloadType(name: string, payload: Exclude<Constructor["payload"], null>): string | { readonly term: Term } {
    if ("named" in payload) {
      const used = usedParams(payload.named.map((field) => field.type));
      return `${this.own.parts.get(`.${name}`)}${this.generic(this.params.filter((_, i) => used.has(i)))}`;
    }
    const { positional } = payload;
    const [first] = positional;
    // Its encoding is an empty array (R2), and so is its value: what `undefined` stands for is Unit.
    if (first === undefined) return "readonly []";
    return { term: positional.length === 1 ? first : { Tuple: positional } };
  }
}

/** A union of short names as the last type argument, broken where the line has no room. */
function unionText(before: string, parts: readonly string[], after: string): string {
  const line = `${before}${parts.join(" | ")}${after}`;
  if (line.length <= WIDTH) return `${line}\n`;
  const open = before.indexOf("<", before.indexOf("= ")) + 1;
  const [first] = before.slice(open).split(/, $/);
  const union = parts.join(" | ");
  const inner = union.length + 2 <= WIDTH ? `  ${union}\n` : parts.map((part) => `  | ${part}\n`).join("");
  return `${before.slice(0, open)}\n  ${first},\n${inner}${after}\n`;
}
