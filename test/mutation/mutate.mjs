/**
 * Mutation tests of one room: `npm run mutate -- ROOM [FILES…] [--force]`.
 *
 * Stryker changes one thing of a source at a time and runs the room's tests: a change that no test notices is a surviving
 * mutant. One file is mutated after the other, and what is known of a mutant is kept in `.tmp/mutation/`: what was noticed is
 * asked again only where its file or its tests have changed, so that a round can be broken off and goes on where it was;
 * survivors always are. `--force` asks everything again. The survivors are listed; the status is 1 where the room scores below
 * its floor.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { ROOMS } from "./rooms.mjs";
import { forgetful, scoreOf, survivorsOf } from "./score.mjs";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));

const KEPT = ".tmp/mutation";

/** Mutates one file and gives the mutants of all files that are known. */
async function mutate(room, file, force) {
  const report = join(KEPT, `${room}.report.json`);
  const kept = join(KEPT, `${room}.json`);
  const known = await readFile(kept, "utf8").catch(() => undefined);
  if (known !== undefined) await writeFile(kept, JSON.stringify(forgetful(JSON.parse(known), file)));
  await new Stryker({
    mutate: [file],
    ignorePatterns: ["dist", "demo", "wasm-tools", "docs", "test/fuzz/cases"],
    testRunner: "vitest",
    vitest: { configFile: "test/mutation/vitest.config.mjs", related: false },
    plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/sentences.mjs"],
    ignorers: ["sentences"],
    coverageAnalysis: "perTest",
    incremental: true,
    incrementalFile: kept,
    force,
    // One at a time: what more would gain in time it would take from whoever else works on the machine.
    concurrency: 1,
    // Loops without end are told by how often they are run; a busy machine shall not count as one.
    timeoutMS: 60_000,
    tempDirName: join(KEPT, "sandbox"),
    reporters: ["json"],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    logLevel: "warn",
    warnings: { slow: false },
  }).runMutationTest();
  return JSON.parse(await readFile(report, "utf8")).files;
}

const words = process.argv.slice(2);
const [room, ...named] = words.filter((word) => !word.startsWith("--"));
if (!Object.hasOwn(ROOMS, room ?? "")) {
  console.error(`usage: npm run mutate -- ROOM [FILES…] [--force]\n\nrooms: ${Object.keys(ROOMS).join(", ")}`);
  process.exit(2);
}
process.env.FLOW_HOST_MUTATION_ROOM = room;
// A mutant that survives has to pass every property; some count that they met enough of each kind, which takes this many.
process.env.FLOW_HOST_RUNS = "300";
await mkdir(KEPT, { recursive: true });

const all = ROOMS[room].files ?? (await readdir(join("src", room), { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
const names = named.length === 0 ? all : named;
let files = {};
for (const name of names) {
  const path = `src/${room}/${name}`;
  files = { ...files, ...(await mutate(room, path, words.includes("--force"))) };
  // A file of types alone has nothing that can be mutated.
  files[path] ??= { mutants: [] };
  for (const line of survivorsOf(path, files[path].mutants)) console.log(line);
  console.log(`${path}: ${scoreOf([files[path]]).text}`);
}

const missing = all.filter((name) => files[`src/${room}/${name}`] === undefined);
const { percent, text } = scoreOf(all.flatMap((name) => files[`src/${room}/${name}`] ?? []));
const { floor } = ROOMS[room];
if (missing.length > 0) console.log(`not known of ${missing.join(", ")}`);
console.log(`${room}: ${text}, floor ${floor} %`);
process.exitCode = missing.length === 0 && percent < floor ? 1 : 0;
