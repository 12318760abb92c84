/**
 * What `flow-host component build` does, for this directory's own build, which runs before the command is built: the same
 * sources, compiled in memory.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const SOURCE = new URL("../src/cli/component-build.ts", import.meta.url);
// Below node_modules, so that what the sources import of packages is found.
const CACHE = new URL("../node_modules/.cache/flow-host/", import.meta.url);

/** @returns {Promise<typeof import("../src/cli/component-build.ts")>} */
async function fromSource() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(SOURCE)],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    define: { "import.meta.url": JSON.stringify(SOURCE.href) },
    logLevel: "silent",
  });
  const place = new URL(`component-build-${process.pid}-${Date.now()}.mjs`, CACHE);
  await mkdir(CACHE, { recursive: true });
  await writeFile(place, outputFiles[0].contents);
  try {
    return await import(/* @vite-ignore */ pathToFileURL(fileURLToPath(place)).href);
  } finally {
    await rm(place, { force: true });
  }
}

let loading;
const loaded = () => {
  loading ??= fromSource();
  return loading;
};

/** @type {typeof import("../src/cli/component-build.ts").transpileComponent} */
export const transpileComponent = async (...args) => (await loaded()).transpileComponent(...args);

/** @type {typeof import("../src/cli/component-build.ts").portableGlue} */
export const portableGlue = async (...args) => (await loaded()).portableGlue(...args);
