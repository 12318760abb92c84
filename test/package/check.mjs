/**
 * `npm run package`: packs what was built, and asks of the tarball what each registry and compiler would find wrong with it.
 *
 * Each check gives its faults. The last line is `N passed, N failed`.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { pack, ROOT, run } from "./install.mjs";

const { resolve } = createRequire(import.meta.url);

/** @type {Record<string, (tarball: string) => Promise<string[]>>} */
export const PACKAGE_CHECKS = {
  publint: async (tarball) => {
    const { buffer, byteOffset, byteLength } = await readFile(tarball);
    const pack = { tarball: buffer.slice(byteOffset, byteOffset + byteLength) };
    const { messages, pkg } = await publint({ pack, level: "suggestion", strict: true });
    return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  },
  // CommonJS and the resolution of Node 10 are not served; the interface in WIT is no module.
  "are the types wrong?": (tarball) =>
    faultsOf(process.execPath, [
      attw(),
      tarball,
      "--profile",
      "esm-only",
      "--exclude-entrypoints",
      "flow-tool.wit",
      "--no-color",
      "--no-emoji",
    ]),
  // `--allow-dirty`, or nobody could ask while working.
  "jsr, dry run": () => faultsOf(join(dirname(resolve("deno/package.json")), "../.bin/deno"), ["publish", "--dry-run", "--allow-dirty"]),
};

function attw() {
  const place = resolve("@arethetypeswrong/cli/package.json");
  return join(dirname(place), createRequire(import.meta.url)(place).bin.attw);
}

function faultsOf(command, args) {
  return run(command, args, ROOT).then(
    () => [],
    (error) => [error.message],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-pack-"));
  try {
    const [{ path, files, size, unpackedSize }] = await pack(directory);
    for (const file of files) console.log(`${String(file.size).padStart(9)}  ${file.path}`);
    console.log(`${files.length} files, ${unpackedSize} bytes, ${size} packed`);
    let failed = 0;
    for (const [name, check] of Object.entries(PACKAGE_CHECKS)) {
      const faults = await check(path);
      console.log(faults.length === 0 ? `ok      ${name}` : `FAILED  ${name}\n${faults.join("\n")}`);
      if (faults.length > 0) failed += 1;
    }
    console.log(`${Object.keys(PACKAGE_CHECKS).length - failed} passed, ${failed} failed`);
    process.exitCode = failed === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
