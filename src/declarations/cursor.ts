/** A place in the tokens of a file, with what every part of the parser does there: look, take, refuse, mark. */
import type { DeclarationCode } from "./codes.ts";
import { FaultList } from "./diagnostic.ts";
import { AT, END, NUMBER, OTHER, STRING, type TokenKind, type Tokens, WORD } from "./lexer.ts";
import type { Name, Span } from "./syntax.ts";

/** What a word stands for, once the parser knows. */
export const WORD_ROLES = ["none", "keyword", "type", "constructor", "type-parameter", "field", "parameter", "flow", "alias"] as const;
export type WordRole = (typeof WORD_ROLES)[number];
const ROLE_NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(WORD_ROLES.map((role, i) => [role, i]));
const KEYWORD = ROLE_NUMBERS["keyword"] as number;

/** Thrown after a fault was noted, up to whoever can go on behind it. Nothing is known about it but that it happened. */
export const BROKEN: unique symbol = Symbol("broken");

/** Shown of a long name or text inside a sentence. */
const QUOTED = 60;

export class Cursor {
  readonly tokens: Tokens;
  /** The index of the token at hand. */
  at: number = 0;
  readonly faults: FaultList = new FaultList();
  /** By token index, the index of its role in {@link WORD_ROLES}. */
  readonly roles: Uint8Array;
  /** The first doc line that has not been passed; docs are asked for in order. */
  private nextDoc = 0;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
    this.roles = new Uint8Array(tokens.kinds.length);
  }

  kind(index: number = this.at): TokenKind {
    return this.tokens.kinds[index] ?? END;
  }

  is(kind: TokenKind): boolean {
    return this.kind() === kind;
  }

  isWord(word: string, index: number = this.at): boolean {
    const { kinds, starts, ends, text } = this.tokens;
    if (kinds[index] !== WORD) return false;
    const start = starts[index] as number;
    return (ends[index] as number) - start === word.length && text.startsWith(word, start);
  }

  start(index: number = this.at): number {
    return this.tokens.starts[index] ?? this.tokens.text.length;
  }

  end(index: number = this.at): number {
    return this.tokens.ends[index] ?? this.tokens.text.length;
  }

  /** Just past the last token that was taken. */
  taken(): number {
    return this.at === 0 ? 0 : this.end(this.at - 1);
  }

  partner(index: number = this.at): number {
    return this.tokens.partners[index] ?? -1;
  }

  startsLine(index: number = this.at): boolean {
    return this.tokens.first[index] ?? true;
  }

  span(index: number = this.at): Span {
    return { start: this.start(index), end: this.end(index) };
  }

  textOf(index: number = this.at): string {
    return this.tokens.text.slice(this.start(index), this.end(index));
  }

  /** Takes a token of this kind if it is at hand. */
  skip(kind: TokenKind): boolean {
    if (this.kind() !== kind) return false;
    this.at++;
    return true;
  }

  /** Takes a keyword if it is at hand. */
  skipWord(word: string): boolean {
    if (!this.isWord(word)) return false;
    this.roles[this.at] = KEYWORD;
    this.at++;
    return true;
  }

  /** Notes a fault; reading goes on. */
  fault(code: DeclarationCode, span: Span, message: string, about: string): void {
    this.faults.add({ code, start: span.start, end: span.end, message, about });
  }

  /** Notes that something else stands at hand than what was expected, and gives up. */
  unexpected(expected: string, advice = ""): never {
    this.note(expected, advice);
    throw BROKEN;
  }

  /** Notes that something else stands at hand than what was expected. */
  note(expected: string, advice = ""): void {
    if (this.faults.isFull) return;
    const met = this.describe();
    this.fault("syntax", this.span(), `expected ${expected}, met ${met}${advice === "" ? "" : `; ${advice}`}`, this.textOf());
  }

  /** The token at hand inside a sentence. */
  describe(): string {
    switch (this.kind()) {
      case END:
        return "the end of the file";
      case STRING:
        return `the text ${shorten(this.textOf())}`;
      case NUMBER:
        return `the number ${shorten(this.textOf())}`;
      case OTHER:
        return otherCharacter(this.textOf());
      default:
        return quoteName(this.textOf());
    }
  }

  /** Whether a declaration starts here, told apart from a member that is named like a keyword. */
  startsItem(index: number = this.at): boolean {
    if (this.kind(index) === AT) return true;
    if (this.kind(index) !== WORD) return false;
    if (this.isWord("use", index)) return this.kind(index + 1) === STRING;
    const rest = this.isWord("pub", index) ? index + 1 : index;
    const isOpaque = this.isWord("opaque", rest);
    const keyword = isOpaque ? rest + 1 : rest;
    if (!this.isWord("type", keyword) && (isOpaque || !this.isWord("flow", keyword))) return false;
    return this.kind(keyword + 1) === WORD;
  }

  /** Whether a declaration starts here on a line of its own: nothing that is still open reaches past it. */
  startsDeclaration(index: number = this.at): boolean {
    return this.startsLine(index) && this.startsItem(index);
  }

  /** A name of the right case; one of the wrong case is noted and taken. */
  name(wants: "upper" | "lower", what: string, role: WordRole, advice = ""): Name {
    if (!this.is(WORD) || this.startsDeclaration()) this.unexpected(what, advice);
    const name: Name = { text: this.textOf(), start: this.start(), end: this.end() };
    this.roles[this.at] = ROLE_NUMBERS[role] as number;
    this.at++;
    const isUpper = name.text.charCodeAt(0) < 97;
    if (isUpper !== (wants === "upper")) {
      const first = name.text[0] as string;
      const turned = quoteName((wants === "upper" ? first.toUpperCase() : first.toLowerCase()) + name.text.slice(1));
      const letter = wants === "upper" ? "an upper-case" : "a lower-case";
      this.fault("name-case", name, `expected ${what}, met ${quoteName(name.text)}; start it with ${letter} letter: ${turned}`, name.text);
    }
    return name;
  }

  /**
   * The doc before a token, or before one of those up to `last` (a doc may stand between `@tool` and its flow). Asked for
   * in ascending order.
   */
  doc(index: number, last: number = index): string | null {
    const { docs, text } = this.tokens;
    while (this.nextDoc < docs.length && (docs[this.nextDoc]?.before as number) < index) this.nextDoc++;
    let doc: string | null = null;
    for (let next = docs[this.nextDoc]; next !== undefined && next.before <= last; next = docs[++this.nextDoc]) {
      // `///` and one following space go (R17); whatever else is there belongs to the text.
      const line = text.slice(next.start + (text.charCodeAt(next.start + 3) === 32 ? 4 : 3), next.end);
      doc = doc === null ? line : `${doc}\n${line}`;
    }
    return doc;
  }

  /** Whether a doc line stands before a token, on a line of its own. */
  hasDocLine(index: number): boolean {
    const { docs } = this.tokens;
    let low = 0;
    let high = docs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((docs[middle]?.before as number) < index) low = middle + 1;
      else high = middle;
    }
    for (let doc = docs[low]; doc !== undefined && doc.before === index; doc = docs[++low]) if (doc.startsLine) return true;
    return false;
  }
}

/** A name inside a sentence. */
export function quoteName(name: string): string {
  return `\`${shorten(name)}\``;
}

/** A long text cut to what a sentence can carry. */
export function shorten(text: string): string {
  if (text.length <= QUOTED) return text;
  const cut = QUOTED - 8;
  // Not between the halves of a surrogate pair.
  const isSplit = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, isSplit ? cut - 1 : cut)}…`;
}

/** A character that declarations have no use for; those that cannot be seen are named by their number. */
function otherCharacter(character: string): string {
  const code = character.codePointAt(0) as number;
  const isVisible = (code > 32 && code < 127) || (code > 0xbf && !(code >= 0x2000 && code < 0x2070) && code < 0xd800) || code > 0x1f000;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return isVisible ? `\`${character}\`` : `the character ${number}`;
}
