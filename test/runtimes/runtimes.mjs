/**
 * The runtimes of the matrix, and how each runs the smoke suite. Firefox is looked for and left out where it is not found,
 * unless `FLOW_HOST_RUNTIMES` demands it (names, separated by commas): what is demanded and cannot be had fails.
 */
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launchOptions, requireChromium } from "../browser/chromium.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROCESS = fileURLToPath(new URL("process.mjs", import.meta.url));
const { resolve } = createRequire(import.meta.url);
const run = promisify(execFile);
/** Past it a runtime hangs. */
const RUN_MS = 90_000;

/**
 * @typedef {object} Runtime
 * @property {string} name
 * @property {(port: number) => Promise<string>} run runs the smoke suite against the server at that port; the result as JSON
 * @property {object} [differs] what is expected to come out otherwise than elsewhere
 */

/** @type {Record<string, Runtime>} */
const ALWAYS = {
  node: { name: "Node", run: (port) => inProcess(process.execPath, [], port) },
  deno: {
    name: "Deno",
    run: (port) =>
      inProcess(executable("deno"), ["run", "--no-prompt", "--no-remote", `--allow-read=${ROOT}`, `--allow-net=127.0.0.1:${port}`], port),
  },
  bun: { name: "Bun", run: (port) => inProcess(executable("bun"), [], port) },
  chromium: { name: "Chromium", run: (port) => inChromium(`http://127.0.0.1:${port}/page`) },
  "chromium-http": {
    name: "Chromium, a page over plain http",
    // Any other name than localhost's is no secure context.
    run: (port) => inChromium(`http://flow-host.test:${port}/page`, ["--host-resolver-rules=MAP flow-host.test 127.0.0.1"]),
    differs: { hashing: { small: "wasm", large: "wasm" } },
  },
  workerd: { name: "workerd", run: inWorkerd, differs: { hashing: { small: "subtle", large: "subtle" }, worker: undefined } },
};

/** Where Firefox is looked for, unless `FLOW_HOST_FIREFOX` says where it is. */
const FIREFOX_PLACES = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
  "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
];

/** The runtimes that are to run here, by key. @returns {Record<string, Runtime>} */
export function runtimesHere(places = FIREFOX_PLACES) {
  const firefox = findFirefox(places);
  if (firefox === undefined && !demanded("firefox")) return ALWAYS;
  return { ...ALWAYS, firefox: { name: "Firefox", run: (port) => inFirefox(firefox, port) } };
}

/** A line for each runtime that does not run here. @returns {string[]} */
export function runtimesMissing(places = FIREFOX_PLACES) {
  return Object.hasOwn(runtimesHere(places), "firefox")
    ? []
    : ["Firefox was not found, so nothing ran in it (apt-get install firefox-esr, or FLOW_HOST_FIREFOX with its path)"];
}

function demanded(name) {
  return (process.env.FLOW_HOST_RUNTIMES ?? "").split(",").includes(name);
}

/** @throws Error if `FLOW_HOST_FIREFOX` names something that can't be run: what was asked for is not silently replaced */
function findFirefox(places) {
  const named = process.env.FLOW_HOST_FIREFOX;
  if (named) {
    if (!canRun(named)) throw new Error(`FLOW_HOST_FIREFOX is no browser that can be started: ${named}`);
    return named;
  }
  return places.find(canRun);
}

function canRun(place) {
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The binary that an npm package brings. */
function executable(name) {
  return join(dirname(resolve(`${name}/package.json`)), "..", ".bin", name);
}

async function inProcess(command, args, port) {
  const { stdout } = await run(command, [...args, PROCESS, `http://127.0.0.1:${port}`], {
    cwd: ROOT,
    timeout: RUN_MS,
    killSignal: "SIGKILL",
    env: { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  return stdout.trim().split("\n").at(-1);
}

async function inChromium(address, more = []) {
  const { chromium } = await import("playwright");
  const options = launchOptions(requireChromium());
  const browser = await chromium.launch({ ...options, args: [...options.args, ...more] });
  try {
    const page = await browser.newPage();
    return await outcomeIn(page, address);
  } finally {
    await browser.close();
  }
}

async function inFirefox(executablePath, port) {
  if (executablePath === undefined)
    throw new Error("Firefox is demanded and was not found: apt-get install firefox-esr, or FLOW_HOST_FIREFOX with its path");
  const { launch } = await import("puppeteer-core");
  const browser = await launch({ browser: "firefox", executablePath, headless: true });
  try {
    return await outcomeIn(await browser.newPage(), `http://127.0.0.1:${port}/page`);
  } finally {
    await browser.close();
  }
}

/** The page's result. Playwright and Puppeteer have these in common. */
async function outcomeIn(page, address) {
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
  try {
    await page.waitForFunction("globalThis.outcome !== undefined", undefined, { timeout: RUN_MS });
    return await page.evaluate("globalThis.outcome");
  } catch (error) {
    throw new Error([error.message, ...errors].join("\n"));
  }
}

const WORKER = `
import * as flow from "./dist/flow-host.js";
import * as contracts from "./dist/contracts.js";
import * as component from "./dist/components/search/workerd.js";
import tools from "./demo/tools.json";
import { smoke } from "./smoke.js";
export default {
  async fetch(_request, { ADDRESS: address }) {
    return new Response(await smoke({ flow, contracts, tools, component, address }).then(JSON.stringify, (error) => "failed: " + error.stack));
  },
};`;

async function inWorkerd(port) {
  const { Miniflare } = await import("miniflare");
  const module = async (type, path, from = path) => ({ type, path, contents: await readFile(join(ROOT, from)) });
  const runtime = new Miniflare({
    compatibilityDate: "2026-01-01",
    cf: false, // or it would ask the network where it is
    bindings: { ADDRESS: `http://127.0.0.1:${port}` },
    modules: [
      { type: "ESModule", path: "worker.js", contents: WORKER },
      await module("ESModule", "smoke.js", "test/runtimes/smoke.js"),
      await module("Text", "demo/tools.json"),
      await module("ESModule", "dist/flow-host.js"),
      await module("ESModule", "dist/contracts.js"),
      await module("ESModule", "dist/components/search/workerd.js"),
      await module("ESModule", "dist/components/search/search.js"),
      await module("CompiledWasm", "dist/components/search/search.core.wasm"),
    ],
  });
  try {
    await runtime.ready;
    return await (await runtime.dispatchFetch("http://localhost/")).text();
  } finally {
    await runtime.dispose();
  }
}
