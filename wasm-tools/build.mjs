/** Builds the components in this directory: AssemblyScript to a core module, that to a component, that to portable modules. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compileAssemblyScript } from "./assemblyscript.mjs";
import { canonicalText, constantsOf, withoutVersion } from "./declaration.mjs";
import { component as least } from "./least/component.mjs";
import { component as ledger } from "./ledger/component.mjs";
import { component as search } from "./search/component.mjs";
import { asPath, hashOf, isUpToDate, sourcesIn, versionsOf, writeStamped } from "./stamp.mjs";
import { transpileComponent } from "./transpile.mjs";
import { WIT, wrapModule } from "./wrap.mjs";

const COMPONENTS = [search, ledger, least];
/** What components import of this directory is named from here. */
const DIRECTORY = new URL("./", import.meta.url);
const TOOLCHAIN = ["assemblyscript", "@bytecodealliance/jco", "@bytecodealliance/jco-transpile", "esbuild"];

/**
 * A declaration as the program's `tools` output lists it.
 * @typedef {{ tool: string, fingerprint: string, signature: string }} Declaration
 *   its identity, its fingerprint and its signature as canonical JSON text
 */

/**
 * Builds every component to `OUT/NAME/`: `NAME.component.wasm`, the component itself, and what `flow-host component build` makes of
 * it. A component whose sources, constants and tools have not changed is left as it is.
 * @param {{ tools: readonly Declaration[], outDir: string | URL, only?: readonly string[] }} options `tools` are all declarations of
 *   the program, of which each component takes its own; `only` names the components to build
 * @returns {Promise<{ name: string, directory: string, built: boolean }[]>} what there is now, and what had to be built for it
 * @throws Error if a component's declaration is not among `tools`, or there in several versions
 */
export async function buildComponents({ tools, outDir, only }) {
  // All declarations first: nothing is built of a set that cannot be built whole.
  const work = [];
  for (const component of COMPONENTS) {
    if (only !== undefined && !only.includes(component.name)) continue;
    const listed = component.tools === undefined ? tools : await declarationsIn(component.tools);
    work.push({ component, declaration: declarationOf(component, listed) });
  }
  const results = [];
  for (const { component, declaration } of work) results.push(await buildComponent(component, declaration, asPath(outDir)));
  return results;
}

async function buildComponent(component, declaration, outDir) {
  const { name } = component;
  const directory = join(outDir, name);
  const constants = constantsOf(declaration);
  const inputs = await inputsOf(component, constants);
  if (await isUpToDate(directory, inputs)) return { name, directory, built: false };

  const entry = `${component.directory.href.slice(DIRECTORY.href.length)}assembly/index.ts`;
  const module = await compileAssemblyScript(DIRECTORY, entry, { "assembly/constants.ts": constants });
  const wrapped = await wrapModule(module);
  const { files } = await transpileComponent(wrapped, { name });
  await writeStamped(directory, inputs, new Map([[`${name}.component.wasm`, wrapped], ...files]));
  return { name, directory, built: true };
}

/** One hash of everything that decides what is built. */
async function inputsOf(component, constants) {
  return hashOf([
    constants,
    await readFile(WIT, "utf8"),
    ...(await sourcesIn(new URL("assembly/", component.directory), ".ts")),
    ...(await sourcesIn(new URL("assembly/", DIRECTORY), ".ts")),
    ...(await sourcesIn(DIRECTORY, ".mjs")),
    ...(await sourcesIn(component.directory, ".mjs")),
    ...(await sourcesIn(new URL("../src/cli/", import.meta.url), /^component.*\.ts$/)),
    ...(await sourcesIn(new URL("../src/bindings/", import.meta.url), /^component.*\.ts$/)),
    ...(await versionsOf(TOOLCHAIN)),
  ]);
}

/** The declarations in a `tools` output. @returns {Promise<Declaration[]>} */
async function declarationsIn(place) {
  const { tools } = JSON.parse(await readFile(place, "utf8"));
  return tools.map(({ tool, fingerprint, signature }) => ({ tool, fingerprint, signature: canonicalText(signature) }));
}

/** The component's declaration among the program's, whatever its version. */
function declarationOf({ name, tool }, tools) {
  const found = tools.filter((declaration) => withoutVersion(declaration.tool) === tool);
  if (found.length === 1) return found[0];
  const listed = tools.map((declaration) => declaration.tool).join(", ") || "none";
  throw new Error(`component ${name}: ${found.length === 0 ? "no declaration" : "more than one declaration"} of ${tool} among: ${listed}`);
}
