/** What is refused in declarations, and how it is shown. */
import type { DeclarationCode } from "./codes.ts";
import { SourceText } from "./source.ts";

/** One refusal, as plain data. */
export interface Diagnostic {
  /** Stable, of the closed list {@link DECLARATION_CODES}. */
  readonly code: DeclarationCode;
  /** `repository@version/path`, the path of a local file, or empty where the program as a whole is refused. */
  readonly file: string;
  /** From 1; 0 where the program as a whole is refused. */
  readonly line: number;
  /** From 1, in UTF-16 code units; 0 where the program as a whole is refused. */
  readonly column: number;
  /** Just past what was refused; absent where it spans lines. */
  readonly endColumn?: number;
  /** What was met, what was expected, and what to do. */
  readonly message: string;
  /** The name, path or text that the refusal is about. */
  readonly about: string;
}

/** A refusal inside a file, by offsets. */
export interface Fault {
  readonly code: DeclarationCode;
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly about: string;
}

/** So many faults of one file are listed. A file past it is no Flow file, and listing each of its characters helps nobody. */
export const MAX_FAULTS = 1_000;

/** The faults of one file, as they are found. */
export class FaultList {
  readonly faults: Fault[] = [];
  private hasMore = false;

  add(fault: Fault): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
    else this.hasMore = true;
  }

  /** Whether further faults only count. */
  get isFull(): boolean {
    return this.hasMore;
  }

  /** As diagnostics, in the order of their places. */
  diagnostics(file: string, source: SourceText): Diagnostic[] {
    const sorted = [...this.faults].sort((a, b) => a.start - b.start || a.end - b.end);
    const diagnostics = sorted.map(({ code, start, end, message, about }): Diagnostic => {
      const from = source.position(start);
      const to = source.position(end);
      const place = { code, file, line: from.line, column: from.column };
      return from.line === to.line ? { ...place, endColumn: to.column, message, about } : { ...place, message, about };
    });
    const last = diagnostics.at(-1);
    if (this.hasMore && last !== undefined) {
      const message = `met more than ${MAX_FAULTS} faults in this file; correct these first`;
      diagnostics.push({ code: "too-many", file, line: last.line, column: last.column, message, about: file });
    }
    return diagnostics;
  }
}

/** A refusal of the program as a whole. */
export function programDiagnostic(code: DeclarationCode, message: string, about: string): Diagnostic {
  return { code, file: "", line: 0, column: 0, message, about };
}

/** How much of a long line is shown around its caret. */
const SHOWN = 120;

/**
 * A diagnostic with the line it is about and a caret under the place:
 *
 *     error[unknown-name]: there is no type `Missing` in main.flow; ...
 *      --> main.flow:1:13
 *       |
 *     1 | type A { x: Missing }
 *       |             ^^^^^^^
 *
 * @param text The text of the file that the diagnostic names; without it only the first two lines are given.
 */
export function renderDiagnostic(diagnostic: Diagnostic, text?: string | SourceText): string {
  const { code, file, line, column, message } = diagnostic;
  const head = `error[${code}]: ${message}`;
  if (line === 0) return head;
  const place = ` --> ${file}:${line}:${column}`;
  const shown = text === undefined ? undefined : (typeof text === "string" ? new SourceText(text) : text).line(line);
  const margin = " ".repeat(String(line).length);
  if (shown === undefined) return `${head}\n${margin}${place.slice(1)}`;
  const { excerpt, before, under } = excerptOf(shown, column - 1, (diagnostic.endColumn ?? shown.length + 1) - 1);
  const caret = `${blank(before)}${"^".repeat(Math.max(1, codePoints(under)))}`;
  return `${head}\n${margin}${place.slice(1)}\n${margin} |\n${line} | ${excerpt}\n${margin} | ${caret}`;
}

/** The part of a line that is shown, what of it stands before the caret, and what above it. */
function excerptOf(
  line: string,
  start: number,
  end: number,
): { readonly excerpt: string; readonly before: string; readonly under: string } {
  if (line.length <= SHOWN)
    return { excerpt: printable(line), before: line.slice(0, start), under: line.slice(start, Math.max(end, start)) };
  const from = boundary(line, Math.max(0, Math.min(start - SHOWN / 2, line.length - SHOWN)));
  const to = boundary(line, Math.min(line.length, from + SHOWN));
  const left = from > 0 ? "…" : "";
  const right = to < line.length ? "…" : "";
  return {
    excerpt: printable(left + line.slice(from, to) + right),
    before: left + line.slice(from, start),
    under: line.slice(start, Math.min(Math.max(end, start), to)),
  };
}

/** Not between the halves of a surrogate pair. */
function boundary(line: string, at: number): number {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Control characters could move the cursor of a terminal; tabs stay, and stand in the caret line too. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, "\u00b7");
}

function blank(text: string): string {
  let spaces = "";
  for (const character of text) spaces += character === "\t" ? "\t" : " ";
  return spaces;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
