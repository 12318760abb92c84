/** The components as the project's build makes them: built once, whichever test needs them first. */
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

/** The directory of a component. Nothing is built where `npm run build` has done it and nothing has changed since. */
export async function builtDirectory(name: string): Promise<string> {
  const tools = (await demoTools()).tools.map(({ tool, fingerprint, signature }) => ({
    tool,
    fingerprint,
    signature: canonicalText(signature),
  }));
  const outDir = fileURLToPath(new URL("../../dist/components/", import.meta.url));
  const [built] = await buildComponents({ tools, outDir, only: [name] });
  return (built as { directory: string }).directory;
}

export interface BuiltComponent {
  readonly directory: string;
  readonly core: WebAssembly.Module;
  readonly instantiate: Instantiate;
  readonly getCoreModule: GetCoreModule;
}

export async function builtComponent(name: string): Promise<BuiltComponent> {
  const directory = await builtDirectory(name);
  const { instantiate } = (await import(/* @vite-ignore */ pathToFileURL(join(directory, `${name}.js`)).href)) as {
    instantiate: Instantiate;
  };
  const core = await WebAssembly.compile(await readFile(join(directory, `${name}.core.wasm`)));
  return { directory, core, instantiate, getCoreModule: () => core };
}
