/** The program of docs/contracts.md, as a reader would put it together, run against what is built. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CONTRACT_LIMITS, JSON1_LIMITS, SCHEMA_LIMITS, WORK_BUDGET } from "../../src/contracts/index.ts";
import { ARCHIVE_LIMITS } from "../../src/contracts/package/archive.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the repository, so that the package finds itself by its name. */
const folder = join(root, ".tmp/contracts");
const page = await readFile(join(root, "docs/contracts.md"), "utf8");

/** A file has its name above it; the other blocks of JavaScript are the program. */
const blocks = [...page.matchAll(/(?:^`([^`\n]+)`\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, path, language, text = ""]) => ({
  path,
  language,
  text,
}));
const program = blocks.filter(({ path, language }) => path === undefined && language === "js").map(({ text }) => text);
const run = promisify(execFile);

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  for (const { path, text } of blocks) if (path !== undefined) await writeFile(join(folder, path), text);
});
afterAll(() => rm(folder, { recursive: true }));

it("prints what the page says it prints", async () => {
  const text = program.join("\n");
  await writeFile(join(folder, "program.mjs"), text);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: folder });
  const said = [...text.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map(([, words]) => words);
  expect(said.length).toBeGreaterThanOrEqual(15);
  expect(stdout.trimEnd().split("\n")).toEqual(said);
});

it("its commands succeed", async () => {
  const commands = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trimEnd().split("\n"));
  expect(commands.length).toBeGreaterThan(0);
  const script = `set -e\nflow-host() { "${process.execPath}" "${join(root, "dist/cli.js")}" "$@"; }\n${commands.join("\n")}`;
  const { stdout } = await run("bash", ["-c", script], { cwd: folder });
  expect(stdout).toContain("https://example.org/contracts/stock 1.0.0");
});

it("its numbers are those of the code", () => {
  const shown = (value: number) => value.toLocaleString("en-US");
  for (const limits of [JSON1_LIMITS, SCHEMA_LIMITS, CONTRACT_LIMITS, ARCHIVE_LIMITS]) {
    for (const [name, value] of Object.entries(limits)) expect(page, name).toContain(shown(value));
  }
  expect(page).toContain(`${shown(WORK_BUDGET)} units`);
});
