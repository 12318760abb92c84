/**
 * `npm run conformance -- DIR…`: runs every vector file below the directories against the built bundles, or with `--by COMMAND`
 * against another implementation.
 *
 * A file's base name says which suite it belongs to; `test/vectors/README.md` says what its vectors look like. One line for
 * each failure, and last `N passed, N failed`. The status is 1 if a vector failed, a file could not be used, or there was
 * nothing to run.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { foreign, NOT_THERE } from "./foreign.mjs";
import { SUITES } from "./suites/suites.mjs";

const DIST = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "dist");
const DISPUTED = "disputed";

/**
 * The built bundles that the suites ask.
 * @typedef {{ core?: object, declarations?: object, contracts?: object }} Modules
 */

/** @returns {Promise<Modules>} */
export async function loadModules() {
  const load = (file) => import(pathToFileURL(join(DIST, file)).href);
  return { core: await load("flow-host.js"), declarations: await load("declarations.js"), contracts: await load("contracts.js") };
}

/**
 * @param {readonly string[]} directories
 * @param {Modules} modules
 * @param {(line: string) => void} log
 * @param {ReturnType<typeof foreign>} [other] the implementation to ask in place of the bundles
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVectors(directories, modules, log, other) {
  const result = { passed: 0, failed: 0 };
  const fail = (line) => {
    result.failed += 1;
    log(`FAILED ${line}`);
  };

  const files = [];
  for (const directory of directories) {
    const found = await jsonFiles(directory).catch((error) => fail(error.message));
    if (found?.length === 0) fail(`${directory}: no vector files`);
    files.push(...(found ?? []));
  }
  const read = [];
  for (const path of files) {
    try {
      const list = JSON.parse(await readFile(path, "utf8"));
      if (!Array.isArray(list)) throw new Error("not an array");
      read.push({ path, suite: basename(path, ".json"), list });
    } catch (error) {
      fail(`${path}: ${error.message}`);
    }
  }

  const disputed = new Disputed();
  for (const { path, list } of read.filter(({ suite }) => suite === DISPUTED)) {
    for (const entry of list)
      if (!disputed.add(entry)) fail(`${path}: ${JSON.stringify(entry)} is no {"suite", "name", "why"} of a known suite`);
  }

  for (const { path, suite, list } of read.filter(({ suite }) => suite !== DISPUTED)) {
    const shown = relative(process.cwd(), path);
    if (!Object.hasOwn(SUITES, suite)) {
      fail(`${shown}: there is no suite of that name; the suites are ${Object.keys(SUITES).join(", ")}`);
      continue;
    }
    const run = other === undefined ? await SUITES[suite]() : (vector) => other.run(suite, vector);
    const names = new Set();
    for (const vector of list) {
      const label = `${suite}/${vector?.name}${vector?.ruling === undefined ? "" : ` (${vector.ruling})`}`;
      if (typeof vector?.name !== "string" || names.has(vector.name)) {
        fail(`${shown}: ${label}: each vector has a name of its own in its file`);
        continue;
      }
      names.add(vector.name);
      const why = await outcomeOf(run, vector, modules);
      if (why === NOT_THERE) {
        log(`${shown}: ${list.length} vectors not run, the implementation does not have this suite`);
        break;
      }
      if (disputed.met(suite, vector.name, why)) continue;
      if (why === undefined) result.passed += 1;
      else fail(`${shown}: ${label}: ${why}`);
    }
  }
  disputed.report(log);
  return result;
}

/** `undefined` if the vector is met, or else why not. */
async function outcomeOf(run, vector, modules) {
  try {
    return await run(vector, modules);
  } catch (error) {
    return `the suite broke off: ${error?.stack ?? error}`;
  }
}

/** Vectors held to be wrong or undecided: they are run, and told of apart. */
class Disputed {
  #entries = [];

  /** Takes `{"suite", "name", "why"}`. */
  add(entry) {
    const good = ["suite", "name", "why"].every((member) => typeof entry?.[member] === "string") && Object.hasOwn(SUITES, entry.suite);
    if (good) this.#entries.push({ ...entry, outcomes: [] });
    return good;
  }

  /** Takes note of an outcome if the vector is disputed. */
  met(suite, name, why) {
    const entry = this.#entries.find((one) => one.suite === suite && one.name === name);
    entry?.outcomes.push(why ?? "met");
    return entry !== undefined;
  }

  report(log) {
    for (const { suite, name, why, outcomes } of this.#entries) {
      log(`disputed ${suite}/${name} (${why}): ${outcomes.length === 0 ? "not in these directories" : outcomes.join("; ")}`);
    }
  }
}

async function jsonFiles(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, command] = process.argv.slice(2);
  const other = option === "--by" && command !== undefined ? foreign(command) : undefined;
  const directories = process.argv.slice(other === undefined ? 2 : 4);
  if (directories.length === 0 || directories[0].startsWith("-")) {
    console.error("usage: npm run conformance -- [--by COMMAND] DIR…");
    process.exitCode = 2;
  } else {
    const modules =
      other === undefined ? await loadModules().catch((error) => stop(`${error.message}\nnpm run build makes it`)) : undefined;
    const { passed, failed } = await runVectors(directories, modules, console.log, other);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  }
  other?.close();
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
