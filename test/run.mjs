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
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { requireChromium } from "./browser/chromium.mjs";
import { badEnd, counted, ofVitest } from "./results.mjs";
import { runtimesMissing } from "./runtimes/runtimes.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const VITEST = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
/** Past it a suite hangs, however busy the machine is. On an idle one all of them together take some minutes. */
const SUITE_MS = 30 * 60_000;

/** @type {Record<string, () => Promise<import("./results.mjs").Result>>} */
const SUITES = {
  build: async () => ({ passed: 0, failures: badEnd(await node(["build.mjs"])) }),
  check: async () => counted(await node(["test/checks/check.mjs"])),
  "node tests": () => vitest("node"),
  conformance: async () => counted(await node(["test/conformance/conformance.mjs", "test/vectors", ...vectorDirectories()])),
  "browser tests": async () => vitest("browser", { FLOW_HOST_CHROMIUM: requireChromium() }),
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

/** Runs a project of vitest.config.mjs. */
async function vitest(project, env = {}) {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-test-"));
  try {
    const file = join(directory, "results.json");
    const ended = await node([VITEST, "run", "--project", project, "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`], env);
    const report = await readFile(file, "utf8").catch(() => undefined);
    return report === undefined ? { passed: 0, failures: [`${ended.how} without a result`] } : ofVitest(JSON.parse(report), ended);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

let passed = 0;
const failures = [];
const summary = [];
for (const [name, run] of Object.entries(SUITES)) {
  console.log(`\n== ${name}`);
  const start = performance.now();
  const result = await run().catch((error) => ({ passed: 0, failures: [`could not run: ${error.message}`] }));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  passed += result.passed;
  failures.push(...result.failures.map((failure) => `${name}: ${(failure || "as shown above").replaceAll(`${ROOT}${sep}`, "")}`));
  summary.push(`${name}: ${result.passed} passed, ${result.failures.length} failed, ${seconds} s`);
}

console.log(["", ...new Set(failures), "", ...summary, ...runtimesMissing(), `${passed} passed, ${failures.length} failed`].join("\n"));
process.exitCode = failures.length === 0 ? 0 : 1;
