/** Checks of the tree as a whole. */
import { projectFiles } from "./files.mjs";

const MAX_LINES = 500;

/** The one file that may know of what lies beside the checkout. */
const OUTWARD = ".ci/run";

/** What only made sense to whoever wrote it. The patterns are put together, so as not to find themselves. */
const PRIVATE = [
  { pattern: new RegExp(["\\.\\.", "shared(?![\\w-])"].join("/")), what: "a folder outside the project" },
  { pattern: new RegExp(["", "work", "(?:main|shared)(?![\\w-])"].join("/")), what: "a folder of one machine" },
  { pattern: new RegExp(["\\bissue", "#?\\d+\\b"].join(" ?"), "i"), what: "an issue; say what it says" },
];

export const treeChecks = {
  "files of a readable length": async () => lengthFaults(await projectFiles("src")),
  "a lockfile for every registry": async () => lockfileFaults(await projectFiles("package-lock.json")),
  "exact versions": async () => versionFaults((await projectFiles("package.json")).get("package.json")),
  "nothing that points outside": async () => privateFaults(await projectFiles()),
};

/** @param {import("./files.mjs").Files} files @returns {string[]} */
export function lengthFaults(files) {
  return [...files]
    .map(([path, text]) => [path, text.split("\n").length - 1])
    .filter(([, lines]) => lines > MAX_LINES)
    .map(([path, lines]) => `${path} has ${lines} lines; past ${MAX_LINES} a file holds more than one thing`);
}

/** @param {import("./files.mjs").Files} files @returns {string[]} */
export function lockfileFaults(files) {
  const text = files.get("package-lock.json");
  if (text === undefined) return ["there is no package-lock.json"];
  const { packages } = JSON.parse(text);
  return Object.entries(packages)
    .filter(([, { resolved }]) => /^https?:/.test(resolved ?? ""))
    .map(
      ([path, { resolved }]) =>
        `${path} is pinned to ${resolved}; npm install --omit-lockfile-registry-resolved writes a lockfile without addresses`,
    );
}

/** @param {string} manifest the text of package.json @returns {string[]} */
export function versionFaults(manifest) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(manifest);
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range))
    .map(([name, range]) => `${name} is asked for as ${range}; name one version`);
}

/** @param {import("./files.mjs").Files} files @returns {string[]} */
export function privateFaults(files) {
  const faults = [];
  for (const [path, text] of files) {
    if (path === OUTWARD || path === "package-lock.json") continue;
    for (const [index, line] of text.split("\n").entries()) {
      for (const { pattern, what } of PRIVATE)
        if (pattern.test(line)) faults.push(`${path}:${index + 1} mentions ${what}: ${line.trim().slice(0, 120)}`);
    }
  }
  return faults;
}
