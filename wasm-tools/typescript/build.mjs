/** Builds the component of this directory: `node wasm-tools/typescript/build.mjs [DIR]`, after `npm run build`. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transpileComponent } from "../transpile.mjs";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const WIT = fileURLToPath(new URL("../flow-tool.wit", import.meta.url));
const NAME = "typescript";

/** @returns {Promise<Uint8Array>} the component */
export async function buildTypeScriptComponent() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [join(HERE, "ledger.ts")],
    // Before everything else, and kept: this package says of its modules that importing them has no effect.
    banner: { js: await readFile(join(HERE, "quickjs.js"), "utf8") },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "neutral",
  });
  const { componentize } = await import("componentize-qjs");
  const { component } = await componentize({
    witPath: WIT,
    jsSource: outputFiles[0].text,
    world: "tool-component",
    // Without these two the component would import WASI, and no host grants it the file system.
    sync: true,
    stubWasi: true,
    optSize: true,
  });
  return new Uint8Array(component);
}

/**
 * Builds and transpiles it.
 * @param {string} directory
 * @returns {Promise<number>} the size of the component in bytes
 */
export async function writeTypeScriptComponent(directory) {
  const component = await buildTypeScriptComponent();
  const { files } = await transpileComponent(component, { name: NAME });
  for (const [path, contents] of [...files, [`${NAME}.component.wasm`, component]]) {
    const place = join(directory, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, contents);
  }
  return component.length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const directory = process.argv[2] ?? fileURLToPath(new URL("../../dist/components/typescript/", import.meta.url));
  console.log(`${join(directory, `${NAME}.component.wasm`)}  ${await writeTypeScriptComponent(directory)} bytes`);
}
