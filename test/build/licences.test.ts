/** The licences of what is bundled: nothing is carried without its text. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { afterEach, beforeEach, expect, it } from "vitest";
import { licencesText, packagesIn } from "../../licences.mjs";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "flow-host-licences-"));
});
afterEach(() => rm(root, { recursive: true }));

/** A package of one module that exports its name's last part. */
async function add(place: string, files: Record<string, string>, manifest: object = {}) {
  const name = place.split("node_modules/").at(-1) as string;
  const texts = { "package.json": JSON.stringify({ name, version: "1.0.0", license: "MIT", main: "a.js", ...manifest }), ...files };
  for (const [path, text] of Object.entries({ "a.js": `export const ${name.split("/").at(-1)} = 1;`, ...texts })) {
    await mkdir(dirname(join(root, place, path)), { recursive: true });
    await writeFile(join(root, place, path), text);
  }
}

async function bundled(text: string) {
  await writeFile(join(root, "main.js"), text);
  const { metafile } = await build({ entryPoints: ["main.js"], absWorkingDir: root, bundle: true, write: false, metafile: true });
  return packagesIn(metafile);
}

it("finds the packages that a bundle carries code of, and no others", async () => {
  await add("node_modules/one", {});
  await add("node_modules/@two/part", {});
  await add("node_modules/one/node_modules/inner", { "b.js": "" });
  await add("node_modules/unused", {}, { sideEffects: false });
  await writeFile(join(root, "node_modules/one/a.js"), 'export { inner as one } from "inner";');
  const found = await bundled(
    'import { one } from "one"; import { part } from "@two/part"; import { unused } from "unused"; console.log(one, part);',
  );
  expect([...found].sort()).toEqual(["node_modules/@two/part", "node_modules/one/node_modules/inner"]);
});

it("gives each package's name, licence and texts, in the order of their names", async () => {
  await add("node_modules/b", { LICENSE: "be free\r\n", NOTICE: "by B" });
  await add("node_modules/a", { "LICENCE.md": "be kind" }, { license: "BSD-3-Clause", homepage: "https://a.example" });
  const text = await licencesText(root, ["node_modules/b", "node_modules/a"]);
  expect(text.split(/\n-{9,}\n/).slice(1)).toEqual([
    "\na 1.0.0: BSD-3-Clause\nhttps://a.example\n\nbe kind\n",
    "\nb 1.0.0: MIT\n\nbe free\n\nby B\n",
  ]);
});

it.each([
  ["comes without the text of its licence, MIT", {}, {}],
  ["says under no licence", { LICENSE: "text" }, { license: undefined }],
])("refuses a package that %s", async (message, files, manifest) => {
  await add("node_modules/a", files, manifest);
  await expect(licencesText(root, ["node_modules/a"])).rejects.toThrow(message);
});
