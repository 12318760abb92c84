/** `npm run size`: what each entry weighs minified and gzipped. The status is 1 if one is above its budget. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleEntry, presentEntries, wantedNames } from "../../build.mjs";

const KB = 1024;
/** What each entry may weigh: a little more than it does, so that whoever adds to it sees it (docs/decisions.md, *Size*). */
const BUDGETS = {
  "flow-host": 80 * KB,
  "flow-host, own code": 60 * KB,
  "of it: exact JSON": 26 * KB,
  "of it: codecs": 44 * KB,
  "of it: a host": 64 * KB,
  declarations: 17 * KB,
  toolkit: 10 * KB,
  contracts: 58 * KB,
  node: 16 * KB,
  cli: 15 * KB,
};
/** What the core carries that others wrote. */
const LIBRARIES = ["decimal.js", "hash-wasm"];

/** What of the core comes along where a page's bundler meets nothing but these names. */
const PARTS = {
  "of it: exact JSON": ["parseJson", "canonicalText"],
  "of it: codecs": ["readTypeSpec", "codecFor"],
  "of it: a host": ["createHost", "bindFunction"],
};

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

/** @returns {Promise<{ name: string, bytes: number }[]>} each entry, and after the core its own code alone and parts of it */
async function measure() {
  const esbuild = await import("esbuild");
  const wanted = await wantedNames(esbuild);
  const sizes = [];
  for (const entry of await presentEntries()) {
    const core = await bundled(esbuild, entry, wanted);
    sizes.push({ name: entry.name, bytes: gzipped(core) });
    if (entry.name !== "flow-host") continue;
    sizes.push({ name: "flow-host, own code", bytes: gzipped(await bundled(esbuild, entry, wanted, { external: LIBRARIES })) });
    for (const [name, names] of Object.entries(PARTS)) sizes.push({ name, bytes: gzipped(await partOf(esbuild, core, names)) });
  }
  return sizes;
}

async function bundled(esbuild, entry, wanted, overrides) {
  const { files } = await bundleEntry(esbuild, entry, wanted, overrides);
  return files.find(({ path }) => path.endsWith(".js")).contents;
}

/** What a bundler keeps of a module of which nothing but `names` is imported. */
async function partOf(esbuild, module, names) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents: `export { ${names.join(", ")} } from "module";` },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    legalComments: "none",
    plugins: [
      {
        name: "one module",
        setup(build) {
          build.onResolve({ filter: /^module$/ }, () => ({ path: "module", namespace: "built" }));
          build.onLoad({ filter: /./, namespace: "built" }, () => ({ contents: module, loader: "js" }));
        },
      },
    ],
  });
  return outputFiles[0].contents;
}

function gzipped(contents) {
  return gzipSync(contents, { level: 9 }).length;
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
