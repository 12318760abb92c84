/** Finds a Chromium to run in, and as a last resort installs one. */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { chromium } from "playwright";

const { resolve } = createRequire(import.meta.url);

/** What the browser is called where the system has it, the free one first. */
const COMMANDS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];
const PLACES = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
/** A download that stands still must not use up the time of the whole run. */
const INSTALL_MS = 240_000;

/**
 * Looks for a browser: the one of `FLOW_HOST_CHROMIUM`, Playwright's own, the system's.
 * @returns {string | undefined} its executable
 * @throws Error if `FLOW_HOST_CHROMIUM` names something that can't be run: what was asked for is not silently replaced
 */
export function findChromium() {
  const named = process.env.FLOW_HOST_CHROMIUM;
  if (named) {
    if (!runs(named)) throw new Error(`FLOW_HOST_CHROMIUM is no browser that can be started: ${named}`);
    return named;
  }
  return [chromium.executablePath(), ...onPath(), ...PLACES].find((place) => place !== "" && runs(place));
}

/**
 * Finds a browser, or installs one with Playwright or with apt.
 * @returns {string} its executable
 * @throws Error if there is none to be had
 */
export function requireChromium() {
  const found = findChromium() ?? installed(process.execPath, [resolve("playwright/cli.js"), "install", "--with-deps", "chromium"]);
  if (found !== undefined) return found;
  const updated = isRoot() && run("apt-get", ["update"]);
  const fromApt = updated ? installed("apt-get", ["install", "-y", "chromium"]) : undefined;
  if (fromApt !== undefined) return fromApt;
  throw new Error("no Chromium was found and none could be installed; set FLOW_HOST_CHROMIUM to the executable of one");
}

/**
 * How Playwright starts that browser.
 * @param {string | undefined} executablePath
 */
export function launchOptions(executablePath) {
  // Chromium refuses to be sandboxed as root; everybody else keeps the sandbox.
  return { ...(executablePath === undefined ? {} : { executablePath }), args: isRoot() ? ["--no-sandbox"] : [] };
}

function isRoot() {
  return process.getuid?.() === 0;
}

function onPath() {
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  return COMMANDS.flatMap((command) => directories.map((directory) => join(directory, command)));
}

/** Whether it can be executed and, where asking does not open a window, says its version: some systems ship a stub. */
function runs(executable) {
  try {
    accessSync(executable, constants.X_OK);
  } catch {
    return false;
  }
  return process.platform !== "linux" || spawnSync(executable, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;
}

function installed(command, args) {
  run(command, args);
  return findChromium();
}

function run(command, args) {
  console.error(`no Chromium yet: ${[command, ...args].join(" ")}`);
  return spawnSync(command, args, { stdio: ["ignore", 2, 2], timeout: INSTALL_MS }).status === 0;
}
