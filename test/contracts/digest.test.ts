/** Digests, computed a second time by a program in another language that shares nothing with this library. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  canonicalJson1,
  contractDigest,
  type Json1Value,
  readContract,
  readJson1,
  sessionStoreDescriptor,
} from "../../src/contracts/index.ts";
import { runPython } from "../support/python.ts";

const DIGEST = fileURLToPath(new URL("../conformance/digest.py", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "flow-host-digest-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function filesOf(texts: readonly string[]): string[] {
  return texts.map((text, i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, text);
    return path;
  });
}

/** What the program says of each text. */
function python(texts: readonly string[], ...options: string[]): string[] {
  const { output, errors } = runPython(DIGEST, [...options, ...filesOf(texts)]);
  expect(errors).toBe("");
  return output.split("\n").slice(0, -1);
}

const METHODS = '"methods":{"m":{"input":true,"output":true,"errors":{}}}';
const HEAD =
  '"$schema":"https://flow.jig.md/schemas/capability-contract-1.schema.json","flowCapabilityContract":1,"id":"https://example.org/a","version":"1.0.0"';

const DESCRIPTORS = [
  JSON.stringify(sessionStoreDescriptor),
  JSON.stringify(sessionStoreDescriptor, null, 2),
  `{${HEAD},${METHODS}}`,
  `{${HEAD.replace('Contract":1', 'Contract":1.0e0')},${METHODS}}`,
  `{${METHODS},"$defs":{"N":{"minimum":1e-7,"exclusiveMinimum":-0.0,"maximum":9007199254740991,"exclusiveMaximum":123456789.500}},${HEAD}}`,
  `{${HEAD},${METHODS},"$defs":{"E":{"enum":[0.1,5e-324,2.2250738585072014e-308,4503599627370495.5,0.000001,1.5e-10,-1E-6,333333333.33333329,1e15,-0]}}}`,
  `{${HEAD},${METHODS},"$defs":{"T":{"title":"\\u0000\\b\\u007f\\u2028\\"\\\\\\/é😀","examples":[{"😀":1,"\\ufb33":2,"z":[],"":{}}]}}}`,
];

it("descriptors have the same digest in TypeScript and Python", async () => {
  const digests = await Promise.all(DESCRIPTORS.map(async (text) => (await readContract(text)).digest));
  expect(python(DESCRIPTORS)).toEqual(digests);
  expect(digests[0]).toBe("sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98");
  expect(digests[1]).toBe(digests[0]);
  expect(digests[3]).toBe(digests[2]);
});

it("numbers of every size are written the same", () => {
  const double = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
  const scaled = fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: -30, max: 9 }))
    .map(([digits, power]) => Number(`${digits}e${power}`));
  const numbers = fc.sample(fc.oneof(double, scaled, fc.maxSafeInteger()), 4_000);
  const text = JSON.stringify(numbers);
  expect(python([text], "--canonical")).toEqual([canonicalJson1(readJson1(text))]);
});

it("so are values of every form, and their digests", async () => {
  const texts = fc.sample(fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" }), 60).map((value) => JSON.stringify(value));
  const values: Json1Value[] = [];
  const admitted = texts.filter((text) => {
    try {
      values.push(readJson1(text));
      return true;
    } catch {
      return false;
    }
  });
  expect(python(admitted, "--canonical")).toEqual(values.map(canonicalJson1));
  expect(python(admitted)).toEqual(await Promise.all(values.map(contractDigest)));
});

it("neither takes what is no I-JSON", () => {
  const refused = ["9007199254740992", '{"a":1,"a":1}', '"\\ud800"', "NaN", "\ufeff1", "1e400"];
  for (const text of refused) expect(() => readJson1(text), text).toThrow();
  const { status, output, errors } = runPython(DIGEST, filesOf(refused));
  expect({ status, output }).toEqual({ status: 1, output: "" });
  expect(
    errors
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/:.*/, "")),
  ).toEqual(refused.map((_, i) => join(folder, `${i}.json`)));
});
