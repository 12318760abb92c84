/**
 * Coverage-guided, structure-aware fuzzing: `npm run fuzz -- [SECONDS] [--target=NAME] [--seed=N]`, 30 seconds for each
 * target where nothing is named.
 *
 * Each target runs in a thread of its own. An input that fails is made small and kept in `test/fuzz/cases/`, where `npm test`
 * checks it; so is one that does not come back, or that takes all memory, as it is. The status is 1 if there was any.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** An input that takes longer hangs. What is fuzzed takes milliseconds, so that a busy machine does not matter. */
const HANG_MS = 20_000;
/** The longest input that is told of in full where it hangs. */
const LONGEST = 32_768;
/** Old space of a thread. */
const MEMORY_MB = 1_024;

/** Bundles the targets of a module. @returns {Promise<string>} the bundle's URL */
export async function bundleOf(entry, name) {
  const outfile = join(ROOT, ".tmp/fuzz", `${name}.mjs`);
  await mkdir(join(ROOT, ".tmp/fuzz"), { recursive: true });
  // Libraries that are no modules of their own ask for Node's with require().
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };
  await build({
    entryPoints: [entry],
    outfile,
    banner,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
  return pathToFileURL(outfile).href;
}

/**
 * Fuzzes one target of a bundle.
 * @param {{ bundle: string, name: string, seed: number, seconds?: number, runs?: number, hangMs?: number }} options
 * @returns {Promise<import("./driver.ts").FuzzReport>}
 */
export function fuzzTarget({ bundle, name, seed, seconds = 0, runs, hangMs = HANG_MS }) {
  const shared = new SharedArrayBuffer(8 + 2 * LONGEST);
  const head = new Int32Array(shared, 0, 2);
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(new URL("./worker.mjs", import.meta.url), {
    workerData: { bundle, name, seed, runs, until: Date.now() + 1_000 * seconds, shared, port: port2 },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise((resolve) => {
    let last = -1;
    let since = Date.now();
    const settle = (report) => {
      clearInterval(watch);
      port1.close();
      void worker.terminate();
      resolve(report);
    };
    const lost = (message) => {
      const input = String.fromCharCode(...new Uint16Array(shared, 8, Atomics.load(head, 1)));
      settle({ target: name, runs: Atomics.load(head, 0), kept: 0, findings: [{ target: name, message, input }] });
    };
    const watch = setInterval(() => {
      const now = Atomics.load(head, 0);
      if (now !== last) {
        last = now;
        since = Date.now();
      } else if (now > 0 && Date.now() - since > hangMs) lost(`no answer in ${hangMs / 1_000} seconds`);
    }, 200);
    port1.on("message", settle);
    worker.on("error", (error) => lost(`the thread ended: ${error.message}`));
  });
}

/** Names of the targets of a bundle. */
export async function targetNames(bundle) {
  const { TARGETS } = await import(bundle);
  return TARGETS.map(({ name }) => name);
}

async function main(words) {
  process.chdir(ROOT);
  const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const seconds = Number(words.find((word) => /^\d+$/.test(word)) ?? 30);
  const seed = Number(option("seed") ?? Date.now() % 1_000_000_007);
  const bundle = await bundleOf(join(ROOT, "test/fuzz/entry.ts"), "targets");
  const names = await targetNames(bundle);
  const chosen = names.filter((name) => name === (option("target") ?? name));
  if (chosen.length === 0) throw new Error(`no target of that name; there are ${names.join(", ")}`);
  // TypeScript's own sources are needed for what is kept, so it is bundled as well.
  const { keepCase } = await import(await bundleOf(join(ROOT, "test/fuzz/cases.ts"), "cases"));
  console.log(`seed ${seed}, ${seconds} seconds for each of ${chosen.join(", ")}`);
  let failed = 0;
  for (const name of chosen) {
    const { runs, kept, findings } = await fuzzTarget({ bundle, name, seed, seconds });
    console.log(`${name}: ${runs} inputs, ${kept} kept for what they reach, ${findings.length} failures`);
    for (const finding of findings) {
      failed++;
      console.log(`  ${finding.message.slice(0, 500)}\n  kept as test/fuzz/cases/${keepCase(finding)}`);
    }
  }
  console.log(failed === 0 ? "nothing failed" : `${failed} failures`);
  return failed === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await main(process.argv.slice(2)));
