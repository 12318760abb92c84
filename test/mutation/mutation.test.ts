/** What is mutated, what is left alone, and how it is counted. */
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { ROOMS } from "./rooms.mjs";
import { forgetful, scoreOf, survivorsOf } from "./score.mjs";
import { strykerPlugins } from "./sentences.mjs";

interface Mutant {
  readonly status?: string;
  readonly replacement: string;
}

/** The mutants that Stryker itself makes of a text. */
async function mutantsOf(content: string): Promise<readonly Mutant[]> {
  const require = createRequire(import.meta.resolve("@stryker-mutator/core"));
  const { Instrumenter } = (await import(require.resolve("@stryker-mutator/instrumenter"))) as {
    Instrumenter: new (logger: object) => { instrument(files: object[], options: object): Promise<{ mutants: readonly Mutant[] }> };
  };
  const logger = { debug() {}, info() {}, isDebugEnabled: () => false };
  const options = { ignorers: strykerPlugins.map(({ value }) => value), excludedMutations: [], plugins: null };
  return (await new Instrumenter(logger).instrument([{ name: "x.ts", mutate: true, content }], options)).mutants;
}

it.each<[string, readonly string[], readonly string[]]>([
  [`new Refusal("code", "a sentence", \`met \${String(name)}\`, at + 1);`, ['""', "at - 1"], ['""', "``"]],
  ['refusal("code", at ? "/a" : "/b", one ? "one" : "two");', ['""', '""', '""'], ['""', '""']],
  ['new FlowError("code", "a" || text, { at: "/x" });', ['""', '""', "{}"], ['""', '"a" && text', "false", "true"]],
  ['this.syntax("a name");', [], ['""']],
  ['syntax("a name");', ['""'], []],
  [`reader.fail("code", "expected", \`met \${name("x")}\`);`, ['""'], ['""', '""', "``"]],
  ['x = { kind: "other", detail: `no y` };', ['""', "{}"], ["``"]],
  ['this.fail("a sentence");', [], ['""']],
  ['class C { get "~name"() { return "a"; } }', ['""', "{}"], ['""']],
  [`other("text", \`text \${a}\`);`, ['""', "``"], []],
])("of %s mutates codes and all else, and leaves the sentences alone", async (content, mutated, left) => {
  const mutants = await mutantsOf(content);
  const replacements = (isLeft: boolean): string[] =>
    mutants.filter(({ status }) => (status === "Ignored") === isLeft).map(({ replacement }) => replacement);
  expect({ mutated: replacements(false).sort(), left: replacements(true).sort() }).toEqual({ mutated, left });
});

it("counts what was noticed of what was judged", () => {
  const mutant = (status: string) => ({
    status,
    mutatorName: "M",
    replacement: "a\n  b",
    location: { start: { line: 3, column: 5 } },
  });
  const mutants = ["Killed", "Timeout", "Killed", "Survived", "NoCoverage", "Ignored", "CompileError"].map(mutant);
  expect(scoreOf([{ mutants }])).toEqual({ percent: 60, text: "3 of 5 mutants killed, 60.0 %" });
  expect(scoreOf([])).toEqual({ percent: 100, text: "0 of 0 mutants killed, 100.0 %" });
  expect(survivorsOf("src/x.ts", mutants)).toEqual(["src/x.ts:3:5 survived, M: a b", "src/x.ts:3:5 not run, M: a b"]);
});

it("asks again of every survivor of the file at hand", () => {
  const file = (...statuses: string[]) => ({ source: "x", mutants: statuses.map((status) => ({ status })) });
  const all = file("Killed", "Survived", "Timeout", "NoCoverage", "Ignored");
  const kept = { files: { "src/x.ts": all, "src/y.ts": all }, config: 1 };
  expect(forgetful(kept, "src/x.ts")).toEqual({ files: { "src/x.ts": file("Killed", "Timeout", "Ignored"), "src/y.ts": all }, config: 1 });
  expect(forgetful(kept, "src/z.ts")).toEqual(kept);
});

it.each(Object.entries(ROOMS))("%s is a room, and has tests that judge it", (room, { tests, floor }) => {
  expect(existsSync(`src/${room}`)).toBe(true);
  for (const pattern of tests) expect(readdirSync(dirname(pattern)).some((file) => file.endsWith(".test.ts"))).toBe(true);
  expect(floor).toBeGreaterThanOrEqual(0);
});
