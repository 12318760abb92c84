/** Types where they are used: names with arguments, tuples, functions (R32). */
import { BOUNDS } from "../types/shape.ts";
import { BROKEN, type Cursor, quoteName } from "./cursor.ts";
import { ARROW, CLOSE_PAREN, COLON, COMMA, DOT, GREATER, LESS, OPEN_PAREN, WORD } from "./lexer.ts";
import type { FunctionNode, Name, NamedNode, Span, TypeNode } from "./syntax.ts";

/** A Tool's `Result` stands around its roots and is no term itself, so one level more may be written there. */
const MAX_DEPTH = BOUNDS.depth + 1;

export class TypeReader {
  private readonly cursor: Cursor;
  /** Unclosed `<` around the token at hand, so that whoever recovers knows which commas are its own. */
  angles = 0;
  /** The closing bracket of the outermost parenthesis around the token at hand, -1 outside of all. */
  closer = -1;
  private anglesAtCloser = 0;

  constructor(cursor: Cursor) {
    this.cursor = cursor;
  }

  /** Forgets what an abandoned type left open. */
  reset(): void {
    this.angles = 0;
    this.closer = -1;
  }

  /** Moves out of the parentheses in which a type was abandoned. */
  leaveParentheses(): void {
    if (this.closer < 0) return;
    this.cursor.at = Math.max(this.cursor.at, this.closer + 1);
    this.angles = this.anglesAtCloser;
    this.closer = -1;
  }

  /**
   * One type. Recursion ends at the depth that a description may have (R24).
   * @throws Broken after the fault is noted.
   */
  type(depth = 1): TypeNode {
    const { cursor } = this;
    if (depth > MAX_DEPTH) {
      cursor.fault(
        "bounds",
        cursor.span(),
        `expected a type at most ${BOUNDS.depth} levels deep (R24); name its inner parts`,
        cursor.textOf(),
      );
      throw BROKEN;
    }
    if (cursor.is(OPEN_PAREN)) return this.parenthesis(depth);
    if (!cursor.is(WORD)) cursor.unexpected("a type");
    return this.named(depth);
  }

  private named(depth: number): NamedNode {
    const { cursor } = this;
    const start = cursor.start();
    const isQualified = cursor.kind(cursor.at + 1) === DOT;
    const alias = isQualified ? cursor.name("lower", "the alias of a file", "alias") : undefined;
    if (isQualified) cursor.at++;
    const name = cursor.name("upper", isQualified ? "a type's name after the point" : "a type", "type");
    return { kind: "named", alias, name, args: this.arguments(depth), start, end: cursor.taken() };
  }

  private arguments(depth: number): readonly TypeNode[] {
    const { cursor } = this;
    if (!cursor.is(LESS)) return [];
    cursor.at++;
    this.angles++;
    const args: TypeNode[] = [];
    do {
      if (args.length > 0 && cursor.is(GREATER)) break;
      // No type is followed by a colon: this is the next member, and the `>` is what is missing.
      if (args.length > 0 && cursor.is(WORD) && cursor.kind(cursor.at + 1) === COLON) cursor.unexpected("`>`", "close the type arguments");
      args.push(this.type(depth + 1));
    } while (cursor.skip(COMMA));
    if (!cursor.skip(GREATER)) cursor.unexpected("`,` or `>`");
    this.angles--;
    return args;
  }

  /** `(A, B)`, `(A, B) -> C`. */
  private parenthesis(depth: number): TypeNode {
    const { cursor } = this;
    const open = cursor.at;
    const start = cursor.start();
    const close = cursor.partner();
    if (close < 0) {
      cursor.fault("unclosed", cursor.span(), "met `(` without its `)`; close the parenthesis", "(");
      throw BROKEN;
    }
    const isOutermost = this.closer < 0;
    if (isOutermost) {
      this.closer = close;
      this.anglesAtCloser = this.angles;
    }
    cursor.at++;
    const parts: TypeNode[] = [];
    while (cursor.at < close) {
      parts.push(this.type(depth + 1));
      if (cursor.at < close && !cursor.skip(COMMA)) cursor.unexpected("`,` or `)`");
    }
    if (!cursor.skip(CLOSE_PAREN)) cursor.unexpected("`)`");
    if (isOutermost) this.closer = -1;
    if (cursor.is(ARROW)) return this.func(start, parts, depth);
    const whole = { start, end: cursor.taken() };
    if (parts.length < 2) this.refuseSmall(open, whole, parts);
    return { kind: "tuple", parts, ...whole };
  }

  private func(start: number, params: readonly TypeNode[], depth: number): FunctionNode {
    const { cursor } = this;
    cursor.at++;
    const result = this.type(depth + 1);
    return { kind: "function", params, result, start, end: cursor.taken() };
  }

  private refuseSmall(open: number, whole: Span, parts: readonly TypeNode[]): void {
    const { cursor } = this;
    const advice = parts.length === 0 ? "write `Unit` for no value, or `() -> T` for a function" : "write the type without parentheses";
    const met = cursor.tokens.text.slice(whole.start, Math.min(whole.end, whole.start + 40));
    cursor.fault("syntax", cursor.span(open), `expected a tuple of at least two types, met ${quoteName(met)}; ${advice}`, "(");
  }
}

/**
 * Type parameters: `<T, U>`, none where no `<` is at hand.
 * @throws Broken after the fault is noted.
 */
export function readGeneric(cursor: Cursor): readonly Name[] {
  if (!cursor.skip(LESS)) return [];
  const names: Name[] = [];
  do {
    if (names.length > 0 && cursor.is(GREATER)) break;
    names.push(cursor.name("upper", "a type parameter's name", "type-parameter"));
  } while (cursor.skip(COMMA));
  if (!cursor.skip(GREATER)) cursor.unexpected("`,` or `>`");
  return names;
}
