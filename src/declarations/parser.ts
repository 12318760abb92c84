/**
 * A file's declarations (R32), read to the end whatever is wrong with some of them. Time is linear in the text, and
 * recursion is as deep as one type.
 */
import type { DeclarationCode } from "./codes.ts";
import { BROKEN, Cursor, quoteName, shorten } from "./cursor.ts";
import type { FaultList } from "./diagnostic.ts";
import { ARROW, AT, COLON, END, EQUALS, LESS, OPEN_BRACE, OPEN_BRACKET, OPEN_PAREN, STRING, type Tokens, WORD } from "./lexer.ts";
import { MemberReader } from "./members.ts";
import type { FileItem, Name, Span, TypeBody, TypeDeclaration, UseNode } from "./syntax.ts";
import { readGeneric } from "./types.ts";

/** One file as read, with what is wrong in it so far as the file alone can tell. */
export interface ParsedFile {
  readonly items: readonly FileItem[];
  readonly faults: FaultList;
  readonly tokens: Tokens;
  /** What the words mean that the parser took: by token index, an index of WORD_ROLES. */
  readonly roles: Uint8Array;
}

const KEYWORDS = ["use", "type", "pub", "opaque", "flow"];
const NO_FIELDS: TypeBody = { kind: "record", fields: [] };

export function parseFile(tokens: Tokens): ParsedFile {
  const parser = new FileParser(tokens);
  parser.file();
  return { items: parser.items, faults: parser.cursor.faults, tokens, roles: parser.cursor.roles };
}

/** What stands before `type` or `flow`. */
interface Head {
  readonly start: number;
  readonly first: number;
  readonly isTool: boolean;
  readonly isPublic: boolean;
  readonly isOpaque: boolean;
}

class FileParser {
  readonly cursor: Cursor;
  readonly items: FileItem[] = [];
  private readonly members: MemberReader;

  constructor(tokens: Tokens) {
    this.cursor = new Cursor(tokens);
    this.members = new MemberReader(this.cursor);
  }

  file(): void {
    const { cursor } = this;
    for (const index of cursor.tokens.openStrings) {
      const text = cursor.textOf(index);
      cursor.fault("unclosed", cursor.span(index), `met the text ${shorten(text)} without its closing \`"\`; close it on its line`, text);
    }
    // A file with more faults than are listed is no Flow file, and what else it holds helps nobody.
    while (!cursor.is(END) && !cursor.faults.isFull) {
      const before = cursor.at;
      try {
        this.item();
      } catch (caught) {
        if (caught !== BROKEN) throw caught;
        this.resynchronize(before);
      }
    }
  }

  private item(): void {
    const { cursor } = this;
    const first = cursor.at;
    if (cursor.skipWord("use")) {
      this.use(first);
      return;
    }
    const isTool = cursor.is(AT);
    if (isTool) this.annotation();
    const isPublic = cursor.skipWord("pub");
    const isOpaque = cursor.skipWord("opaque");
    const head: Head = { start: cursor.start(first), first, isTool, isPublic, isOpaque };
    if (cursor.skipWord("type")) {
      this.type(head);
      return;
    }
    if (isOpaque && cursor.isWord("flow")) cursor.note("`type` after `opaque`", "a flow cannot be opaque");
    if (cursor.skipWord("flow")) {
      if (isTool) this.tool(head);
      else this.skippedFlow(head);
      return;
    }
    if (first !== cursor.at) this.unexpectedAfterHead(head);
    cursor.unexpected("`use`, `type`, `@tool` or `flow`", "a file holds nothing else outside of its declarations");
  }

  private unexpectedAfterHead({ isTool, isPublic, isOpaque }: Head): never {
    const { cursor } = this;
    if (cursor.is(AT)) cursor.unexpected("`type` or `flow`", "write `@tool` first: `@tool pub flow`");
    if (isOpaque) cursor.unexpected("`type` after `opaque`", cursor.isWord("pub") ? "write `pub opaque type`" : "");
    return cursor.unexpected(`\`type\` or \`flow\` after \`${isPublic ? "pub" : isTool ? "@tool" : "opaque"}\``);
  }

  /** `@tool`. */
  private annotation(): void {
    const { cursor } = this;
    const start = cursor.start();
    cursor.at++;
    if (cursor.isWord("tool")) {
      cursor.at++;
      return;
    }
    if (!cursor.is(WORD)) cursor.unexpected("`tool` after `@`");
    const name = cursor.textOf();
    const message = `expected \`@tool\`, met ${quoteName(`@${name}`)}; a Tool is declared by \`@tool\`, and no other annotation is read`;
    cursor.fault("annotation", { start, end: cursor.end() }, message, name);
    throw BROKEN;
  }

  private use(first: number): void {
    const { cursor } = this;
    if (!cursor.is(STRING)) cursor.unexpected("a path in quotes after `use`", 'write `use "./file"`');
    const at = cursor.span();
    const isOpen = cursor.tokens.openStrings.has(cursor.at);
    const path = cursor.tokens.text.slice(at.start + 1, isOpen ? at.end : at.end - 1);
    cursor.at++;
    this.items.push({ kind: "use", path, at, alias: this.alias(path, at), start: cursor.start(first), end: at.end });
    if (!cursor.startsLine() && !cursor.startsItem(cursor.at))
      cursor.unexpected("the end of the `use` line", "the alias is the last segment of the path");
  }

  /** A path whose last segment is no alias is refused here; whatever else is wrong with one, where it is looked up. */
  private alias(path: string, at: Span): UseNode["alias"] {
    const start = path.lastIndexOf("/") + 1;
    const text = path.slice(start);
    const span = { start: at.start + 1 + start, end: at.start + 1 + path.length };
    const { cursor } = this;
    if (!isName(text)) {
      if (text === "" || text === "." || text === "..") {
        const message = `expected a path like \`./document\`, which ends with the name of a file, met ${quoteName(path)}`;
        cursor.fault("path", at, message, path);
        return undefined;
      }
      const advice = text.endsWith(".flow") ? "leave out `.flow`" : "name the file with letters, digits and underscores";
      cursor.fault("path", span, `expected a file's name that can be an alias, met ${quoteName(text)}; ${advice}`, text);
      return undefined;
    }
    if (text.charCodeAt(0) < 97) {
      const message = `expected a file's name that starts lower-case, since it is the alias, met ${quoteName(text)}; rename the file`;
      cursor.fault("name-case", span, message, text);
    }
    return { text, ...span };
  }

  private type(head: Head): void {
    const { cursor } = this;
    const keyword = cursor.at - 1;
    const name = cursor.name("upper", "a type's name", "type");
    const doc = cursor.doc(head.first, keyword);
    this.members.take();
    let generic: readonly Name[] = [];
    let body: TypeBody = head.isTool ? { kind: "host" } : NO_FIELDS;
    try {
      if (head.isTool) this.hostType(head, keyword);
      else {
        generic = readGeneric(cursor);
        if (!cursor.is(OPEN_BRACE))
          cursor.unexpected("`{` and the members of the type", "a type without members is written `type Name {}`");
        body = this.members.body();
      }
      this.declare(head, name, generic, doc, body, this.members.take());
    } catch (caught) {
      // The name is known, so that what uses it is not refused for want of it.
      if (caught === BROKEN) this.declare(head, name, generic, doc, body, true);
      throw caught;
    }
  }

  private declare(head: Head, name: Name, generic: readonly Name[], doc: string | null, body: TypeBody, isBroken: boolean): void {
    const { start, isPublic, isOpaque } = head;
    const declared: TypeDeclaration = {
      kind: "type",
      name,
      isPublic,
      isOpaque: isOpaque && !head.isTool,
      generic,
      doc,
      body,
      isBroken,
      start,
      end: this.cursor.taken(),
    };
    this.items.push(declared);
  }

  /** A host type is its name alone; what else is written is refused and passed over. */
  private hostType({ isOpaque }: Head, keyword: number): void {
    const { cursor } = this;
    if (isOpaque) {
      cursor.fault(
        "syntax",
        cursor.span(keyword - 1),
        "met `opaque` on a host type; leave it out, a host's tokens can be made by nobody else anyway",
        "opaque",
      );
    }
    if (cursor.is(LESS)) {
      cursor.note("a host type without type parameters", "leave them out");
      readGeneric(cursor);
    }
    if (!cursor.is(OPEN_BRACE)) return;
    cursor.note("a host type without a body", "leave out the body, or `@tool` for a type of data");
    cursor.at = Math.max(cursor.partner(), cursor.at) + 1;
  }

  private tool(head: Head): void {
    const { cursor } = this;
    const keyword = cursor.at - 1;
    const name = cursor.name("lower", "a Tool's name", "flow");
    const doc = cursor.doc(head.first, keyword);
    this.members.take();
    const declared = { kind: "tool" as const, name, isPublic: head.isPublic, doc, start: head.start };
    let generic: readonly Name[] = [];
    let params: ReturnType<MemberReader["parameters"]> = [];
    try {
      generic = readGeneric(cursor);
      if (!cursor.is(OPEN_PAREN)) cursor.unexpected("`(` and the parameters", "a Tool without parameters is written `name()`");
      const isClosed = cursor.partner() >= 0;
      params = this.members.parameters();
      const isWhole = !this.members.take();
      // Where the list had no end, nothing is known of what follows it.
      const result = isClosed || cursor.is(ARROW) ? this.result(name) : undefined;
      this.items.push({ ...declared, generic, params, result, isBroken: !isWhole || result === undefined, end: cursor.taken() });
    } catch (caught) {
      if (caught === BROKEN) this.items.push({ ...declared, generic, params, result: undefined, isBroken: true, end: cursor.taken() });
      throw caught;
    }
    if (!cursor.startsDeclaration()) this.noBody();
  }

  /** What stands after the arrow; `undefined`, with its fault noted, where the declaration ends before it. */
  private result(name: Name): ReturnType<MemberReader["type"]> | undefined {
    const { cursor } = this;
    if (cursor.skip(ARROW)) return this.members.type();
    const message = `expected \`-> Result<T, E>\` after the parameters of ${quoteName(name.text)}, met nothing; say what the Tool returns`;
    if (cursor.startsLine() || cursor.startsItem(cursor.at)) {
      this.refuse("return-type", cursor.at - 1, message, name.text);
      return undefined;
    }
    return cursor.unexpected("`->` and what the Tool returns");
  }

  private noBody(): void {
    const { cursor } = this;
    if (cursor.is(EQUALS) || cursor.is(OPEN_BRACE)) {
      cursor.unexpected(
        "the end of the declaration",
        "a Tool has no body, its implementation is bound by the host; leave out `@tool` for a flow of the program",
      );
    }
    if (!cursor.startsLine() && !cursor.startsItem(cursor.at)) cursor.unexpected("the end of the declaration");
  }

  private refuse(code: DeclarationCode, index: number, message: string, about: string): void {
    this.cursor.fault(code, this.cursor.span(index), message, about);
  }

  /** Header and body, by brackets, strings and comments, to the next line that starts something (R32). */
  private skippedFlow(head: Head): void {
    const { cursor } = this;
    const keyword = cursor.at - 1;
    const doc = cursor.doc(head.first, keyword);
    let name: Name | undefined;
    if (cursor.is(WORD)) name = cursor.name("lower", "a flow's name", "flow");
    while (!cursor.is(END) && !(cursor.startsLine() && this.startsSomething(cursor.at))) {
      const kind = cursor.kind();
      const partner = cursor.partner();
      if (partner > cursor.at) cursor.at = partner;
      else if (kind === OPEN_BRACE || kind === OPEN_PAREN || kind === OPEN_BRACKET) this.unclosed();
      cursor.at++;
    }
    this.items.push({ kind: "flow", name, isPublic: head.isPublic, doc, start: head.start, end: cursor.taken() });
  }

  /** What follows an opening bracket without partner is read as if it were not there, so that it hides no declaration. */
  private unclosed(): void {
    const bracket = this.cursor.textOf();
    const closing = bracket === "{" ? "}" : bracket === "(" ? ")" : "]";
    this.refuse("unclosed", this.cursor.at, `met \`${bracket}\` without its \`${closing}\`; close it`, bracket);
  }

  /** After a fault: to the next line outside of brackets on which a declaration starts, but always on. */
  private resynchronize(before: number): void {
    const { cursor } = this;
    if (cursor.at === before) cursor.at++;
    while (!cursor.is(END) && !(cursor.startsLine() && (cursor.startsItem(cursor.at) || this.startsBroken(cursor.at)))) {
      cursor.at = Math.max(cursor.at, cursor.partner()) + 1;
    }
  }

  /** What ends a skipped flow, at the start of a line: R32 names the words. */
  private startsSomething(index: number): boolean {
    const { cursor } = this;
    return cursor.kind(index) === AT || KEYWORDS.some((word) => cursor.isWord(word, index)) || cursor.hasDocLine(index);
  }

  /** Whether a declaration that is broken at its very start may start here: a keyword in the first column, and no field. */
  private startsBroken(index: number): boolean {
    const { cursor } = this;
    const start = cursor.start(index);
    if (start > 0 && cursor.tokens.text.charCodeAt(start - 1) !== 10) return false;
    const isField = cursor.kind(index + 1) === COLON || cursor.kind(index + 2) === COLON;
    return !isField && KEYWORDS.some((word) => cursor.isWord(word, index));
  }
}

function isName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code > 64 && code < 91) || (code > 96 && code < 123);
    if (!isLetter && (i === 0 || !((code > 47 && code < 58) || code === 95))) return false;
  }
  return text !== "";
}
