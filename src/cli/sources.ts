/** The Flow sources a command line names, as one program (R33). */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { ProgramSource, RepositorySource } from "../declarations/program.ts";
import { FlowError } from "../json/errors.ts";
import { decodeUtf8 } from "../json/text.ts";
import { type Io, misuse } from "./command.ts";
import { placed } from "./files.ts";

const ENDING = ".flow";
const MANIFEST = "flow.toml";

/** What `--repository`, `--root` and the files say. */
export interface SourceWords {
  readonly repositories: readonly string[];
  readonly root: string | undefined;
  readonly files: readonly string[];
}

/**
 * Reads a program's files.
 * @throws FlowError `usage` for words of another form, `file` for what cannot be read
 */
export async function readSources({ repositories, root, files }: SourceWords, io: Io): Promise<ProgramSource> {
  if (repositories.length === 0 && root === undefined && files.length === 0)
    throw misuse("name some Flow files, a --root or a --repository");
  const read = await Promise.all(repositories.map((word) => readRepository(word, io)));
  if (root === undefined && files.length === 0) return { repositories: read };
  return { repositories: read, local: { files: await readLocal(root, files, io) } };
}

/** `NAME@VERSION=DIR`: the last `=` and the last `@` before it part it, since names may hold both. */
async function readRepository(word: string, io: Io): Promise<RepositorySource> {
  const equals = word.lastIndexOf("=");
  const at = word.lastIndexOf("@", equals);
  if (at < 1 || equals < at + 2 || equals === word.length - 1)
    throw misuse(`expected --repository NAME@VERSION=DIR, met ${JSON.stringify(word)}`);
  const directory = placed(word.slice(equals + 1), io);
  return { repository: word.slice(0, at), version: word.slice(at + 1, equals), files: await readTree(directory, directory) };
}

/** The local files by their path from the root: the one named, else the folder of the nearest flow.toml, else here. */
async function readLocal(root: string | undefined, files: readonly string[], io: Io): Promise<Record<string, string>> {
  const places = files.filter((file) => file !== "-").map((file) => placed(file, io));
  const base = root === undefined ? await nearestRoot(places[0] ?? io.cwd, io) : placed(root, io);
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  if (files.length === 0) return readTree(base, base);
  if (files.includes("-")) texts[`stdin${ENDING}`] = textOf(await io.readInput(), "standard input");
  for (const place of places) Object.assign(texts, await readTree(base, place));
  return texts;
}

/** All Flow files at or below a place, by their path from `base`. */
async function readTree(base: string, place: string): Promise<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null) as Record<string, string>;
  const found = await stat(place).catch((cause: unknown) => {
    throw new FlowError("file", `${place} cannot be read: ${(cause as Error).message}`, { cause });
  });
  const paths = found.isDirectory() ? await flowFiles(place) : [place];
  for (const path of paths) {
    const name = relative(base, path);
    if (name.startsWith("..") || isAbsolute(name)) throw misuse(`${path} lies outside the root ${base}; name another --root`);
    texts[name.split(sep).join("/")] = textOf(await readFile(path), path);
  }
  return texts;
}

async function flowFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : flowFiles(path);
      return entry.isFile() && entry.name.endsWith(ENDING) ? [path] : [];
    }),
  );
  return lists.flat().sort();
}

function textOf(bytes: Uint8Array, name: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new FlowError("file", `${name} is not UTF-8`);
  return text;
}

/** The folder of the nearest flow.toml at or above a place; where the command was started, where there is none (R19). */
async function nearestRoot(place: string, io: Io): Promise<string> {
  for (let directory = place; ; directory = dirname(directory)) {
    if (await exists(join(directory, MANIFEST))) return directory;
    if (dirname(directory) === directory) return io.cwd;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
