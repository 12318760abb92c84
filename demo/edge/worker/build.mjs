/** Bundles both Workers to `dist/`, ready for workerd: one module each, and the components' core modules as files beside them. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = fileURLToPath(new URL("./", import.meta.url));

/** @returns {Promise<string>} the directory of `host.js`, `catalog-service.js` and the `.wasm` files */
export async function buildWorkers() {
  const outdir = fileURLToPath(new URL("dist/", import.meta.url));
  await build({
    entryPoints: ["host.ts", "catalog-service.ts"],
    absWorkingDir: HERE,
    outdir,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    // workerd takes an imported .wasm file as a compiled module.
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    logLevel: "warning",
  });
  return outdir;
}
