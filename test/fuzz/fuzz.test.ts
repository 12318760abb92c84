/** A short round of each target, all cases that were ever found, and fuzzing itself. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { TARGETS as BROKEN } from "./broken.ts";
import { keepCase, readCases } from "./cases.ts";
import { intersection } from "./coverage.ts";
import { type FuzzReport, fuzz, minimise } from "./driver.ts";
import { bundleOf, fuzzTarget } from "./fuzz.mjs";
import { partsOf } from "./json-text.ts";
import type { Target } from "./target.ts";
import { TARGETS } from "./targets/index.ts";

/** Inputs of one round: the work is the same on every machine. */
const ROUND = 256;
const SEED = 20_260_101;

async function round(target: Target, seed: number, runs = ROUND): Promise<FuzzReport> {
  return fuzz(target, { seed, goesOn: (run) => run < runs });
}

function targetOf(name: string, targets: readonly Target[] = TARGETS): Target {
  const target = targets.find((candidate) => candidate.name === name);
  if (target === undefined) throw new Error(`no target ${name}`);
  return target;
}

describe("a short round", () => {
  // The second seed is another one each time; it stands in the test's name, and `npm run fuzz -- --seed=` takes it.
  const seeds = [SEED, Date.now() % 1_000_000_007];
  it.each(TARGETS.flatMap(({ name }) => seeds.map((seed) => [name, seed] as const)))("of %s from the seed %i", async (name, seed) => {
    expect((await round(targetOf(name), seed)).findings).toEqual([]);
  });
});

describe("what was found once", () => {
  it.each(readCases().map((found) => [found.file, found] as const))("%s does not come back", async (_, { target, input }) => {
    await targetOf(target).check(input);
  });
});

describe("fuzzing", () => {
  it("gives the same inputs for the same seed, and others for another", async () => {
    const inputsOf = async (seed: number): Promise<string[]> => {
      const inputs: string[] = [];
      await fuzz(targetOf("sound", BROKEN), { seed, goesOn: (run) => run < 64, before: (input) => inputs.push(input) });
      return inputs;
    };
    const inputs = await inputsOf(7);
    expect(await inputsOf(7)).toEqual(inputs);
    expect(await inputsOf(8)).not.toEqual(inputs);
  });

  it("lets pass what refuses as it should", async () => {
    expect(await round(targetOf("sound", BROKEN), 1, 2_000)).toMatchObject({ runs: 2_048, findings: [] });
  });

  it.each([
    ["throws", /^TypeError/, "]]x"],
    ["unlisted", /a refusal with the code unknown, which is none of its own/, "]]"],
  ])("finds what %s, and makes it small", async (name, message, input) => {
    const { findings } = await round(targetOf(name, BROKEN), 1, 4_000);
    expect(findings).toEqual([{ target: name, message: expect.stringMatching(message), input }]);
  });

  it("finds sentences that grow with the input", async () => {
    const { findings } = await round(targetOf("talks", BROKEN), 1, 2_000);
    expect(findings).toEqual([expect.objectContaining({ message: expect.stringContaining("as long as its input") })]);
  });

  it("finds what hangs and what works too much, in a thread with coverage", async () => {
    const bundle = await bundleOf(fileURLToPath(new URL("./broken.ts", import.meta.url)), "broken");
    const hung = await fuzzTarget({ bundle, name: "hangs", seed: 1, runs: 100_000, hangMs: 1_500 });
    expect(hung.findings).toEqual([{ target: "hangs", message: "no answer in 1.5 seconds", input: expect.stringContaining("]]") }]);
    const slow = await fuzzTarget({ bundle, name: "labours", seed: 1, runs: 256 });
    expect(slow.findings).toEqual([expect.objectContaining({ message: expect.stringContaining("too much work") })]);
    const sound = await fuzzTarget({ bundle, name: "sound", seed: 1, runs: 500 });
    expect(sound.findings).toEqual([]);
    // The samples, and what first met a refusal.
    expect(sound.kept).toBeGreaterThan(2);
  });

  it("makes small without leaving what fails", async () => {
    expect(await minimise("some [long] text with b in it", async (input) => /\[.*b/.test(input))).toBe("[b");
  });

  it("keeps a case as ASCII and reads it back", async () => {
    const directory = await mkdtemp(join(tmpdir(), "flow-host-cases-"));
    try {
      const input = '\ud800"\u{1f600}\0\u2028é';
      const file = keepCase({ target: "json", message: "Broken: x", input }, directory);
      expect(readCases(directory)).toEqual([{ file, target: "json", was: "Broken: x", input }]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("knows the parts of a JSON text, whole or not", () => {
    const text = '{"a": [1, {"b":"]"}], "c" : nul';
    const shown = (spans: readonly { readonly start: number; readonly end: number }[]): string[] =>
      spans.map(({ start, end }) => text.slice(start, end)).sort();
    const { values, entries, names } = partsOf(text);
    expect(shown(values)).toEqual(['"]"', "1", '[1, {"b":"]"}]', "nul", '{"b":"]"}']);
    expect(shown(entries)).toEqual(['"a": [1, {"b":"]"}]', '"b":"]"', '"c" : nul', "1", '{"b":"]"}']);
    expect(shown(names)).toEqual(['"a"', '"b"', '"c"']);
  });

  it("knows what never ran", () => {
    const of = (...pairs: [number, number][]) => pairs.map(([start, end]) => ({ start, end }));
    expect(intersection(of([0, 5], [8, 9]), of([3, 8]))).toEqual(of([3, 5]));
    expect(intersection(of([0, 20]), of([1, 10], [2, 3], [12, 14]))).toEqual(of([1, 10], [12, 14]));
  });
});
