/** The search component as the project's build makes it: built once, whichever test needs it first. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { GetCoreModule, Instantiate } from "../../src/bindings/component.ts";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";
import { readTools, type ToolsDocument } from "../../src/signature/tools.ts";
import { buildComponents } from "../../wasm-tools/build.mjs";

export const FIND = "github.com/acme/docs@1.0.0/search.flow.find";

/** The declarations of the demo. */
export async function demoTools(): Promise<ToolsDocument> {
  return readTools(parseJson(await readFile(new URL("../../demo/tools.json", import.meta.url))));
}

/** The directory of the search component. Nothing is built where `npm run build` has done it and nothing has changed since. */
export async function searchDirectory(): Promise<string> {
  const tools = (await demoTools()).tools.map(({ tool, fingerprint, signature }) => ({
    tool,
    fingerprint,
    signature: canonicalText(signature),
  }));
  const [built] = await buildComponents({ tools, outDir: fileURLToPath(new URL("../../dist/components/", import.meta.url)) });
  return (built as { directory: string }).directory;
}

export interface BuiltSearch {
  readonly directory: string;
  readonly core: WebAssembly.Module;
  readonly instantiate: Instantiate;
  readonly getCoreModule: GetCoreModule;
}

export async function builtSearch(): Promise<BuiltSearch> {
  const directory = await searchDirectory();
  const { instantiate } = (await import(/* @vite-ignore */ pathToFileURL(join(directory, "search.js")).href)) as {
    instantiate: Instantiate;
  };
  const core = await WebAssembly.compile(await readFile(join(directory, "search.core.wasm")));
  return { directory, core, instantiate, getCoreModule: () => core };
}
