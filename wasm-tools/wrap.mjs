/** Makes a core WebAssembly module a component of the world in `flow-tool.wit`. */
import { readFile } from "node:fs/promises";

/** The text of the world, which is also what authors are given. */
export const WIT = new URL("./flow-tool.wit", import.meta.url);
const WORLD = "tool-component";

/** What the canonical ABI calls the exports. The languages that need this file cannot write `:`, `/` or `#` in a name. */
const INTERFACE = "flow:tool/tool@0.1.0";
const NAMES = new Map([
  ["describe", [`${INTERFACE}#describe`]],
  ["answer", [`${INTERFACE}#answer`]],
  // Called when the host has read a result. One function serves both.
  ["done", [`cabi_post_${INTERFACE}#describe`, `cabi_post_${INTERFACE}#answer`]],
]);

/**
 * Wraps a module that exports `memory`, `cabi_realloc`, `describe`, `answer` and `done`, the last three with the canonical ABI's
 * parameters, and whose strings are UTF-8.
 * @param {Uint8Array} module
 * @returns {Promise<Uint8Array>} the component
 */
export async function wrapModule(module) {
  const { componentEmbed, componentNew, parse, print } = await import("@bytecodealliance/jco");
  const binary = await parse(renameExports(await print(module)));
  const witSource = await readFile(WIT, "utf8");
  return componentNew(await componentEmbed({ binary, witSource, world: WORLD, stringEncoding: "utf8" }), []);
}

/** Gives the exported functions their names in the interface. */
function renameExports(wat) {
  const missing = new Set(NAMES.keys());
  const renamed = wat.replace(/\(export "(\w+)" (\(func [^()]+\))\)/gu, (whole, name, target) => {
    missing.delete(name);
    return (
      NAMES.get(name)
        ?.map((full) => `(export "${full}" ${target})`)
        .join(" ") ?? whole
    );
  });
  if (missing.size > 0) throw new Error(`the module does not export ${[...missing].join(", ")}`);
  return renamed;
}
