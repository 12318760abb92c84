/** Short ways to write programs and to look at what is refused of them. */
import type { Diagnostic } from "../../src/declarations/diagnostic.ts";
import type { ProgramSource } from "../../src/declarations/program.ts";
import { type ReadProgram, readProgram } from "../../src/declarations/read.ts";
import { canonicalText } from "../../src/json/write.ts";

/** A local root of one file `main.flow`, or of several. */
export function local(files: string | Readonly<Record<string, string>>): ProgramSource {
  return { repositories: [], local: { files: typeof files === "string" ? { "main.flow": files } : files } };
}

export async function diagnosticsOf(program: ProgramSource | string): Promise<readonly Diagnostic[]> {
  const read = await readProgram(typeof program === "string" ? local(program) : program);
  return read.diagnostics ?? [];
}

/** `code line:column about`, with the file in front where it is not main.flow. */
export async function refusals(program: ProgramSource | string): Promise<string[]> {
  return (await diagnosticsOf(program)).map(({ code, file, line, column, about }) => {
    const place = `${code} ${line}:${column} ${about}`;
    return file === "main.flow" ? place : `${file} ${place}`;
  });
}

/** The sentence of the only refusal. */
export async function sentence(program: ProgramSource | string): Promise<string> {
  const diagnostics = await diagnosticsOf(program);
  if (diagnostics.length !== 1) throw new Error(`expected one refusal, met ${JSON.stringify(diagnostics)}`);
  return diagnostics[0]?.message ?? "";
}

export async function accepted(program: ProgramSource | string): Promise<ReadProgram> {
  const read = await readProgram(typeof program === "string" ? local(program) : program);
  if (read.diagnostics !== undefined) throw new Error(`refused: ${JSON.stringify(read.diagnostics)}`);
  return read;
}

export function textOf(read: ReadProgram): string {
  return canonicalText(read.document, { depth: 1_000 });
}
