/** Tells whether a build can be skipped: a stamp beside the output says what it was made from and what it was. */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const STAMP = "stamp.json";
const { resolve } = createRequire(import.meta.url);

/** @param {(string | Uint8Array)[]} parts @returns {string} one hash of all parts, in which it matters where one ends */
export function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex");
}

/**
 * The names and texts of the files in a directory whose names end or look so.
 * @param {URL} directory ends in `/`
 * @param {string | RegExp} form
 * @returns {Promise<string[]>}
 */
export async function sourcesIn(directory, form) {
  const isMeant = (name) => (typeof form === "string" ? name.endsWith(form) : form.test(name));
  const names = (await readdir(directory)).filter(isMeant).sort();
  const texts = await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, directory), "utf8")]));
  return texts.flat();
}

/**
 * The versions of installed packages, without loading them.
 * @param {string[]} names
 * @returns {Promise<string[]>}
 */
export function versionsOf(names) {
  return Promise.all(
    names.map(async (name) => {
      for (const modules of resolve.paths(name) ?? []) {
        const manifest = await readFile(join(modules, name, "package.json"), "utf8").catch(() => null);
        if (manifest !== null) return `${name}@${JSON.parse(manifest).version}`;
      }
      throw new Error(`${name} is not installed`);
    }),
  );
}

/**
 * Whether the directory holds, unchanged, what was made from these inputs.
 * @param {string} directory
 * @param {string} inputs their hash
 * @returns {Promise<boolean>}
 */
export async function isUpToDate(directory, inputs) {
  try {
    const stamp = JSON.parse(await readFile(join(directory, STAMP), "utf8"));
    if (stamp.inputs !== inputs) return false;
    for (const [path, hash] of Object.entries(stamp.outputs)) {
      if (hashOf([await readFile(join(directory, path))]) !== hash) return false;
    }
    return true;
  } catch {
    return false; // no stamp, no output, or a build that was cut short
  }
}

/**
 * Writes the files anew, with the stamp, all at once.
 * @param {string} directory
 * @param {string} inputs their hash
 * @param {Map<string, string | Uint8Array>} files by path
 */
export async function writeStamped(directory, inputs, files) {
  // Beside, and then in its place: whoever builds or reads at the same time finds whole directories.
  const fresh = `${directory}.${process.pid}.new`;
  const old = `${directory}.${process.pid}.old`;
  const outputs = {};
  try {
    for (const [path, contents] of files) {
      const place = join(fresh, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, contents);
      outputs[path] = hashOf([contents]);
    }
    await writeFile(join(fresh, STAMP), `${JSON.stringify({ inputs, outputs }, null, 2)}\n`);
    await rename(directory, old).catch(() => {});
    await rename(fresh, directory);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
}

/** @param {string | URL} path @returns {string} the path as Node's path functions want it */
export function asPath(path) {
  return path instanceof URL ? fileURLToPath(path) : path;
}
