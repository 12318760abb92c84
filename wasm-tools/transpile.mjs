/** Turns a component, whatever it was written in, into an ES module and core modules that every JavaScript runtime can load. */
import { portableGlue } from "./glue.mjs";

/**
 * Transpiles a component to `NAME.js`, which exports `instantiate(getCoreModule, imports, instantiateCore?)`, `NAME.core.wasm` (and
 * `NAME.core2.wasm` and so on, if the component has several modules) and their type declarations. The module loads nothing by itself:
 * it asks `getCoreModule` for each core module by file name and is given it compiled, since on the edge only the bundler compiles.
 * @param {Uint8Array} component
 * @param {{ name: string }} options
 * @returns {Promise<{ files: Map<string, string | Uint8Array>, imports: string[], exports: string[] }>} the files by path, and what the
 *   component imports and exports
 */
export async function transpileComponent(component, { name }) {
  const { transpile } = await import("@bytecodealliance/jco");
  const transpiled = await transpile(component, { name, instantiation: "async", nodejsCompat: false });
  const files = new Map();
  for (const [path, contents] of Object.entries(transpiled.files)) {
    files.set(path, path.endsWith(".js") ? await portableGlue(new TextDecoder().decode(contents)) : contents);
  }
  return { files, imports: transpiled.imports, exports: transpiled.exports.map(([exported]) => exported) };
}
