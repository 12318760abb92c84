/**
 * `npm test`: builds, then runs the checks, the Node tests, the vectors and the browser tests, one after the other.
 *
 * The last line of standard output is `N passed, N failed`, over every check, test and vector. A suite that can't run, breaks
 * off, or ends badly without naming a failure counts as one: nothing that did not pass looks as if it had.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { requireChromium } from "./browser/chromium.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const VITEST = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
/** Past it a suite hangs. All of them together have a quarter of an hour. */
const SUITE_MS = 8 * 60_000;

/** What a suite came to: how many passed, and a line or more for each failure. */
const NOTHING = { passed: 0, failures: [] };

const SUITES = {
  build: async () => ({ ...NOTHING, failures: ended(await node(["build.mjs"])) }),
  check: async () => counted(await node(["test/checks/check.mjs"])),
  "node tests": () => vitest("node"),
  conformance: async () => counted(await node(["test/conformance/conformance.mjs", "test/vectors", ...vectorDirectories()])),
  "browser tests": () => vitest("browser", { FLOW_HOST_CHROMIUM: requireChromium() }),
};

function vectorDirectories() {
  return (process.env.FLOW_HOST_VECTORS ?? "").split(delimiter).filter((directory) => directory !== "");
}

/** Runs Node with these arguments, its output passing through. */
function node(args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, SUITE_MS);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stdout.write(text);
    });
    child.on("error", (error) => resolve({ output, status: null, how: error.message }));
    child.on("close", (status, signal) => {
      clearTimeout(timer);
      resolve({ output, status, how: hung ? `stopped after ${SUITE_MS / 60_000} minutes` : `ended with ${signal ?? `status ${status}`}` });
    });
  });
}

/** The failures of a command that has nothing to count. */
function ended({ status, how }) {
  return status === 0 ? [] : [how];
}

/** The result of a command whose last line is `N passed, N failed`, and who has said of each failure what it is. */
function counted({ output, status, how }) {
  const [, passed, failed] = /(?:^|\n)(\d+) passed, (\d+) failed\n?$/.exec(output) ?? [];
  if (passed === undefined) return { ...NOTHING, failures: [`${how} without a result`] };
  const failures = Array.from({ length: Number(failed) }, () => "");
  return { passed: Number(passed), failures: failures.length === 0 ? ended({ status, how }) : failures };
}

/** Runs a project of vitest.config.mjs. What was not run, because it was skipped or left to do, has not passed. */
async function vitest(project, env = {}) {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-test-"));
  try {
    const file = join(directory, "results.json");
    const args = ["run", "--project", project, "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
    const run = await node([VITEST, ...args], env);
    const { testResults } = JSON.parse(await readFile(file, "utf8"));
    const failures = testResults.flatMap(failuresOf);
    const passed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "passed").length;
    if (passed + failures.length === 0) failures.push("no tests");
    // An error outside of any test: vitest has shown it, and says so only by its status.
    return { passed, failures: failures.length === 0 ? ended(run) : failures };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(ROOT, name);
  const failed = assertionResults
    .filter((test) => test.status !== "passed")
    .map(
      (test) => `${file}: ${test.fullName}: ${test.status === "failed" ? firstLine(test.failureMessages[0]) : `not run (${test.status})`}`,
    );
  return failed.length === 0 && status !== "passed" ? [`${file}: ${firstLine(message)}`] : failed;
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}

let passed = 0;
const failures = [];
const summary = [];
for (const [name, run] of Object.entries(SUITES)) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  const result = await run().catch((error) => ({ ...NOTHING, failures: [`could not run: ${error.message}`] }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  passed += result.passed;
  failures.push(...result.failures.map((failure) => `${name}: ${failure || "as shown above"}`));
  summary.push(`${name}: ${result.passed} passed, ${result.failures.length} failed, ${seconds} s`);
}

console.log(["", ...new Set(failures), "", ...summary, `${passed} passed, ${failures.length} failed`].join("\n"));
process.exitCode = failures.length === 0 ? 0 : 1;
