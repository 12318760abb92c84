import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the repository, so that the package finds itself by its name. */
const folder = join(root, ".tmp/readme");

beforeAll(() => mkdir(folder, { recursive: true }));
afterAll(() => rm(folder, { recursive: true }));

const readme = await readFile(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code as string);

describe("the README's code", () => {
  it("is there", () => expect(blocks.length).toBeGreaterThanOrEqual(2));
  it.each(blocks.map((code, i) => [i + 1, code] as const))("block %i prints what it says it prints", async (i, code) => {
    const file = join(folder, `block-${i}.mjs`);
    await writeFile(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: root });
    const said = [...code.matchAll(/^\s*console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(said.length).toBeGreaterThan(0);
    expect(stdout.trimEnd().split("\n")).toEqual(said);
  });
});
