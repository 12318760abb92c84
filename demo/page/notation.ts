/** Declarations as Flow writes them, from a Tool's TypeSpec. */
import { type Constructor, type Declarations, displayName, type Field, type Template, type Term, type ToolEntry } from "flow-host";
import { type Child, el } from "./dom.ts";
import { termText } from "./shape.ts";

/** `search.find` of `github.com/acme/docs@1.0.0/search.flow.find`: its file, its name. */
export interface ToolName {
  readonly file: string;
  readonly name: string;
}

export function toolName(identity: string): ToolName {
  const [, path = "", name = identity] = /^(.*)\.flow\.(\w+)$/.exec(identity) ?? [];
  return { file: path.slice(path.lastIndexOf("/") + 1), name };
}

/** `search.find` */
export function shortName(identity: string): string {
  const { file, name } = toolName(identity);
  return `${file}.${name}`;
}

/** The notation of one Tool and of the types it names. */
export class Notation {
  private readonly declarations: Declarations;
  private readonly entry: ToolEntry;
  private readonly home: string;

  constructor(entry: ToolEntry) {
    this.entry = entry;
    this.declarations = entry.spec.declarations;
    this.home = entry.tool.slice(0, entry.tool.lastIndexOf(".") + 1);
  }

  /** `flow find(query: Text) -> Result<List<document.Document>, SearchError>` */
  signature(): HTMLElement {
    const { params, ok, err, generic } = this.entry.spec;
    const parts = params.map(({ name, type }, i) => [i === 0 ? "" : ", ", name, ": ", this.type(type)]);
    return el(
      "code",
      { class: "flow" },
      word("flow"),
      " ",
      el("b", {}, toolName(this.entry.tool).name),
      generic.length === 0 ? "" : `<${generic.join(", ")}>`,
      "(",
      parts,
      ") -> Result<",
      this.type(ok),
      ", ",
      this.type(err),
      ">",
    );
  }

  /** The types that the signature reaches, a declaration each. */
  types(): readonly HTMLElement[] {
    return [...this.declarations.values()].map((template) => el("code", { class: "flow" }, this.declaration(template)));
  }

  type(term: Term): HTMLElement {
    return el("span", { class: "type" }, this.typeText(term));
  }

  private typeText(term: Term): string {
    return termText(term, this.declarations, (template) => this.nameOf(template));
  }

  /** A type of the Tool's own file goes by its bare name, as it does in the file. */
  private nameOf(template: Template): string {
    return template.identity === `${this.home}${template.name}` ? template.name : displayName(template);
  }

  private declaration(template: Template): readonly Child[] {
    const generic = template.generic.length === 0 ? "" : `<${template.generic.join(", ")}>`;
    const name = [el("b", {}, this.nameOf(template)), generic];
    const doc = docLines(template.doc, "");
    switch (template.kind) {
      case "record":
        return [doc, word(template.opaque ? "opaque type" : "type"), " ", name, this.fields(template.fields, "")];
      case "enum":
        return [
          [doc, word(template.opaque ? "opaque type" : "type"), " ", name, " {\n"],
          template.constructors.map((each) => [docLines(each.doc, "  "), "  ", this.constructor_(each), ",\n"]),
          "}",
        ];
      case "host":
        return [doc, word("@tool type"), " ", name];
      case "nondata":
        return [doc, word("type"), " ", name, note(" // not data")];
    }
  }

  private constructor_({ name, payload }: Constructor): Child {
    if (payload === null) return name;
    if ("named" in payload) return [name, this.fields(payload.named, "  ")];
    return [name, "(", payload.positional.map((part, i) => [i === 0 ? "" : ", ", this.type(part)]), ")"];
  }

  private fields(fields: readonly Field[], indent: string): Child {
    if (fields.length === 0) return " {}";
    const lines = fields.map(({ name, type, doc }) => [docLines(doc, `${indent}  `), `${indent}  ${name}: `, this.type(type), ",\n"]);
    return [" {\n", lines, `${indent}}`];
  }
}

function docLines(doc: string | null, indent: string): Child {
  return doc === null || doc === "" ? null : note(`${doc.replace(/^/gm, `${indent}/// `)}\n`);
}

function word(text: string): HTMLElement {
  return el("span", { class: "keyword" }, text);
}

function note(text: string): HTMLElement {
  return el("span", { class: "note" }, text);
}
