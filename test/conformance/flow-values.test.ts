/**
 * Two implementations that share nothing agree: this library, and `flow_values.py` on the project's vectors and on random types,
 * values, texts and descriptions. A disagreement names the seed that leads to it again.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Codec, codecFor } from "../../src/codec/codec.ts";
import type { Grant, Mode } from "../../src/codec/decode.ts";
import { isFlowError } from "../../src/json/errors.ts";
import { parseJson } from "../../src/json/read.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { fingerprintOf, signatureOf } from "../../src/signature/signature.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { declarationsJson, termJson } from "../../src/types/write.ts";
import { runPython } from "../support/python.ts";
import { randomType } from "../support/random-types.ts";
import { mutated, randomValue } from "../support/random-values.ts";
import { damaged, spelled } from "../support/spellings.ts";
import { type Random, randomFrom, randomSpec } from "../types/random.ts";

const VECTORS = join(dirname(dirname(fileURLToPath(import.meta.url))), "vectors");
const SUITES = ["canonical", "decode", "order", "schema", "fingerprint"];
const PROGRAM = fileURLToPath(new URL("./flow_values.py", import.meta.url));

/** A vector for the program, what this library makes of it, and the seed that it comes from. */
interface Case {
  readonly seed: number;
  readonly suite: string;
  readonly vector: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** Other seeds at each run. */
const seeds = (count: number): readonly number[] => fc.sample(fc.nat(), count);

/** JSON as a vector has it, where its whole numbers are small. */
const plain = (json: JsonValue): unknown => JSON.parse(canonicalText(json, { depth: 1_000 }));

/** Asks the program about all cases at once: pairs of a case and its answer. */
function asked(cases: readonly Case[]): [Case, Readonly<Record<string, unknown>>][] {
  const lines = cases.map(({ suite, vector }) => `${JSON.stringify([suite, vector])}\n`);
  const { output, errors } = runPython(PROGRAM, ["--lines"], lines.join(""));
  expect(errors).toBe("");
  const answers = output.trimEnd().split("\n");
  expect(answers.length).toBe(cases.length);
  return cases.map((one, i) => [one, JSON.parse(answers[i] as string)]);
}

const about = ({ seed, vector }: Case): string => `seed ${seed}: ${JSON.stringify(vector)}`;

/** The canonical text of a decoded value, or code and place of the refusal. */
function outcome(codec: Codec, decode: () => unknown): Readonly<Record<string, unknown>> {
  try {
    return { canonical: codec.encode(decode()) };
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    return { error: caught.code, at: caught.at };
  }
}

it("passes the project's vectors", () => {
  const files = readdirSync(VECTORS).filter((file) => SUITES.includes(file.replace(/\.json$/, "")));
  const count = files.reduce((sum, file) => sum + JSON.parse(readFileSync(join(VECTORS, file), "utf8")).length, 0);
  const { status, output } = runPython(PROGRAM, [VECTORS]);
  expect(output.split("\n").filter((line) => !line.includes(": not run, "))).toEqual([`${count} passed, 0 failed`, ""]);
  expect(status).toBe(0);
});

const MODES: readonly Mode[] = ["lenient", "strict"];
const GRANTS: readonly Grant[] = ["none", "tokens", "all"];
const LIMITS = ["bytes", "depth", "values", "members", "string", "digits"];
/**
 * What may be wrong with the text itself. Where there are two such faults, either may be the one that is told; two limits passed
 * are told apart by their places alone.
 */
const OF_THE_TEXT = ["syntax", "duplicate-member", "lone-surrogate", "limit"];

it("agrees on texts of random values at random types, right and wrong ones", () => {
  const cases = seeds(250).flatMap((seed) => {
    const random = randomFrom(seed);
    const { term, declarations, codec } = randomType(seed);
    const type = { type: plain(termJson(term)), declarations: plain(declarationsJson(declarations)) };
    return [false, true, true].flatMap((wild): Case[] => {
      const made = randomValue(random, term, declarations, { exact: true, wild });
      if (made === undefined) return [];
      const text = codec.encode(made.value);
      const json = parseJson(text);
      return [text, spelled(random, json), spelled(random, mutated(random, json)), damaged(random, text)].map((given) => {
        const options = { mode: oneOf(random, MODES), grant: oneOf(random, GRANTS), limits: lowered(random) };
        const expected = outcome(codec, () => codec.decode(given, options));
        return { seed, suite: "decode", vector: { ...type, ...options, json: given }, expected };
      });
    });
  });

  const counted = { values: 0, refused: 0, either: 0 };
  for (const [one, answer] of asked(cases)) {
    const codes = [one.expected["error"], answer["error"]];
    const differ = codes[0] !== codes[1] || (codes[0] === "limit" && one.expected["at"] !== answer["at"]);
    if (differ && codes.every((code) => OF_THE_TEXT.includes(String(code)))) {
      counted.either++;
      continue;
    }
    expect(answer, about(one)).toEqual(one.expected);
    if (codes[0] === undefined) counted.values++;
    else counted.refused++;
  }
  expect(counted.values).toBeGreaterThan(1_000);
  expect(counted.refused).toBeGreaterThan(700);
  expect(counted.either).toBeLessThan(100);
});

const oneOf = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

/** Now and then a limit so low that it may be crossed. */
function lowered(random: Random): Record<string, number> {
  const name = oneOf(random, LIMITS);
  return random(4) === 0 ? { [name]: 1 + random(name === "bytes" ? 200 : 20) } : {};
}

it("agrees on the order of random values", () => {
  const cases = seeds(150).flatMap((seed): Case[] => {
    const random = randomFrom(seed);
    const { term, declarations, codec } = randomType(seed, { hosts: false });
    const texts = new Set<string>();
    for (let i = 0; i < 8; i++) {
      const made = randomValue(random, term, declarations, { exact: true, wild: i > 3 });
      if (made !== undefined) texts.add(codec.encode(made.value));
    }
    const values = [...texts].map((text) => ({ text, value: codec.decode(text) }));
    const sorted = values.sort((a, b) => codec.compare(a.value, b.value)).map(({ text }) => text);
    const type = { type: plain(termJson(term)), declarations: plain(declarationsJson(declarations)) };
    return [{ seed, suite: "order", vector: { ...type, sorted: sorted.toReversed() }, expected: { sorted } }];
  });
  for (const [one, answer] of asked(cases)) expect(answer, about(one)).toEqual(one.expected);
});

const IDENTITIES = ["example.org/m@1.0.0/a.flow.N", "example.org/m@2.0.0/a.flow.N", "@s/x@1.0.0/b %é#~.flow.N", "local/c.flow.N"];

it("agrees on signatures, fingerprints and schemas of random descriptions, whose templates share identities", async () => {
  const cases: Case[] = [];
  for (const seed of seeds(250)) {
    const random = randomFrom(seed);
    const description = randomSpec(seed, { functions: random(3) === 0 });
    const declarations = Object.entries(description["declarations"] as JsonObject).map(([id, template], i) => {
      const changes = { identity: oneOf(random, IDENTITIES), lexical_ordinal: BigInt(1 + ((i * 7) % 11)) };
      return [id, jsonObject({ ...(template as JsonObject), ...changes })];
    });
    const json = { ...description, declarations: jsonObject(Object.fromEntries(declarations)) };
    const spec = readTypeSpec(json);
    const { described, canonical } = signatureOf(spec);
    const signature = { signature: canonicalText(described), canonicalSignature: canonical, fingerprint: await fingerprintOf(spec) };
    cases.push({ seed, suite: "fingerprint", vector: { spec: plain(json) }, expected: signature });
    if (spec.generic.length > 0) continue;
    const schema = canonicalText(codecFor(spec.ok, spec.declarations).schema());
    const vector = { type: plain(termJson(spec.ok)), declarations: plain(json.declarations) };
    cases.push({ seed, suite: "schema", vector, expected: { schema } });
  }
  for (const [one, answer] of asked(cases)) expect(answer, about(one)).toEqual(one.expected);
  // Numbers told some of the templates apart.
  expect(cases.filter(({ expected }) => String(expected["signature"]).includes("#2")).length).toBeGreaterThan(10);
});
