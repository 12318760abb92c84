/** What stands between the brackets of a declaration: fields, constructors, parameters, each with recovery at its comma. */
import { BROKEN, type Cursor } from "./cursor.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PAREN, COLON, COMMA, GREATER, LESS, OPEN_BRACE, OPEN_PAREN, WORD } from "./lexer.ts";
import type { ConstructorNode, FieldNode, ParameterNode, PayloadNode, TypeBody, TypeNode } from "./syntax.ts";
import { TypeReader } from "./types.ts";

interface ListBounds {
  /** Where the list ends at the latest, if its own bracket is missing. */
  readonly close: number;
  readonly isClosed: boolean;
}

export class MemberReader {
  private readonly cursor: Cursor;
  private readonly types: TypeReader;
  /** The closing bracket of the list around the token at hand, the end of the file outside of all. */
  private limit: number;
  /** Whether something since {@link take} could not be read. */
  private broken = false;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
    this.types = new TypeReader(cursor);
    this.limit = cursor.tokens.kinds.length - 1;
  }

  /** A type outside of brackets. @throws Broken */
  type(): TypeNode {
    this.types.reset();
    return this.types.type();
  }

  /** Whether something was broken, and forgets it. */
  take(): boolean {
    const { broken } = this;
    this.broken = false;
    return broken;
  }

  /** The body of a type: a record if it is empty or starts with a field (R32), an enum otherwise. */
  body(): TypeBody {
    const { cursor } = this;
    const open = cursor.at;
    if (this.startsField(open + 1)) {
      const fields: FieldNode[] = [];
      this.list("a field", "`,` or `}`", () => fields.push(this.field(true)));
      return { kind: "record", fields };
    }
    const constructors: ConstructorNode[] = [];
    this.list("a constructor", "`,` or `}`", () => constructors.push(this.constructorNode()));
    return { kind: "enum", constructors };
  }

  parameters(): readonly ParameterNode[] {
    const params: ParameterNode[] = [];
    this.list("a parameter", "`,` or `)`", () => {
      const name = this.cursor.name("lower", "a parameter's name", "parameter");
      this.colon("parameter");
      params.push({ name, type: this.types.type() });
    });
    return params;
  }

  private startsField(index: number): boolean {
    const { cursor } = this;
    return cursor.kind(index) === CLOSE_BRACE || this.isField(index);
  }

  private isField(index: number): boolean {
    const { cursor } = this;
    if (cursor.kind(index) !== WORD) return false;
    return cursor.kind(index + 1) === COLON || (cursor.isWord("pub", index) && cursor.kind(index + 2) === COLON);
  }

  /**
   * Reads from the opening bracket at hand to just past its closing one. A member that cannot be read is left at the next
   * comma of the list; a list whose end is missing ends where a declaration starts.
   */
  private list(what: string, separators: string, read: () => void): void {
    const { cursor } = this;
    const bracket = cursor.textOf();
    const isClosed = cursor.partner() >= 0;
    // Brackets that are closed nest, so a list without its end ends with the one around it.
    const outer = this.limit;
    const close = isClosed ? cursor.partner() : outer;
    if (!isClosed) {
      const closing = bracket === "{" ? "}" : ")";
      cursor.fault("unclosed", cursor.span(), `met \`${bracket}\` without its \`${closing}\`; close the list of members`, bracket);
      this.broken = true;
    }
    this.limit = close;
    this.items(what, separators, read, { close, isClosed });
    this.limit = outer;
  }

  private items(what: string, separators: string, read: () => void, { close, isClosed }: ListBounds): void {
    const { cursor } = this;
    cursor.at++;
    while (cursor.at < close && !cursor.faults.isFull) {
      if (cursor.startsDeclaration()) {
        if (isClosed) this.unexpected(`${what} or the end of the list`, "close the list before the next declaration");
        return;
      }
      const isWhole = this.member(close, read);
      if (cursor.at >= close || cursor.skip(COMMA)) continue;
      if (cursor.startsDeclaration()) {
        if (isWhole && isClosed) this.unexpected(separators, "close the list before the next declaration");
        return;
      }
      this.unexpected(separators, "part the members by commas");
      // A member on its own after the missing comma is read as one; anything else belongs to what was broken.
      if (cursor.is(WORD)) continue;
      this.leaveMember(close);
      cursor.skip(COMMA);
    }
    if (isClosed) cursor.at = close + 1;
  }

  /** Whether the member could be read. One that could not is left at its comma. */
  private member(close: number, read: () => void): boolean {
    this.types.reset();
    try {
      read();
      return true;
    } catch (caught) {
      if (caught !== BROKEN) throw caught;
      this.broken = true;
      this.types.leaveParentheses();
      this.leaveMember(close);
      return false;
    }
  }

  private unexpected(expected: string, advice: string): void {
    this.cursor.note(expected, advice);
    this.broken = true;
  }

  /** To the comma that ends a broken member, or to the end of the list. */
  private leaveMember(close: number): void {
    const { cursor } = this;
    let angles = this.types.angles;
    // A member was met inside of type arguments without their end: the comma before it is the list's own.
    if (angles > 0 && cursor.kind(cursor.at - 1) === COMMA && this.isField(cursor.at)) {
      cursor.at--;
      return;
    }
    while (cursor.at < close && !cursor.startsDeclaration()) {
      const kind = cursor.kind();
      // A `>` that is missing must not take the rest of the list with it.
      if (kind === COMMA && (angles <= 0 || this.startsMember(cursor.at + 1))) return;
      if (kind === LESS) angles++;
      else if (kind === GREATER) angles--;
      const isCloser = kind === CLOSE_PAREN || kind === CLOSE_BRACE || kind === CLOSE_BRACKET;
      const partner = isCloser ? -1 : cursor.partner();
      cursor.at = partner > cursor.at ? partner + 1 : cursor.at + 1;
    }
  }

  private startsMember(index: number): boolean {
    const { cursor } = this;
    return cursor.startsLine(index) && this.isField(index);
  }

  private field(mayBePublic: boolean): FieldNode {
    const { cursor } = this;
    const first = cursor.at;
    // A field may be named `pub`: then its colon follows.
    const isModifier = cursor.isWord("pub") && cursor.kind(first + 1) !== COLON;
    if (isModifier && !mayBePublic) cursor.note("a field's name", "the parts of a constructor are seen wherever it is; leave out `pub`");
    const isPublic = isModifier && cursor.skipWord("pub");
    const doc = cursor.doc(first, cursor.at);
    const name = cursor.name("lower", "a field's name", "field");
    this.colon("field");
    return { name, type: this.types.type(), doc, isPublic };
  }

  private colon(what: string): void {
    if (!this.cursor.skip(COLON)) this.cursor.unexpected(`\`:\` and the type of the ${what}`);
  }

  private constructorNode(): ConstructorNode {
    const { cursor } = this;
    const doc = cursor.doc(cursor.at);
    if (cursor.isWord("pub")) {
      cursor.note("a constructor", "constructors are as public as their type; leave out `pub`");
      cursor.at++;
    }
    const name = cursor.name("upper", "a constructor's name", "constructor");
    return { name, doc, payload: this.payload() };
  }

  private payload(): PayloadNode {
    const { cursor } = this;
    if (cursor.is(OPEN_BRACE)) {
      const named: FieldNode[] = [];
      this.list("a field", "`,` or `}`", () => named.push(this.field(false)));
      return { named };
    }
    if (!cursor.is(OPEN_PAREN)) return null;
    const positional: TypeNode[] = [];
    this.list("a type", "`,` or `)`", () => positional.push(this.types.type()));
    return { positional };
  }
}
