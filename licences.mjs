/**
 * The licences of what others wrote and bundles carry. MIT and its like ask for one thing, that their text goes along; a bundle
 * that is minified has lost it, so it stands in a file beside it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const TEXT = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;
const LINE = "-".repeat(100);

/** Packages that come without a text of their own, and the one of the same repository that has it. */
const SAME_REPOSITORY = { "@bytecodealliance/jco": "@bytecodealliance/jco-transpile" };

/** What `assemblyscript` compiled has parts of its library inside. jco's licence exempts what jco wrote. */
const COMPILED = { pattern: /(?:^|\/)dist\/components\/.*\.wasm$/, directory: "node_modules/assemblyscript" };

/**
 * The packages whose code a bundle carries.
 * @param {import("esbuild").Metafile} metafile
 * @returns {Set<string>} their directories, relative to where esbuild worked
 */
export function packagesIn(metafile) {
  const packages = new Set();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput === 0) continue;
      const [directory] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? [];
      if (directory !== undefined) packages.add(directory);
      else if (COMPILED.pattern.test(path)) packages.add(COMPILED.directory);
    }
  }
  return packages;
}

/**
 * The text that goes along with bundles.
 * @param {string} root what the directories are relative to
 * @param {Iterable<string>} directories of packages
 * @throws Error for a package without a licence or without its text: it must not be bundled
 */
export async function licencesText(root, directories) {
  const sections = await Promise.all([...directories].map((directory) => sectionOf(join(root, directory), root)));
  const [head, ...rest] = [
    "The files beside this one carry the work of others, under the licences below.\n",
    ...[...new Set(sections)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  ];
  return [head, ...rest].join(`\n${LINE}\n\n`);
}

async function sectionOf(directory, root) {
  const { name, version, license, homepage } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  if (typeof license !== "string") throw new Error(`${name} says under no licence how it may be passed on`);
  const elsewhere = SAME_REPOSITORY[name];
  const place = elsewhere === undefined ? directory : join(root, "node_modules", elsewhere);
  const files = (await readdir(place)).filter((file) => TEXT.test(file)).sort();
  if (files.length === 0) throw new Error(`${name} comes without the text of its licence, ${license}`);
  const texts = await Promise.all(files.map(async (file) => (await readFile(join(place, file), "utf8")).replaceAll("\r\n", "\n").trim()));
  return [[`${name} ${version}: ${license}`, ...(homepage === undefined ? [] : [homepage])].join("\n"), ...texts, ""]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}
