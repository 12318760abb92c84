/** Another implementation answers, and what it answers is compared: by the rules that `test/vectors/README.md` gives it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PYTHON } from "../support/python.ts";
import { runVectors } from "./conformance.mjs";
import { compared, foreign, NOT_THERE } from "./foreign.mjs";

describe("an answer", () => {
  it.each([
    ["canonical", { json: "1", canonical: "1" }, { canonical: "1", seconds: 3 }],
    ["decode", { json: "[]", error: "kind", at: "/0" }, { error: "kind", at: "/0" }],
    ["canonical", { json: "[", error: "syntax" }, { error: "syntax", at: "" }],
    ["order", { sorted: ["1", "2"] }, { sorted: ["1", "2"] }],
    ["schema", { type: "Int", schema: "{}" }, { schema: "{}" }],
    ["callview", { schema: {}, types: {}, valid: true }, { valid: true }],
    ["json1", { json: "[", error: true }, { error: "anything" }],
    ["contract", { descriptor: "", error: "shape", also: ["limit"] }, { error: "limit" }],
    ["contractcall", { verdict: "UNKNOWN_METHOD", calls: 0 }, { verdict: "-32601", calls: 0 }],
    ["contractmatch", { claims: [], match: [1], equivocation: ["a"] }, { match: [1], equivocation: ["a"] }],
    ["flowmd", { files: {}, uses: { a: { local: true }, b: { local: true } } }, { uses: { b: { local: true }, a: { local: true } } }],
    [
      "flowtools",
      {
        refused: [
          { file: "a", line: 1, about: "x" },
          { file: "b", line: 2 },
        ],
      },
      {
        refused: [
          { file: "b", line: 2 },
          { file: "a", line: 1 },
        ],
      },
    ],
    [
      "schema1",
      { schema: "{}", compile: "ok", cases: [{ instance: "1", valid: false, units: 2 }, { error: "SCHEMA_LIMIT_EXCEEDED" }] },
      { compile: "ok", cases: [{ valid: false, units: 2 }, { error: "SCHEMA_LIMIT_EXCEEDED" }] },
    ],
  ])("meets a vector of %s: %j by %j", (suite, vector, answer) => {
    expect(compared(suite, vector, answer)).toBeUndefined();
  });

  it.each([
    ["canonical", { canonical: "1" }, { canonical: "1.0" }],
    ["canonical", { canonical: "1" }, { error: "syntax" }],
    ["canonical", { error: "syntax" }, { canonical: "1" }],
    ["decode", { error: "kind", at: "" }, { error: "kind" }],
    ["callview", { schema: {}, error: "mismatch" }, { valid: true }],
    ["typespec", { valid: true }, { valid: false }],
    ["typespec", { valid: true }, "valid"],
    ["json1", { error: true }, { canonical: "1" }],
    ["contract", { error: "shape", also: ["limit"] }, { error: "id" }],
    ["contractcall", { verdict: "UNKNOWN_METHOD", calls: 0 }, { verdict: "ok", calls: 0 }],
    ["contractcall", { verdict: "UNKNOWN_METHOD", calls: 0 }, { verdict: "-32601", calls: 1 }],
    ["flowmd", { uses: { a: { local: true } } }, { uses: {} }],
    ["flowtools", { refused: [{ file: "a", line: 1 }] }, { refused: [{ file: "a", line: 2 }] }],
    ["flowtools", { tools: "{}" }, { refused: [] }],
    ["schema1", { compile: "ok", cases: [{ valid: true, units: 1 }] }, { compile: "ok", cases: [{ valid: true, units: 2 }] }],
    ["schema1", { compile: "ok", cases: [{ valid: true, units: 1 }] }, { compile: "ok", cases: [] }],
  ])("does not meet a vector of %s: %j by %j", (suite, vector, answer) => {
    expect(compared(suite, vector, answer)).toContain("not as expected");
  });

  it("of nothing stands for a suite that is not there", () => {
    expect(compared("order", { sorted: [] }, null)).toBe(NOT_THERE);
  });
});

describe("an implementation", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "flow-host-foreign-"));
    const vectors = ["1", "2", "3"].map((json) => ({ name: json, json, canonical: json }));
    await writeFile(join(directory, "canonical.json"), JSON.stringify(vectors));
    await writeFile(join(directory, "order.json"), JSON.stringify([{ name: "a", type: "Int", declarations: {}, sorted: ["1"] }]));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Runs the vectors against a program of JavaScript. */
  async function run(program: string) {
    const path = join(directory, "implementation.cjs");
    await writeFile(path, `const lines = require("node:readline").createInterface({ input: process.stdin });\n${program}`);
    return await runBy(`${JSON.stringify(process.execPath)} ${JSON.stringify(path)}`, directory);
  }

  async function runBy(command: string, vectors: string) {
    const lines: string[] = [];
    const other = foreign(command);
    const result = await runVectors([vectors], {}, (line: string) => lines.push(line), other);
    other.close();
    return { ...result, lines };
  }

  it("is asked about each vector, and passes over suites that it does not have", async () => {
    const answers = `lines.on("line", (line) => {
      const [suite, { json }] = JSON.parse(line);
      console.log(suite === "canonical" ? JSON.stringify({ canonical: json === "2" ? "two" : json }) : "null");
    });`;
    const { passed, failed, lines } = await run(answers);
    expect({ passed, failed }).toEqual({ passed: 2, failed: 1 });
    expect(lines).toEqual([
      expect.stringMatching(/^FAILED .*canonical\/2: canonical is not as expected, the answer is \{"canonical":"two"\}$/),
      expect.stringMatching(/order\.json: 1 vectors not run, the implementation does not have this suite$/),
    ]);
  });

  it("that ends, or prints what is no JSON, fails every vector that it leaves without an answer", async () => {
    expect(await run("process.exit(3);")).toMatchObject({ passed: 0, failed: 4 });
    const { passed, failed, lines } = await run('lines.on("line", () => console.log("hello"));');
    expect({ passed, failed }).toEqual({ passed: 0, failed: 4 });
    expect(lines[0]).toContain("the answer is no line of JSON");
  });

  it("in Python passes the vectors of the project that it knows, asked in this way too", async () => {
    const here = dirname(fileURLToPath(import.meta.url));
    const command = [...PYTHON, join(here, "flow_values.py"), "--lines"].map((word) => JSON.stringify(word)).join(" ");
    const { passed, failed } = await runBy(command, join(dirname(here), "vectors"));
    expect(failed).toBe(0);
    expect(passed).toBeGreaterThan(500);
  });
});
