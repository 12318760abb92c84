/** Bundles a test's own script, so that a child process or a Worker can run it from the sources. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** @returns The bundle's path, and what removes it. */
export async function bundleScript(script: URL): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-script-"));
  const path = join(directory, "script.mjs");
  await build({ entryPoints: [fileURLToPath(script)], outfile: path, bundle: true, format: "esm", platform: "node", logLevel: "silent" });
  return { path, remove: () => rm(directory, { recursive: true, force: true }) };
}
