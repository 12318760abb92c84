/** Every block of code on a page is run by a test, or compared with what is: a page with a new kind of block needs a line here. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf, PAGES } from "./markdown.ts";

const text = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

/** What reads the blocks of a page, by page and language: a test that runs them all, or a check of one block. */
const READ: Readonly<Record<string, string | ((block: string) => Promise<void> | void)>> = {
  "README.md html": isPartOf("test/package/consumer/plain.html"),
  "README.md js": "test/docs/readme.test.ts",
  "README.md sh": commandsAreScripts,
  "README.md text": "test/docs/names.test.ts",
  "CONTRIBUTING.md sh": commandsAreScripts,
  "docs/contracts.md js": "test/docs/contracts.test.ts",
  "docs/contracts.md json": "test/docs/contracts.test.ts",
  "docs/contracts.md md": "test/docs/contracts.test.ts",
  "docs/contracts.md sh": "test/docs/contracts.test.ts",
  "docs/first-tool.md flow": "test/docs/first-tool.test.ts",
  "docs/first-tool.md json": "test/docs/first-tool.test.ts",
  "docs/first-tool.md sh": "test/docs/first-tool.test.ts",
  "docs/first-tool.md text": "test/docs/first-tool.test.ts",
  "docs/first-tool.md ts": "test/docs/first-tool.test.ts",
  "wasm-tools/README.md js": "test/docs/components.test.ts",
  "wasm-tools/README.md rust": isSaidNotToBeRun,
  "wasm-tools/README.md toml": isSaidNotToBeRun,
  "wasm-tools/least/README.md ": isIn("wasm-tools/least/lists.flow"),
  "wasm-tools/ledger/README.md ": isIn("demo/flow/local/ledger.flow"),
  "wasm-tools/search/README.md ": isIn("demo/flow/docs/search.flow"),
  "wasm-tools/typescript/README.md ts": isIn("wasm-tools/typescript/ledger.ts"),
};

const blocks = [...PAGES].flatMap(([page, markdown]) => blocksOf(markdown).map((block) => ({ page, ...block })));

describe("the table", () => {
  it("has a line for every kind of block, and no other", () => {
    expect(blocks.length).toBeGreaterThan(40);
    expect([...new Set(blocks.map(({ page, language }) => `${page} ${language}`))].sort()).toEqual(Object.keys(READ).sort());
  });

  it("names tests that read those pages", async () => {
    for (const [key, reader] of Object.entries(READ)) {
      if (typeof reader !== "string") continue;
      const [page = ""] = key.split(" ");
      expect(await text(reader), `${reader} reads ${page}`).toContain(page.split("/").at(-1));
    }
  });
});

const checked = blocks.filter(({ page, language }) => typeof READ[`${page} ${language}`] === "function");
it.each(checked.map(({ page, language, line, text }) => [`${page}:${line}`, `${page} ${language}`, text] as const))(
  "%s is true",
  async (_, key, block) => {
    await (READ[key] as (block: string) => Promise<void> | void)(block);
  },
);

/** `npm ci`, `npm test`, `npm start` and `npm run NAME`, whose scripts are there. */
async function commandsAreScripts(block: string): Promise<void> {
  const { scripts } = JSON.parse(await text("package.json"));
  const commands = block
    .split("\n")
    .flatMap((line) => line.replace(/#.*/, "").split("&&"))
    .map((command) => command.trim())
    .filter((command) => command !== "");
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) {
    const [npm, word = "", name = ""] = command.split(" ");
    expect(npm, command).toBe("npm");
    if (word !== "ci") expect(scripts, command).toHaveProperty(word === "run" ? name : word);
  }
}

/** The block stands in a file, docs and white space aside; of declarations, each for itself. */
function isIn(path: string): (block: string) => Promise<void> {
  return async (block) => {
    const squeeze = (code: string) =>
      code
        .replace(/\/\/\/.*$/gm, "")
        .replace(/\s+/g, "")
        .replaceAll(",}", "}");
    const source = squeeze(await text(path));
    for (const part of block.split(/^(?=@tool|pub type)/m)) expect(source).toContain(squeeze(part));
  };
}

/** Each line of a block is one of a file, the commas aside that stand between lines. */
function isPartOf(path: string): (block: string) => Promise<void> {
  return async (block) => {
    const linesOf = (code: string) => code.split("\n").map((line) => line.trim().replace(/,$/, ""));
    expect(linesOf(await text(path))).toEqual(expect.arrayContaining(linesOf(block)));
  };
}

function isSaidNotToBeRun(): void {
  expect(PAGES.get("wasm-tools/README.md")).toContain("are not run by this project's tests");
}
