/** The build script, run on a small package of its own. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = {
  "src/index.ts": 'export { Kept } from "./json/kept.ts";\n',
  "src/json/kept.ts": 'export class Kept {}\nexport const hidden: string = "\u00e9";\nexport const unused: string = "never wanted";\n',
  "src/toolkit/index.ts":
    'import { Kept, hidden as h } from "../json/kept.ts";\nimport { more } from "./more.ts";\nexport const make: () => Kept = () => new Kept();\nexport const text: string = h + more;\n',
  "src/toolkit/more.ts": 'import { hidden } from "../json/kept.ts";\nexport const more: string = hidden;\n',
  "src/cli/index.ts": 'import { make } from "../toolkit/index.ts";\nconsole.log(typeof make());\n',
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-host-build-"));
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  for (const file of ["build.mjs", "licences.mjs", "package.json", "tsconfig.json"]) await cp(join(ROOT, file), join(directory, file));
  await write(SOURCES);
});
afterEach(() => rm(directory, { recursive: true }));

async function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** What `node FILE` prints, on either stream, and its status. */
async function run(file: string, ...options: string[]) {
  const node = promisify(execFile)(process.execPath, [file, ...options], { cwd: directory });
  return node.then(
    ({ stdout }) => ({ status: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ status: code as number, output: `${stdout}${stderr}` }),
  );
}

const built = (path: string) => readFile(join(directory, "dist", path), "utf8");

it("gives entries that fit together and carry nothing twice", async () => {
  const { status, output } = await run("build.mjs");
  expect({ status, output }).toMatchObject({ status: 0 });
  expect(output).toMatch(/^dist\/flow-host\.js {2}\d+ bytes$/m);

  await write({
    "try.mjs": `
      import { Kept } from "./dist/flow-host.js";
      import { make, text } from "./dist/toolkit.js";
      console.log(make() instanceof Kept, JSON.stringify(text));
    `,
  });
  expect(await run("try.mjs")).toEqual({ status: 0, output: 'true "\u00e9\u00e9"\n' });
  expect(await run("dist/cli.js")).toEqual({ status: 0, output: "object\n" });

  const core = await built("flow-host.js");
  expect(core).toMatch(/^[\0-\x7f]*$/);
  expect(core).toContain("$json_kept_hidden");
  expect(core).not.toContain("never wanted");
  expect(await built("toolkit.js")).not.toContain("\\xE9");
  expect(await built("types/toolkit/index.d.ts")).toContain("make: () => Kept");
  expect(await built("toolkit.d.ts")).toBe('export * from "./types/toolkit/index.ts";\n');
});

it("leaves what has not changed", async () => {
  await run("build.mjs", "--no-types");
  const before = await stat(join(directory, "dist/flow-host.js"));
  const { output } = await run("build.mjs", "--no-types");
  expect(output.trim().split("\n")).toEqual(
    output
      .trim()
      .split("\n")
      .map(() => expect.stringContaining(", unchanged")),
  );
  expect((await stat(join(directory, "dist/flow-host.js"))).mtimeMs).toBe(before.mtimeMs);
});

it("fails on a broken source, and leaves what it and those that need it had been", async () => {
  await run("build.mjs", "--no-types");
  const before = [await built("flow-host.js"), await built("toolkit.js")];
  await write({ "src/json/kept.ts": "export class Kept {", "src/toolkit/more.ts": 'export const more: string = "new";\n' });
  const { status, output } = await run("build.mjs", "--no-types");
  expect(status).toBe(1);
  expect(output).toMatch(/build failed:[\s\S]*kept\.ts:1/);
  expect([await built("flow-host.js"), await built("toolkit.js")]).toEqual(before);
  expect((await readdir(join(directory, "dist"))).filter((name) => name.endsWith(".new"))).toEqual([]);
});

it("builds what can be built beside what can't", async () => {
  await write({ "src/toolkit/more.ts": "export const more: string =" });
  expect((await run("build.mjs", "--no-types")).status).toBe(1);
  expect(await readdir(join(directory, "dist"))).toEqual(expect.arrayContaining(["flow-host.js", "flow-host.js.map"]));
  expect(await readdir(join(directory, "dist"))).not.toContain("toolkit.js");
});

it.each([
  ["a namespace", 'import * as all from "../json/kept.ts";\nexport const more: string = String(Object.keys(all));\n'],
  ["everything", 'export * from "../json/kept.ts";\nexport const more: string = "";\n'],
])("does not let an entry import %s of another's room", async (_, text) => {
  await write({ "src/toolkit/more.ts": text, "src/toolkit/index.ts": 'export * from "./more.ts";\n' });
  const { status, output } = await run("build.mjs", "--no-types");
  expect(status).toBe(1);
  expect(output).toContain("it may only import names");
});

it("does not let an entry import a name that is not there", async () => {
  await write({ "src/toolkit/more.ts": 'import { gone } from "../json/kept.ts";\nexport const more: string = gone;\n' });
  const { status, output } = await run("build.mjs", "--no-types");
  expect(status).toBe(1);
  expect(output).toContain("toolkit: src/json/kept.ts does not export gone");
});
