/** Every decision that a vector can show is shown by one of the project's own, and so is every code. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readProgram } from "../../src/declarations/read.ts";
import { decidedRules, NOT_SHOWN, ownVectors, rulesOf, SECTIONS, shownRules } from "./rules.mjs";
import { SUITES } from "./suites/suites.mjs";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const DECISIONS = readFileSync(join(ROOT, "docs", "decisions.md"), "utf8");
const README = readFileSync(join(ROOT, "test", "vectors", "README.md"), "utf8");

/** The codes of a table of R35: the first words of its rows, or the second ones. */
function codesOf(heading: string, column = 1): string[] {
  const [, section = ""] = DECISIONS.split(`\n### ${heading}\n`);
  const rows = section.split(/\n##/)[0]?.matchAll(/^\| `([\w-]+)` \| ([\w ]+)/gm) ?? [];
  const codes = [...rows].map((row) => row[column] as string);
  expect(codes.length).toBeGreaterThan(5);
  return codes;
}

/** What the project's vectors of some suites are refused with. */
async function refusals(...suites: string[]): Promise<Set<string>> {
  const vectors = (await ownVectors()).filter(({ suite }) => suites.includes(suite));
  return new Set(vectors.flatMap(({ vector }) => [vector["error"], vector["verdict"]].filter((code) => typeof code === "string")));
}

it("each vector names the rule it shows, one that there is", async () => {
  const known = new Set([...(await decidedRules()), ...SECTIONS]);
  const lost = (await ownVectors()).filter(
    ({ vector }) => rulesOf(vector).length === 0 || rulesOf(vector).some((rule: string) => !known.has(rule)),
  );
  expect(lost.map(({ suite, vector }) => `${suite}: ${vector["name"]}`)).toEqual([]);
});

it("each rule is shown by a vector, or has a reason why none can, and what tests it instead", async () => {
  const shown = await shownRules();
  for (const [rule, counts] of shown) {
    const reason = (NOT_SHOWN as Record<string, string>)[rule];
    expect(counts.size > 0, `${rule}: ${counts.size > 0 ? "it is shown, and has a reason why not" : "no vector, no reason"}`).toBe(
      reason === undefined,
    );
    for (const [path] of reason?.matchAll(/\b(?:test|docs)\/[\w./-]+\.\w+/g) ?? []) expect(existsSync(join(ROOT, path)), path).toBe(true);
  }
  expect(Object.keys(NOT_SHOWN).filter((rule) => !shown.has(rule))).toEqual([]);
});

it("each suite has vectors", async () => {
  const suites = new Set((await ownVectors()).map(({ suite }) => suite));
  expect(Object.keys(SUITES).filter((suite) => !suites.has(suite))).toEqual([]);
});

it("each code of values, descriptions and contracts is that of a vector", async () => {
  const values = await refusals("canonical", "decode");
  expect(codesOf("Values").filter((code) => !values.has(code))).toEqual([]);
  const descriptions = await refusals("typespec", "callview");
  expect(codesOf("Type descriptions").filter((code) => !descriptions.has(code))).toEqual([]);
  const contracts = await refusals("schema1", "contract", "contractcall", "flowmd");
  const schemas = codesOf("Contracts").filter((code) => code.startsWith("SCHEMA_"));
  // An archive is no FLOW.md: test/contracts/archive.test.ts.
  const words = codesOf("Contracts", 2).filter((word) => /^[a-z]+$/.test(word) && word !== "archive");
  expect([...schemas, ...words].filter((code) => !contracts.has(code))).toEqual([]);
});

it("each code of declarations is what a refusal of a vector is about, and this library refuses it with that code", async () => {
  const about = new Set<string>();
  for (const { vector } of (await ownVectors()).filter(({ suite }) => suite === "flowtools")) {
    if (vector["refused"] === undefined) continue;
    const read = await readProgram(vector["program"]);
    const met = (read.diagnostics ?? []).map(({ file, line, code }) => ({ file, line, about: code }));
    expect(met, vector["name"]).toEqual(vector["refused"]);
    for (const refusal of vector["refused"]) about.add(refusal.about);
  }
  // It takes a program too long for a vector: test/declarations/parser.test.ts.
  expect(codesOf("Declarations").filter((code) => !about.has(code))).toEqual(["too-many"]);
});

it("the README of the vectors describes each suite and each section", () => {
  for (const suite of Object.keys(SUITES)) expect(README).toContain(`\`${suite}.json\``);
  for (const section of SECTIONS) expect(README).toContain(`\`${section}\``);
});
