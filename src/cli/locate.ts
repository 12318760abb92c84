/** Showing the place of an error in the JSON text it was found in, with a caret. */
import type { FlowError } from "../json/errors.ts";
import { splitPointer } from "../json/pointer.ts";

/** How much of a long line is shown around the caret. */
const SHOWN = 100;

/** The line of the place and a caret below it; empty where the place cannot be found. */
export function locate(text: string, error: FlowError): string {
  const offset = error.offset ?? (typeof error.at === "string" ? offsetOf(text, splitPointer(error.at)) : undefined);
  if (offset === undefined || text === "") return "";
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const newline = text.indexOf("\n", offset);
  const line = text.slice(start, newline < 0 ? text.length : newline).replace(/[\t\r]/g, " ");
  const column = offset - start;
  const from = Math.max(0, Math.min(column - SHOWN / 2, line.length - SHOWN));
  const number = text.slice(0, start).split("\n").length;
  const gutter = `${number} | `;
  const shown = line.slice(from, from + SHOWN);
  return `${gutter}${shown}\n${" ".repeat(gutter.length + column - from)}^\n`;
}

/**
 * Where the value a pointer names starts in a text. The text is known to be JSON with each member once, since its
 * faults as a text carry offsets of their own.
 */
export function offsetOf(text: string, segments: readonly string[]): number | undefined {
  const scanner = new Scanner(text);
  for (const segment of segments) {
    if (!scanner.enter(segment)) return undefined;
  }
  return scanner.at;
}

class Scanner {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.space();
  }

  /** Moves to a member or item of the value at hand. */
  enter(segment: string): boolean {
    const isObject = this.text[this.at] === "{";
    if (!isObject && this.text[this.at] !== "[") return false;
    this.at++;
    this.space();
    for (let index = 0; this.at < this.text.length && !"]}".includes(this.text[this.at] as string); index++) {
      let name = String(index);
      if (isObject) {
        name = this.string();
        this.space();
        this.at++;
        this.space();
      }
      if (name === segment) return true;
      this.skip();
      this.space();
      if (this.text[this.at] === ",") this.at++;
      this.space();
    }
    return false;
  }

  private space(): void {
    while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at++;
  }

  private string(): string {
    const start = this.at++;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  /** Passes over one value, containers by their brackets. */
  private skip(): void {
    let depth = 0;
    do {
      const character = this.text[this.at] as string;
      if (character === '"') this.string();
      else {
        if ("[{".includes(character)) depth++;
        if ("]}".includes(character)) depth--;
        this.at++;
      }
    } while (this.at < this.text.length && (depth > 0 || !",]} \t\r\n".includes(this.text[this.at] as string)));
  }
}
