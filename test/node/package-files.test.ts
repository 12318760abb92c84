/** The files of a package from a directory. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readPackageDirectory } from "../../src/node/package-files.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "flow-host-package-"));
  root = join(folder, "package");
  mkdirSync(join(root, "contracts"), { recursive: true });
  writeFileSync(join(root, "FLOW.md"), "---\n");
  writeFileSync(join(root, "contracts", "a.json"), "{}");
  writeFileSync(join(folder, "secret"), "s");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("gives every file by its logical path, and nothing of .git and node_modules", async () => {
  for (const skipped of [".git", "node_modules"]) {
    mkdirSync(join(root, skipped));
    writeFileSync(join(root, skipped, "x"), "x");
  }
  const files = await readPackageDirectory(root);
  expect([...files.keys()].sort()).toEqual(["FLOW.md", "contracts/a.json"]);
  expect(files.get("contracts/a.json")).toEqual(new Uint8Array([0x7b, 0x7d]));
});

it.each(["../secret", "/etc", ".."])("refuses a link to %s", async (target) => {
  symlinkSync(target, join(root, "link"));
  await expect(readPackageDirectory(root)).rejects.toMatchObject({ code: "PACKAGE_PATH_INVALID" });
});

it("does not take a neighbour whose name begins alike for itself", async () => {
  mkdirSync(join(folder, "package-2"));
  symlinkSync("../package-2", join(root, "link"));
  await expect(readPackageDirectory(root)).rejects.toMatchObject({ code: "PACKAGE_PATH_INVALID" });
});

it("follows links inside the package, and itself may be reached by one", async () => {
  symlinkSync("contracts/a.json", join(root, "b.json"));
  symlinkSync(root, join(folder, "alias"));
  expect([...(await readPackageDirectory(join(folder, "alias"))).keys()].sort()).toEqual(["FLOW.md", "b.json", "contracts/a.json"]);
});

it("ends where links go in a circle", async () => {
  symlinkSync("..", join(root, "contracts", "up"));
  await expect(readPackageDirectory(root)).rejects.toMatchObject({ code: "PACKAGE_LIMIT_EXCEEDED" });
});

it("refuses a file past the limit before it is read", async () => {
  writeFileSync(join(root, "big"), "");
  truncateSync(join(root, "big"), 16_777_217);
  await expect(readPackageDirectory(root)).rejects.toMatchObject({ code: "PACKAGE_LIMIT_EXCEEDED" });
});
