/** What it takes a fresh process to import the library. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { median } from "./measure.mjs";

const BUNDLE = new URL("../../dist/flow-host.js", import.meta.url).href;
const DECIMAL = pathToFileURL(
  createRequire(import.meta.url)
    .resolve("decimal.js")
    .replace(/\.js$/, ".mjs"),
).href;
const PROCESSES = 25;

/** Milliseconds from the import to the module's end, in a process that did nothing before it. */
function timeOnce(url) {
  const script = `const start = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }));
}

export default {
  title: "Importing",
  about: [
    `The time a fresh process spends in one import: the file read, compiled and run; the median of ${PROCESSES} processes. The core imports`,
    "decimal.js, so the first row is a part of the second.",
  ].join("\n"),
  async *groups() {
    // In turn, so that what slows the machine down slows both.
    const times = new Map([DECIMAL, BUNDLE].map((url) => [url, []]));
    for (let i = 0; i <= PROCESSES; i++) for (const [url, list] of times) list.push(timeOnce(url));
    const row = (name, url) => ({ name, unit: "ms", amount: () => median(times.get(url).slice(1)) });
    yield { title: "a fresh process", rows: [row("decimal.js alone", DECIMAL), row("flow-host, the core", BUNDLE)] };
  },
};
