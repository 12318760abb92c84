/** Every claim of docs/threat-model.md ends with a test, and the test is there. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PAGES } from "./markdown.ts";
import { titlesIn } from "./titles.ts";

const page = PAGES.get("docs/threat-model.md") as string;

/** The rows of the tables of what a part could try. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.split(" | ").length >= 3)
  .filter((line) => !line.startsWith("| it could |"));
const EVIDENCE = /^\| (.+?) \| .+ \| `(test\/[\w./-]+)` "(.+)" \|$/;

it("has a claim for every part, and says what is not defended", () => {
  expect(rows.length).toBeGreaterThan(80);
  const parts = page.split(/^## /m).filter((part) => part.includes("| it could |"));
  expect(parts.length).toBeGreaterThanOrEqual(14);
  expect(page.match(/^\*\*Not defended\.\*\*/gm)?.length).toBeGreaterThanOrEqual(10);
});

it("every claim ends with a test", () => {
  expect(rows.filter((row) => !EVIDENCE.test(row))).toEqual([]);
});

const named = new Map<string, string[]>();
for (const row of rows) {
  const [, , file, title] = EVIDENCE.exec(row) ?? [];
  if (file !== undefined && title !== undefined) named.set(file, [...(named.get(file) ?? []), title]);
}

it.each([...named])("%s has the tests that are named", async (file, titles) => {
  const found = titlesIn(await readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8"));
  expect(titles.filter((title) => !found.has(title))).toEqual([]);
});

describe("titles", () => {
  it("are found in every form, and nothing else is taken for one", () => {
    const source = `
      describe("a", () => { it('b', () => {}); it.each([["x"]])("c %s", { timeout: 1 }, () => {}); });
      describe.each([])(\`\${x.y} d\`, () => {});
      // it("comment", () => {})
      other("e"); const f = 'it("f")'; expect("g");`;
    expect([...titlesIn(source)].sort()).toEqual(["$" + "{x.y} d", "a", "b", "c %s"]);
  });
});
