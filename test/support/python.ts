/** The programs in Python that check this library's work a second time. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What runs them, as words of a command: no Python has to be installed. */
export const PYTHON: readonly string[] = [process.execPath, fileURLToPath(new URL("./python.mjs", import.meta.url))];

export interface PythonRun {
  readonly status: number | null;
  readonly output: string;
  /** What it wrote to its standard error. */
  readonly errors: string;
}

/**
 * Runs a program.
 * @param program its path
 * @param input what it reads from its standard input
 */
export function runPython(program: string, args: readonly string[], input = ""): PythonRun {
  const [command, ...words] = PYTHON as [string, ...string[]];
  const { error, status, stdout, stderr } = spawnSync(command, [...words, program, ...args], {
    encoding: "utf8",
    input,
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) throw error;
  return { status, output: stdout, errors: stderr };
}
