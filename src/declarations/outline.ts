/**
 * One file for an editor: its tokens by kind, for highlighting, and its declarations with their places. Nothing is looked
 * up and no text is refused; what is wrong with the file by itself comes along as diagnostics.
 */
import { WORD_ROLES } from "./cursor.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { AT, NUMBER, OTHER, STRING, type TokenKind, type Tokens, tokenize, WORD } from "./lexer.ts";
import { type ParsedFile, parseFile } from "./parser.ts";
import { SourceText } from "./source.ts";
import type { FileItem, Name } from "./syntax.ts";

/** What a token is shown as. `text` is a word of a flow that is skipped, or one out of place. */
export type HighlightKind =
  | "keyword"
  | "annotation"
  | "type"
  | "constructor"
  | "type-parameter"
  | "field"
  | "parameter"
  | "flow"
  | "alias"
  | "string"
  | "number"
  | "comment"
  | "doc"
  | "punctuation"
  | "text";

/** Offsets in UTF-16 code units; tokens are in order and do not overlap. */
export interface HighlightToken {
  /** What it is. */
  readonly kind: HighlightKind;
  /** The offset of its first code unit. */
  readonly start: number;
  /** The offset just past its last one. */
  readonly end: number;
}

/** Offsets in UTF-16 code units. */
export interface SourceRange {
  /** The offset of its first code unit. */
  readonly start: number;
  /** The offset just past its last one. */
  readonly end: number;
}

/** A parameter of a Tool, a field of a record or a constructor of an enum. */
export interface OutlineMember {
  /** Which of the three. */
  readonly kind: "field" | "constructor" | "parameter";
  /** The declared name. */
  readonly name: string;
  /** Where the name stands. */
  readonly nameRange: SourceRange;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
}

/** One declaration of a file. */
export interface OutlineDeclaration {
  /** What is declared. */
  readonly kind: "use" | "record" | "enum" | "host" | "tool" | "flow";
  /** The declared name, the alias of a `use`; empty where there is none. */
  readonly name: string;
  /** The whole declaration, its doc left out. */
  readonly range: SourceRange;
  /** Where the name stands. */
  readonly nameRange: SourceRange;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** Whether it is `pub`. */
  readonly isPublic: boolean;
  /** Whether it is `opaque`. */
  readonly isOpaque: boolean;
  /** The path of a `use`. */
  readonly path?: string;
  /** In order of source. */
  readonly members: readonly OutlineMember[];
}

/** What an editor shows of a file. */
export interface FileOutline {
  /** Every token of the text, in order. */
  readonly tokens: readonly HighlightToken[];
  /** In source order. */
  readonly declarations: readonly OutlineDeclaration[];
  /** What the file alone shows to be wrong; names and imports are judged by `readProgram`. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads one file, however broken.
 * @param name The file's name in diagnostics.
 */
export function outlineFile(text: string, name = ""): FileOutline {
  const parsed = parseFile(tokenize(text));
  return {
    tokens: highlight(parsed),
    declarations: parsed.items.map(declarationOf),
    diagnostics: parsed.faults.diagnostics(name, new SourceText(text)),
  };
}

/** Tokens, docs and comments in one order. */
function highlight({ tokens, roles }: ParsedFile): HighlightToken[] {
  const { kinds, starts, ends, docs, comments } = tokens;
  const result: HighlightToken[] = [];
  let doc = 0;
  let comment = 0;
  for (let i = 0; i < kinds.length; i++) {
    const start = starts[i] as number;
    for (;;) {
      const nextDoc = docs[doc];
      const nextComment = comments[comment];
      const isDoc = nextDoc !== undefined && nextDoc.start < start && (nextComment === undefined || nextDoc.start < nextComment);
      if (isDoc) {
        result.push({ kind: "doc", start: nextDoc.start, end: nextDoc.end });
        doc++;
      } else if (nextComment !== undefined && nextComment < start) {
        result.push({ kind: "comment", start: nextComment, end: comments[comment + 1] as number });
        comment += 2;
      } else break;
    }
    if (i < kinds.length - 1) result.push({ kind: kindOf(tokens, roles, i), start, end: ends[i] as number });
  }
  return result;
}

function kindOf({ kinds, text, starts, ends }: Tokens, roles: Uint8Array, index: number): HighlightKind {
  const kind = kinds[index] as TokenKind;
  if (kind === WORD) {
    const role = WORD_ROLES[roles[index] as number] ?? "none";
    if (role !== "none") return role;
    const isTool = kinds[index - 1] === AT && text.slice(starts[index], ends[index]) === "tool";
    return isTool ? "annotation" : "text";
  }
  if (kind === STRING) return "string";
  if (kind === NUMBER) return "number";
  if (kind === OTHER) return "text";
  return kind === AT ? "annotation" : "punctuation";
}

function declarationOf(item: FileItem): OutlineDeclaration {
  const { start, end } = item;
  const range = { start, end };
  if (item.kind === "use") {
    const { alias, path, at } = item;
    const nameRange = alias === undefined ? { start: at.start, end: at.end } : rangeOf(alias);
    return { kind: "use", name: alias?.text ?? "", range, nameRange, doc: null, isPublic: false, isOpaque: false, path, members: [] };
  }
  const { name, doc, isPublic } = item;
  const nameRange = name === undefined ? range : rangeOf(name);
  const common = { name: name?.text ?? "", range, nameRange, doc, isPublic, isOpaque: false };
  if (item.kind === "flow") return { kind: "flow", ...common, members: [] };
  if (item.kind === "tool")
    return { kind: "tool", ...common, members: item.params.map((param) => memberOf("parameter", param.name, null)) };
  const { body, isOpaque } = item;
  const members =
    body.kind === "record"
      ? body.fields.map((field) => memberOf("field", field.name, field.doc))
      : body.kind === "enum"
        ? body.constructors.map((made) => memberOf("constructor", made.name, made.doc))
        : [];
  return { kind: body.kind, ...common, isOpaque, members };
}

function memberOf(kind: OutlineMember["kind"], name: Name, doc: string | null): OutlineMember {
  return { kind, name: name.text, nameRange: rangeOf(name), doc };
}

function rangeOf({ start, end }: SourceRange): SourceRange {
  return { start, end };
}
