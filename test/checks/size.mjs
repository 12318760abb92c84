/** `npm run size`: what each entry weighs minified and gzipped. The status is 1 if one is above its budget. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleEntry, presentEntries, wantedNames } from "../../build.mjs";

const KB = 1024;
/** What each entry may weigh: a little more than it does, so that whoever adds to it sees it (docs/decisions.md, *Size*). */
const BUDGETS = {
  "flow-host": 80 * KB,
  "flow-host, own code": 60 * KB,
  declarations: 17 * KB,
  toolkit: 10 * KB,
  contracts: 58 * KB,
  node: 16 * KB,
  cli: 15 * KB,
};
/** What the core carries that others wrote. */
const LIBRARIES = ["decimal.js", "hash-wasm"];

/**
 * @param {readonly { name: string, bytes: number }[]} sizes
 * @param {Readonly<Record<string, number>>} budgets
 * @returns {string[]}
 */
export function sizeFaults(sizes, budgets) {
  return sizes
    .filter(({ name, bytes }) => bytes > (budgets[name] ?? Number.POSITIVE_INFINITY))
    .map(({ name, bytes }) => `${name} is ${shown(bytes)}, above its budget of ${shown(budgets[name])}`);
}

export const sizeChecks = {
  "no entry is heavier than it may be": async () => sizeFaults(await measure(), BUDGETS),
};

/** @returns {Promise<{ name: string, bytes: number }[]>} each entry, and after the core its own code alone */
async function measure() {
  const esbuild = await import("esbuild");
  const wanted = await wantedNames(esbuild);
  const sizes = [];
  for (const entry of await presentEntries()) {
    sizes.push({ name: entry.name, bytes: await gzipped(esbuild, entry, wanted) });
    if (entry.name === "flow-host")
      sizes.push({ name: "flow-host, own code", bytes: await gzipped(esbuild, entry, wanted, { external: LIBRARIES }) });
  }
  return sizes;
}

async function gzipped(esbuild, entry, wanted, overrides) {
  const { files } = await bundleEntry(esbuild, entry, wanted, overrides);
  const bundle = files.find(({ path }) => path.endsWith(".js"));
  return gzipSync(bundle.contents, { level: 9 }).length;
}

function shown(bytes) {
  return `${(bytes / KB).toFixed(1)} KB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = await measure();
  for (const { name, bytes } of sizes) {
    const budget = BUDGETS[name] === undefined ? "" : `  of ${shown(BUDGETS[name])}`;
    console.log(`${name.padEnd(22)}${shown(bytes).padStart(9)}${budget}`);
  }
  const faults = sizeFaults(sizes, BUDGETS);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
