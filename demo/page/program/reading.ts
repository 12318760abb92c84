/** The declarations of a project, read: its Tools, or what is refused, with places for the editor. */
import { canonicalText } from "flow-host";
import { type Diagnostic, type ReadProgram, readProgram } from "flow-host/declarations";
import type { Mark } from "../editor/editor.ts";
import { fileOf, type Project, sourceOf } from "./project.ts";

export interface Reading {
  readonly program: ReadProgram;
  /** The `tools` output, canonical. */
  readonly text: string;
}

export interface RefusedReading {
  readonly diagnostics: readonly Diagnostic[];
}

export async function readProject(project: Project): Promise<Reading | RefusedReading> {
  const program = await readProgram(sourceOf(project));
  if (program.diagnostics !== undefined) return { diagnostics: program.diagnostics };
  return { program, text: canonicalText(program.document) };
}

/** Places in the texts, by file. */
export function marksOf(diagnostics: readonly Diagnostic[], { files }: Project): ReadonlyMap<string, readonly Mark[]> {
  const marks = new Map<string, Mark[]>();
  for (const diagnostic of diagnostics) {
    const file = fileOf(diagnostic.file);
    const text = files[file];
    if (text === undefined) continue;
    const list = marks.get(file) ?? [];
    list.push(markOf(diagnostic, text));
    marks.set(file, list);
  }
  return marks;
}

export function markOf({ line, column, endColumn, message }: Diagnostic, text: string): Mark {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const from = before + column - 1;
  const to = endColumn === undefined ? before + (lines[line - 1]?.length ?? 0) : before + endColumn - 1;
  return { from, to: Math.max(to, from + 1), message };
}
