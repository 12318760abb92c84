/** Checks that are whole programs: the TypeScript compiler and biome. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "../../build.mjs";

const { resolve } = createRequire(import.meta.url);
const TSC = join(dirname(resolve("typescript/package.json")), "bin/tsc");
const BIOME = join(dirname(resolve("@biomejs/biome/package.json")), "bin/biome");

export const toolChecks = {
  "types of the sources": () => typeFaults("tsconfig.json"),
  "types of tests and demo": () => typeFaults("test/tsconfig.json"),
  "lint and format": () => styleFaults(ROOT),
};

/** @param {string} project a tsconfig file */
export function typeFaults(project) {
  return faultsOf([TSC, "--noEmit", "--emitDeclarationOnly", "false", "--pretty", "false", "--project", project]);
}

/**
 * @param {string} directory
 * @param {readonly string[]} options for a directory that is not the project's root
 */
export function styleFaults(directory, options = []) {
  const args = [BIOME, "ci", "--colors=off", "--max-diagnostics=40", "--error-on-warnings", ...options, "."];
  return faultsOf(args, "npx biome check --write mends most of this", directory);
}

/** What a program prints, as one fault, unless it ends well. */
function faultsOf(args, advice = "", cwd = ROOT) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", fail);
    child.on("close", (status, signal) => {
      if (status === 0) done([]);
      else done([[output.trim() || `ended with ${signal ?? `status ${status}`}`, advice].filter((line) => line !== "").join("\n")]);
    });
  });
}
