/** The readers of contracts: of descriptors, and of the frontmatter of packages, whose YAML another library parses. */
import { WORDS } from "../../../src/contracts/codes.ts";
import { sessionStoreDescriptor } from "../../../src/contracts/data.ts";
import { readContract } from "../../../src/contracts/descriptor.ts";
import { canonicalJson1, readJson1 } from "../../../src/contracts/json1.ts";
import { readFlowMarkdown } from "../../../src/contracts/package/frontmatter.ts";
import { mutateJson } from "../json-text.ts";
import { attempt, attemptAsync, require, requireSame, type Target, verdict } from "../target.ts";
import { asBytes, bytesOf, mutateBytes } from "../text.ts";
import { requirePlace } from "./json.ts";
import { SCHEMA_WORDS } from "./schema.ts";

const isOf = (start: RegExp): ReadonlySet<string> => new Set(Object.keys(WORDS).filter((code) => start.test(code)));
const CONTRACT_CODES = isOf(/^(?:CONTRACT|SCHEMA)_/);
const PACKAGE_CODES = isOf(/^PACKAGE_/);

const DESCRIPTOR = JSON.stringify(sessionStoreDescriptor);

const words = [
  ...SCHEMA_WORDS,
  ...'"methods"|"input"|"result"|"errors"|"settings"|"id"|"version"|"1.0.0"|"01.0.0"|"1.0.0-a.b"|"$schema"|"flowCapabilityContract"'.split(
    "|",
  ),
  ...'"https://example.org/x"|"http://example.org/x"|"https://EXAMPLE.org/x"|"https://example.org/../x"|"a-b"|"A"|"a--b"|"description"'.split(
    "|",
  ),
];

const descriptor: Target = {
  name: "descriptor",
  seeds: [DESCRIPTOR, '{"flowCapabilityContract":1,"id":"https://example.org/c","version":"1.0.0","methods":{}}'],
  mutate: (input, random, other) => mutateJson(input, random, words, other),
  async check(text) {
    const read = await attemptAsync(() => readContract(text), CONTRACT_CODES);
    if (read.refused === undefined) {
      // What a reader accepted is a value: written and read again it is accepted as well.
      const again = await attemptAsync(() => readContract(canonicalJson1(readJson1(text))), CONTRACT_CODES);
      requireSame(verdict(again), "accepted", "a descriptor from its canonical text");
      return;
    }
    if (read.refused.code === "CONTRACT_JSON_INVALID") return;
    const json = readJson1(text);
    for (const error of [read.refused, ...read.refused.errors]) requirePlace(json, String(error.at));
  },
};

const FLOW_MD = [
  "---\nname: reader\ndescription: d\nuses: {s: {contract: ./c/session-store.json}}\n---\n# Body\n",
  "---\nname: x\nprovides:\n  - contract: ./a.json\n    settings: {a: [1, 2.5, -3e2, true, null, \"q\\n\", 'it''s']}\n---\n",
  "---\r\na: |\r\n  block\r\n  text\r\nb: >-\r\n  folded\r\n---\r\nx",
  "---\n{}\n---",
  "---\n- 0x1F\n- 0o17\n- .inf\n- ~\n- 2026-01-01\n- yes\n---\n",
];

const yamlWords = [
  ..."---|\n|...|&a |*a|<<: *a|!!str |!tag |? |: |- |# c|%YAML 1.2\n|%TAG ! x\n|{|}|[|]|, |'|\"|| |\n  |> |\t|\u2028|\ufeff|\\x41|\\u263a".split(
    "|",
  ),
  ..."null~true~yes~0x10~0o7~1_000~.nan~-.inf~1e400~12345678901234567890~2026-01-01~key: value~__proto__: 1~a: {b: [c]}".split("~"),
  "|\n  text\n",
];

const frontmatter: Target = {
  name: "frontmatter",
  seeds: FLOW_MD,
  mutate: (input, random, other) =>
    random(3) === 0 ? asBytes(mutateJson(input, random, yamlWords, other)) : mutateBytes(input, random, yamlWords.map(asBytes), other),
  check(input) {
    const bytes = bytesOf(input);
    const read = attempt(() => readFlowMarkdown(bytes), PACKAGE_CODES);
    if (read.refused !== undefined) return;
    const { frontmatter: json, body } = read.value;
    const text = canonicalJson1(json);
    requireSame(canonicalJson1(readJson1(text)), text, "frontmatter read again as JSON/1");
    // JSON is YAML of the form that is taken, so its value is the same.
    const again = attempt(() => readFlowMarkdown(new TextEncoder().encode(`---\n${text}\n---\n${body}`)), PACKAGE_CODES);
    if (again.refused?.code === "PACKAGE_LIMIT_EXCEEDED") return;
    require(again.refused === undefined, "frontmatter written as JSON is refused", again.refused?.message, text);
    requireSame(canonicalJson1(again.value.frontmatter), text, "frontmatter written as JSON");
    requireSame(again.value.body, body, "the body behind it");
  },
};

export const contractTargets: readonly Target[] = [descriptor, frontmatter];
