/** The runner of vectors finds what fails, and passes over nothing in silence. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadModules, runVectors } from "./conformance.mjs";
import { SUITES } from "./suites/suites.mjs";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-host-vectors-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function run(files: Record<string, unknown>, modules?: object) {
  for (const [path, json] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), typeof json === "string" ? json : JSON.stringify(json));
  }
  const lines: string[] = [];
  const result = await runVectors([directory], modules ?? (await loadModules()), (line: string) => lines.push(line));
  return { ...result, lines };
}

const GOOD = { name: "good", json: "[1.0]", canonical: "[1]" };
const BAD = { name: "bad", ruling: "R7", json: "[1.0]", canonical: "[1.0]" };

it("counts what is met, in any folder", async () => {
  expect(await run({ "canonical.json": [GOOD], "a/b/canonical.json": [GOOD] })).toEqual({ passed: 2, failed: 0, lines: [] });
});

it("says of what is not met which vector, by which ruling, and why", async () => {
  const { passed, failed, lines } = await run({ "canonical.json": [GOOD, BAD] });
  expect({ passed, failed }).toEqual({ passed: 1, failed: 1 });
  expect(lines).toEqual([
    expect.stringMatching(/^FAILED .*canonical\.json: canonical\/bad \(R7\): the canonical text is \[1\], not \[1\.0\]$/),
  ]);
});

it.each([
  ["canonical", { json: "1", error: "syntax" }],
  ["canonical", { json: "1 2", error: "kind" }],
  ["canonical", { json: "1 2", canonical: "1" }],
  ["decode", { type: "Int", declarations: {}, mode: "lenient", hostTokens: false, json: "1.5", error: "kind", at: "" }],
  ["decode", { type: { List: "Int" }, declarations: {}, mode: "lenient", hostTokens: false, json: "[1.5]", error: "not-whole", at: "/1" }],
  ["decode", { type: "Int", declarations: {}, mode: "lenient", hostTokens: false, json: "1", canonical: "2" }],
  ["decode", { type: "Int", declarations: {}, mode: "lenient", hostTokens: false, json: "1", error: "kind", at: "" }],
  ["order", { type: "Int", declarations: {}, sorted: ["2", "1"] }],
  ["order", { type: "Int", declarations: {}, sorted: ["1", "1"] }],
  ["schema", { type: "Int", declarations: {}, schema: '{"type":"number"}' }],
  ["typespec", { spec: { generic: [], params: [], ok: "Unit", err: "Never", declarations: {} }, error: "shape" }],
  ["typespec", { spec: { generic: [], params: [], ok: "Unit", declarations: {} }, valid: true }],
  ["typespec", { spec: { generic: [], params: [], ok: "Unit", declarations: {} }, error: "shape" }],
])("finds a %s vector that is not met: %j", async (suite, vector) => {
  expect(await run({ [`${suite}.json`]: [{ name: "wrong", ...vector }] })).toMatchObject({ passed: 0, failed: 1 });
});

it("refuses a suite it does not know", async () => {
  const { failed, lines } = await run({ "canonical.json": [GOOD], "novel.json": [GOOD] });
  expect(failed).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^FAILED .*novel\.json: there is no suite of that name/)]);
});

it("counts a vector that the bundles cannot be asked as failed", async () => {
  const { passed, failed, lines } = await run({ "canonical.json": [GOOD], "flowtools.json": [{ name: "any", program: {} }] }, {});
  expect({ passed, failed }).toEqual({ passed: 0, failed: 2 });
  for (const line of lines) expect(line).toContain("the suite broke off");
});

it("runs every suite, here on no vectors that could be met", async () => {
  for (const suite of Object.keys(SUITES)) expect(await run({ [`${suite}.json`]: [{ name: "none" }] })).toMatchObject({ passed: 0 });
});

it("runs disputed vectors and tells of them apart", async () => {
  const disputed = [
    { suite: "canonical", name: "bad", why: "the spelling" },
    { suite: "canonical", name: "elsewhere", why: "gone" },
  ];
  const { passed, failed, lines } = await run({ "canonical.json": [GOOD, BAD], "disputed.json": disputed });
  expect({ passed, failed }).toEqual({ passed: 1, failed: 0 });
  expect(lines).toEqual([
    "disputed canonical/bad (the spelling): the canonical text is [1], not [1.0]",
    "disputed canonical/elsewhere (gone): not in these directories",
  ]);
});

it.each([
  ["a broken file", { "canonical.json": "[" }],
  ["a file that is no list", { "canonical.json": "{}" }],
  ["two vectors of one name", { "canonical.json": [GOOD, GOOD], "a/canonical.json": [] }],
  ["a vector without a name", { "canonical.json": [{ json: "1", canonical: "1" }] }],
  ["a vector that breaks the suite off", { "order.json": [{ name: "no list", type: "Int", declarations: {} }] }],
  ["a disputed vector without a reason", { "canonical.json": [], "disputed.json": [{ suite: "canonical", name: "good" }] }],
  ["a disputed vector of an unknown suite", { "canonical.json": [], "disputed.json": [{ suite: "novel", name: "good", why: "" }] }],
  ["no files", {}],
])("fails on %s", async (_, files) => {
  expect((await run(files)).failed).toBe(1);
});

it("fails on a directory that is not there", async () => {
  const lines: string[] = [];
  const result = await runVectors([join(directory, "none")], {}, (line: string) => lines.push(line));
  expect(result).toEqual({ passed: 0, failed: 1 });
  expect(lines).toEqual([expect.stringContaining("ENOENT")]);
});
