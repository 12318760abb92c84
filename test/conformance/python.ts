/** The programs in Python that check this library's work a second time. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));

export interface PythonRun {
  readonly status: number | null;
  readonly output: string;
  /** What it wrote to its standard error. */
  readonly errors: string;
}

/**
 * Runs a program of this directory.
 * @param input what it reads from its standard input
 * @throws Error where there is no Python
 */
export function runPython(program: string, args: readonly string[], input = ""): PythonRun {
  const { error, status, stdout, stderr } = spawnSync("python3", [join(HERE, program), ...args], {
    encoding: "utf8",
    input,
    maxBuffer: 1 << 28,
  });
  if (error !== undefined) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no python3 on the PATH" : error.message;
    throw new Error(`${program} needs Python 3.11 or later: ${why}`);
  }
  return { status, output: stdout, errors: stderr };
}
