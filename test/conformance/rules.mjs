/**
 * Which rule is shown by which of the project's vectors. `node test/conformance/rules.mjs` prints the table.
 *
 * Every vector names in `ruling` what it follows from: numbers of `docs/decisions.md`, or one of {@link SECTIONS}. Every number there
 * is shown by a vector, or {@link NOT_SHOWN} says why no vector can.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const VECTORS = join(ROOT, "test", "vectors");

/** What the specification says itself and no decision repeats. `test/vectors/README.md` says of each where it stands. */
export const SECTIONS = [
  "canonical form",
  "type descriptions",
  "JSON/1",
  "Schema/1",
  "work meter",
  "descriptor",
  "identity",
  "digest",
  "calls",
  "match",
  "FLOW.md",
];

/** Rules that say how a host behaves, which no text and its result can show, and what tests them in place of vectors. */
export const NOT_SHOWN = {
  R26: "messages go between two running sides: test/protocol/messages.test.ts; `flow-host probe` checks those of any process",
  R27: "an outcome is what a call ends with: docs/outcomes.md and test/contract/ways.ts",
  R28: "it is about streams that cannot be read: test/protocol/lines.test.ts and test/protocol/oversized.test.ts",
  R29: "it is about time: test/host/call.test.ts",
  R30: "call ids are made by a run: test/host/start.test.ts",
  R31: "it is about the words of a command, and no suite has manifests: test/node/words.test.ts",
  R37: "a program is code: test/host/call.test.ts",
  R38: "a history is written while a program runs: test/host/history.test.ts and test/node/filestore.test.ts",
  R39: "it is about time: test/host/start.test.ts",
  R40: "it is about a conversation with an MCP server: test/node/mcp.test.ts",
  R40a: "it is about HTTP exchanges: test/bindings/fetch-faults.test.ts",
  R41: "it is about Workers that do not answer: test/bindings/worker-faults.test.ts",
  R42: "it is about code that throws: test/bindings/toolset.test.ts",
  R43: "it is about the entries of this package: test/checks/bundles.mjs",
  R44: "it is about a JavaScript interface: test/codec/standard.test.ts",
  R45: "it is about calls that are sent again: test/host/history.test.ts",
  R46: "it is about runs inside of runs: test/host/start.test.ts",
  R47: "it is about a command line that asks: test/cli/run.test.ts",
};

/** The numbers of `docs/decisions.md`, in its order. */
export async function decidedRules() {
  const text = await readFile(join(ROOT, "docs", "decisions.md"), "utf8");
  return [...text.matchAll(/^\*\*(R\d+[a-z]?) · /gm)].map(([, rule]) => rule);
}

/**
 * The project's vectors.
 * @returns {Promise<{ suite: string, vector: Record<string, any> }[]>}
 */
export async function ownVectors() {
  const files = (await readdir(VECTORS)).filter((file) => file.endsWith(".json") && file !== "disputed.json").sort();
  const read = files.map(async (file) => {
    const vectors = JSON.parse(await readFile(join(VECTORS, file), "utf8"));
    return vectors.map((vector) => ({ suite: basename(file, ".json"), vector }));
  });
  return (await Promise.all(read)).flat();
}

/** The rules that a vector names. */
export function rulesOf(vector) {
  return typeof vector.ruling === "string" ? vector.ruling.split(", ") : [];
}

/**
 * Rule, suite, number of vectors.
 * @returns {Promise<Map<string, Map<string, number>>>}
 */
export async function shownRules() {
  const shown = new Map([...(await decidedRules()), ...SECTIONS].map((rule) => [rule, new Map()]));
  for (const { suite, vector } of await ownVectors()) {
    for (const rule of rulesOf(vector)) {
      const counts = shown.get(rule) ?? new Map();
      shown.set(rule, counts.set(suite, (counts.get(suite) ?? 0) + 1));
    }
  }
  return shown;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log("| rule | vectors |\n|---|---|");
  for (const [rule, counts] of await shownRules()) {
    const shown = [...counts].map(([suite, count]) => `${suite} ${count}`).join(", ");
    console.log(`| ${rule} | ${shown || `none: ${NOT_SHOWN[rule]}`} |`);
  }
}
