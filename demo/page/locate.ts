/** Where in a JSON text something stands: the value at a JSON Pointer, the token at an offset. */
import { segmentsOf } from "./shape.ts";

/** UTF-16 code units from the start; empty at the end of the text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Line and column, both from 1. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** The token that starts at an offset: a string, a number or word, an escape, otherwise one character. */
export function tokenAt(text: string, offset: number): Range {
  if (offset >= text.length) return { start: text.length, end: text.length };
  const token = /"(?:[^"\\\n]|\\.)*"?|\\u[0-9a-fA-F]{1,4}|\\.|[\w.+-]+|./suy;
  token.lastIndex = offset;
  const length = token.exec(text)?.[0].length ?? 1;
  return { start: offset, end: offset + length };
}

/**
 * Finds a value by its pointer, in a text whose JSON is well-formed.
 * @param whole Whether a member's name belongs to it.
 * @returns the value, or the innermost value around it that the text has
 */
export function locate(text: string, pointer: string, whole = false): Range {
  return new Locator(text, whole).find(segmentsOf(pointer));
}

class Locator {
  private readonly text: string;
  private readonly whole: boolean;
  private at = 0;

  constructor(text: string, whole: boolean) {
    this.text = text;
    this.whole = whole;
  }

  find(path: readonly string[]): Range {
    this.space();
    let start = this.at;
    let named = start;
    for (const segment of path) {
      const entered = this.enter(segment);
      if (entered === undefined) return this.rangeFrom(start, start);
      named = entered;
      start = this.at;
    }
    return this.rangeFrom(this.whole ? named : start, start);
  }

  /** From a start to the end of the value that begins at `value`. */
  private rangeFrom(start: number, value: number): Range {
    this.at = value;
    this.skip();
    return { start, end: Math.min(this.at, this.text.length) };
  }

  /**
   * Moves from the start of an array or object to the start of one of its items or members.
   * @returns where that begins, its name included; undefined where there is none
   */
  private enter(segment: string): number | undefined {
    const opening = this.text[this.at];
    if (opening !== "[" && opening !== "{") return undefined;
    this.at++;
    for (let index = 0; ; index++) {
      this.space();
      const start = this.at;
      if (start >= this.text.length || this.text[start] === "]" || this.text[start] === "}") return undefined;
      let name = String(index);
      if (opening === "{") {
        this.skip();
        name = nameOf(this.text.slice(start, this.at));
        this.space();
        this.at++; // the colon
        this.space();
      }
      if (name === segment) return start;
      this.skip();
      this.space();
      this.at++; // the comma, or the closing bracket
      if (this.text[this.at - 1] !== ",") return undefined;
    }
  }

  /** Moves past one value, however deep it is. */
  private skip(): void {
    const { text } = this;
    let depth = 0;
    do {
      this.space();
      const unit = text[this.at];
      if (unit === "{" || unit === "[") depth++;
      else if (unit === "}" || unit === "]") depth--;
      this.at = unit === "," || unit === ":" ? this.at + 1 : tokenAt(text, this.at).end;
    } while (depth > 0 && this.at < text.length);
  }

  private space(): void {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at++;
  }
}

function nameOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return "";
  }
}
