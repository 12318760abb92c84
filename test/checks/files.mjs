/** The project's files, for the checks. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../build.mjs";

const run = promisify(execFile);

/**
 * The texts of files by their paths in the project, with `/`.
 * @typedef {ReadonlyMap<string, string>} Files
 */

/**
 * The project's files: those under version control and new ones, not what is ignored, generated or installed.
 * @param {string[]} patterns of git: `src`, `*.mjs`
 * @returns {Promise<Files>}
 */
export async function projectFiles(...patterns) {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...patterns];
  const { stdout } = await run("git", list, { cwd: ROOT, maxBuffer: 1 << 26 });
  const paths = [...new Set(stdout.split("\0"))].filter((path) => path !== "").sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(ROOT, path), "utf8").catch(() => undefined)));
  // A file that was deleted but not yet committed is still listed.
  return new Map(paths.map((path, index) => [path, texts[index]]).filter(([, text]) => text !== undefined));
}
