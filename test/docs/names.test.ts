/** What pages name is there: scripts, commands, files, rooms, entries, limits, exports, codes. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/main.ts";
import * as contracts from "../../src/contracts/index.ts";
import * as core from "../../src/index.ts";
import { DEFAULT_LIMITS } from "../../src/json/limits.ts";
import * as node from "../../src/node/index.ts";
import * as toolkit from "../../src/toolkit/index.ts";
import { projectFiles } from "../checks/files.mjs";
import { ROOMS } from "../checks/rooms.mjs";
import { codeWordsOf, PAGES } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const readme = PAGES.get("README.md") as string;

/** The rows of the first table of a section, cell by cell. */
function rowsOf(section: string, page = readme): readonly (readonly string[])[] {
  const body = page.split(new RegExp(`^## ${section}$`, "m"))[1]?.split(/^## /m)[0] ?? "";
  const lines = body.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const rest = lines.slice(first + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

const first = (rows: readonly (readonly string[])[]) => rows.map(([cell]) => (cell as string).replace(/^`|`$/g, ""));

describe("the README", () => {
  it("lists every room, in their order", () => {
    expect(first(rowsOf("Layout"))).toEqual(ROOMS.map((room) => `src/${room}/`));
  });

  it("draws them as the check has them", () => {
    const [, picture = ""] = /```text\n(json <.*?)```/s.exec(readme) ?? [];
    const [line = ""] = picture.split("\n");
    expect(line.split(" < ")).toEqual(ROOMS.slice(0, ROOMS.indexOf("bindings") + 1));
    for (const room of ROOMS.slice(ROOMS.indexOf("bindings") + 1)) expect(picture).toMatch(new RegExp(`< ${room}\\b`));
  });

  it("lists the entries of the package", () => {
    const names = Object.entries(manifest.exports as Record<string, { types?: string }>)
      .filter(([, { types }]) => types !== undefined)
      .map(([path]) => path.replace(/^\./, manifest.name));
    expect(first(rowsOf("The package")).sort()).toEqual(names.sort());
  });

  it("lists the commands", () => {
    expect(first(rowsOf("The command line")).map((words) => words.split(" ")[1])).toEqual(Object.keys(COMMANDS));
  });

  it("lists the limits with their defaults", () => {
    const numbers = rowsOf("Limits").flatMap(([, value = ""]) =>
      (value.replace(/\(.*\)/, "").match(/[\d,]{2,}|\d/g) ?? []).map((text) => Number(text.replaceAll(",", ""))),
    );
    const { bytes, depth, values, members, string, digits } = DEFAULT_LIMITS;
    expect(numbers.slice(0, 6)).toEqual([bytes, depth, values, members, string, digits]);
  });

  it("lists the scripts", () => {
    const named = first(rowsOf("Scripts")).map((command) => /^npm (?:run )?([\w-]+)/.exec(command)?.[1]);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
    const all = new Set([...named, ...[...readme.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)]);
    expect(Object.keys(manifest.scripts).filter((name) => !all.has(name) && !name.startsWith("pre"))).toEqual([]);
  });

  it("lists the outcomes", () => {
    expect(first(rowsOf("What a program gets"))).toEqual(["Ok", "Failed", "NotRun", "Unknown", "BadReply"]);
  });
});

/** In the project that a page has its reader make. */
const ELSEWHERE = new Set(["src/lib.rs"]);

const exported = new Set([core, toolkit, contracts, node].flatMap((entry) => Object.keys(entry)));

describe.each([...PAGES])("%s", (_, page) => {
  it("names scripts that there are", () => {
    const names = [...page.matchAll(/\bnpm run ([\w-]+)/g)].map(([, name]) => name as string);
    expect(names.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });

  it("names commands that there are", () => {
    const words = [...page.matchAll(/(?:`|^|npx )flow-host ([a-z]+)\b/gm)].map(([, word]) => word as string);
    expect(words.filter((word) => !(word in COMMANDS))).toEqual([]);
  });

  it("names files that there are", async () => {
    const named = codeWordsOf(page).filter(
      (word) => /^(?:\.ci|demo|docs|src|test|wasm-tools)\/[\w./-]*$/.test(word) && !ELSEWHERE.has(word),
    );
    const missing: string[] = [];
    for (const word of named) await stat(join(root, word)).catch(() => missing.push(word));
    expect(missing).toEqual([]);
  });

  it("names functions that are exported", () => {
    const functions = codeWordsOf(page).map(
      (word) => /^((?:bind|serve|connect|create|open|configured|generate)[A-Z]\w*)(?:\(.*)?$/.exec(word)?.[1],
    );
    expect(functions.filter((name) => name !== undefined && !exported.has(name))).toEqual([]);
  });
});

it("docs/decisions.md lists no code that nothing says", async () => {
  const [, lists = ""] = (PAGES.get("docs/decisions.md") as string).split(/^## Codes$/m);
  const listed = [...lists.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code as string);
  expect(listed.length).toBeGreaterThan(90);
  const sources = [...(await projectFiles("src")).values()].join("\n");
  expect(listed.filter((code) => !sources.includes(`"${code}"`) && !new RegExp(`^\\s+"?${code}"?:`, "m").test(sources))).toEqual([]);
});

it("every row of docs/outcomes.md is named by a test", async () => {
  const rows = [...(PAGES.get("docs/outcomes.md") as string).matchAll(/^\| (\d+a?) \|/gm)].map(([, row]) => row as string);
  expect(rows.length).toBeGreaterThan(22);
  const tests = [...(await projectFiles("test"))].filter(([path]) => path.endsWith(".ts") && !path.startsWith("test/docs/"));
  const named = new Set(
    tests
      .flatMap(([, text]) => [...text.matchAll(/\brows? ((?:\d+a?(?:, | and | to )?)+)/g)])
      .flatMap(([, list = ""]) => {
        const [from, to] = /^(\d+) to (\d+)/.exec(list)?.slice(1).map(Number) ?? [];
        return from === undefined || to === undefined
          ? list.split(/, | and /)
          : Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`);
      }),
  );
  expect(rows.filter((row) => !named.has(row))).toEqual([]);
});
