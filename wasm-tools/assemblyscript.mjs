/** Compiles AssemblyScript to a core WebAssembly module. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Pages of 64 KiB: enough for a call of the host's largest size (16 MiB), and far too little to starve a page. */
const MAXIMUM_PAGES = 512;

const OPTIONS = [
  "-O3", // speed: the module stays small either way
  "--noAssert",
  ...["--runtime", "stub"], // the components keep their own arena; nothing is collected
  ...["--use", "abort="], // `abort` would be an import
  ...["--initialMemory", "1"],
  ...["--maximumMemory", String(MAXIMUM_PAGES)],
];

/**
 * Compiles the sources in a directory.
 * @param {URL} directory ends in `/`
 * @param {string} entry the name of the file that exports what the module exports
 * @param {Record<string, string>} generated sources by name that are not in the directory but made by the build. They stay in memory,
 *   so that two builds at once do not overwrite each other's.
 * @returns {Promise<Uint8Array>} the module
 * @throws Error with the compiler's own messages
 */
export async function compileAssemblyScript(directory, entry, generated) {
  const { main, createMemoryStream } = await import("assemblyscript/asc");
  const messages = createMemoryStream();
  let module;
  const { error } = await main([entry, "--outFile", "module.wasm", ...OPTIONS], {
    stdout: messages,
    stderr: messages,
    readFile: (name) => generated[name] ?? readFile(fileURLToPath(new URL(name, directory)), "utf8").catch(() => null),
    writeFile: (_name, contents) => {
      module = contents;
    },
    listFiles: () => null,
  });
  if (error || !module) throw new Error(`AssemblyScript: ${messages.toString().trim() || error}`);
  return module;
}
