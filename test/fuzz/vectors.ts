/** The test vectors and other files of the project, as samples to start from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The project's root: bundles of these files stand elsewhere. */
const ROOT = process.cwd();

/** The entries of one file of `test/vectors/`. */
export function vectors(name: string): readonly Readonly<Record<string, unknown>>[] {
  return JSON.parse(fileText(`test/vectors/${name}.json`)) as Readonly<Record<string, unknown>>[];
}

export function fileText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** The files of a directory whose names end so. */
export function filesOf(directory: string, end: string): readonly string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(end))
    .sort()
    .map((path) => `${directory}/${path}`);
}
