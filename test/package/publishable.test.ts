/** A release is refused where provenance would have nothing to name. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "./install.mjs";

const SCRIPT = fileURLToPath(new URL("publishable.mjs", import.meta.url));
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "flow-host-publish-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Runs the script as npm does, where the package is. @returns its status and what it says */
async function published(manifest: object, jsr: object): Promise<[number, string]> {
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
  await writeFile(join(directory, "jsr.json"), JSON.stringify(jsr));
  return promisify(execFile)(process.execPath, [SCRIPT], { cwd: directory }).then(
    ({ stderr }) => [0, stderr],
    ({ code, stderr }) => [code, stderr],
  );
}

const repository = { type: "git", url: "git+https://git.example/flow-host.git" };

it("lets a package go that names its repository, with one version everywhere", async () => {
  expect(await published({ version: "1.0.0", repository }, { version: "1.0.0" })).toEqual([0, ""]);
  expect(await published({ version: "1.0.0", repository: repository.url }, { version: "1.0.0" })).toEqual([0, ""]);
});

it.each([
  ["no repository", {}, "names no `repository`"],
  ["an empty one", { repository: { url: "" } }, "names no `repository`"],
  ["another version than JSR's", { repository, version: "1.0.1" }, "package.json is of version 1.0.1, jsr.json of 1.0.0"],
])("refuses %s", async (_, manifest, message) => {
  expect(await published({ version: "1.0.0", ...manifest }, { version: "1.0.0" })).toEqual([1, expect.stringContaining(message)]);
});

it("is asked before every release, and npm and JSR get the same entries", async () => {
  const [manifest, jsr] = await Promise.all(
    ["package.json", "jsr.json"].map(async (file) => JSON.parse(await readFile(join(ROOT, file), "utf8"))),
  );
  expect(manifest.scripts.prepublishOnly).toBe("node test/package/publishable.mjs");
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
  expect(jsr.version).toBe(manifest.version);
  const modules = Object.entries<{ types?: string }>(manifest.exports).filter(([, { types }]) => types !== undefined);
  const sources = modules.map(([name, { types }]) => [name, types?.replace("./dist/types/", "./src/").replace(/\.d\.ts$/, ".ts")]);
  expect(jsr.exports).toEqual(Object.fromEntries(sources));
});
