/** docs/dependencies.md is what package.json, the bundles and the installed packages say. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ENTRIES } from "../../build.mjs";
import { PAGES } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = PAGES.get("docs/dependencies.md") as string;
const manifest = JSON.parse(await readFile(`${root}package.json`, "utf8"));
const installed = async (name: string) => JSON.parse(await readFile(`${root}node_modules/${name}/package.json`, "utf8"));

/** The rows of the table below some words, cell by cell, without backticks. */
function table(after: string): readonly (readonly string[])[] {
  const [, text = ""] = page.split(after);
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("| "));
  const rest = lines.slice(first + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) => line.slice(2, -2).replaceAll("`", "").split(" | "));
}

it("what is installed with the package is what package.json lists", async () => {
  const rows = table("`dependencies` of `package.json`:");
  expect(Object.fromEntries(rows.map(([name, version]) => [name, version]))).toEqual(manifest.dependencies);
  for (const [name = "", , licence] of rows) expect((await installed(name)).license).toBe(licence);
});

it("so are the peers, all of them optional", async () => {
  const rows = table("`peerDependencies`");
  expect(Object.fromEntries(rows.map(([name, range]) => [name, range]))).toEqual(manifest.peerDependencies);
  for (const [name = "", , licence] of rows) {
    expect((await installed(name)).license).toBe(licence);
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  }
});

const bundles = ENTRIES.map(({ name }) => `${name}.js`);
const sources = await Promise.all(
  bundles.map(async (bundle) => {
    const map = JSON.parse(await readFile(`${root}dist/${bundle}.map`, "utf8")) as { sources: string[]; sourcesContent: string[] };
    return map.sources.map((path, i) => ({ bundle, path, text: map.sourcesContent[i] as string }));
  }),
);
const carried = sources.flat().filter(({ path }) => path.includes("/node_modules/"));
const packageOf = (path: string) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] as string;

it("what the bundles carry is what their maps and licences say", async () => {
  const rows = table("## Carried by the bundles");
  const inBundles = [...new Set(carried.map(({ bundle, path }) => `${packageOf(path)} in dist/${bundle}`))].sort();
  expect(rows.map(([name, , , , bundle]) => `${name} in ${bundle}`).sort()).toEqual(inBundles);
  const licences = await readFile(`${root}dist/LICENSES.txt`, "utf8");
  // What else is in dist/ is bundled from the same sources; what it carries has its licence there as well.
  expect([...licences.matchAll(/^-+\n\n(\S+) \d/gm)].map(([, name]) => name).sort()).toEqual(rows.map(([name]) => name).sort());
  for (const [name = "", version, licence, own] of rows) {
    const { dependencies = {}, ...rest } = await installed(name);
    expect({ version: rest.version, license: rest.license }).toEqual({ version, license: licence });
    expect(own === "none" ? {} : own).toEqual(dependencies);
    expect(licences).toContain(`\n${name} ${version}: ${licence}\n`);
  }
});

it("and nothing that is carried builds code, reads the environment or touches the network", () => {
  const reach = /\beval\s*\(|\bFunction\s*\(|\bfetch\b|\bXMLHttpRequest\b|\bWebSocket\b|\bimportScripts\b|\bprocess\.env\b|\brequire\s*\(/;
  expect(carried.length).toBeGreaterThan(20);
  expect(carried.filter(({ text }) => reach.test(text)).map(({ path }) => path)).toEqual([]);
  // The pattern finds what it looks for.
  for (const text of ["eval('1')", "new Function('a')", "fetch(url)", "process.env.HOME", "require('fs')"]) expect(text).toMatch(reach);
});
