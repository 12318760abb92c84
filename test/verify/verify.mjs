/**
 * `npm run verify`: all that takes too long for `npm test`, one after the other: fuzzing for minutes, the soak of the host,
 * properties with ten times the runs, mutation tests of every room that has them. It takes hours where nothing is known of
 * the mutants yet. `npm run verify -- NAME…` runs some of it.
 *
 * The last line is `N of M passed` with what did not; the status is 1 where something did not.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOMS } from "../mutation/rooms.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/** What is run, by name: arguments of Node, and changes of the environment. */
const STEPS = {
  build: [["build.mjs", "--no-types"]],
  fuzz: [["test/fuzz/fuzz.mjs", "120"]],
  soak: [["test/soak/soak.mjs"]],
  properties: [[VITEST, "run", "--config", "test/verify/properties.config.mjs", "--reporter=dot"], { FLOW_HOST_RUNS: "x10" }],
  ...Object.fromEntries(Object.keys(ROOMS).map((room) => [`mutate ${room}`, [["test/mutation/mutate.mjs", room]]])),
};

/**
 * Runs steps one after the other, whatever becomes of each.
 * @param {Readonly<Record<string, readonly [readonly string[], Readonly<Record<string, string>>?]>>} steps
 * @returns {Promise<{ text: string, failed: readonly string[] }>} the summary, and what failed
 */
export async function runSteps(steps, log = console.log) {
  const failed = [];
  for (const [name, [words, env]] of Object.entries(steps)) {
    log(`\n== ${name}`);
    const start = performance.now();
    const status = await node(words, env);
    if (status !== 0) failed.push(name);
    log(`== ${name}: ${status === 0 ? "passed" : `failed with ${status}`}, ${Math.round((performance.now() - start) / 1_000)} s`);
  }
  const count = Object.keys(steps).length;
  const text = `${count - failed.length} of ${count} passed${failed.length === 0 ? "" : `; failed: ${failed.join(", ")}`}`;
  return { text, failed };
}

/** Runs Node, its output passing through. @returns {Promise<number | string>} its status, or what ended it */
function node(words, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", ({ message }) => resolve(message));
    child.on("close", (status, signal) => resolve(status ?? signal ?? "no status"));
  });
}

/** The steps of these names, or whose names begin so; all where none is named. @throws Error for a name of none */
export function stepsNamed(names, steps = STEPS) {
  const unknown = names.filter((name) => !Object.keys(steps).some((step) => step.startsWith(name)));
  if (unknown.length > 0) throw new Error(`no step ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}`);
  return Object.fromEntries(Object.entries(steps).filter(([step]) => names.length === 0 || names.some((name) => step.startsWith(name))));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { text, failed } = await runSteps(stepsNamed(process.argv.slice(2)));
    console.log(`\n${text}`);
    process.exitCode = failed.length === 0 ? 0 : 1;
  } catch ({ message }) {
    console.error(message);
    process.exitCode = 2;
  }
}
