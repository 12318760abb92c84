/** The code of wasm-tools/README.md: each block a module of its own, on Node, beside what `flow-host component build` writes. */
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { builtDirectory, FIND } from "../components/built.ts";
import { blocksOf, PAGES } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Inside the repository, so that the package finds itself by its name. */
const folder = join(root, ".tmp/wasm-tools");
const blocks = blocksOf(PAGES.get("wasm-tools/README.md") as string).filter(({ language }) => language === "js");

/** What a block has from the text around it, and from the blocks above it. */
const AROUND = [
  'import { bindComponent as $bindComponent } from "flow-host";',
  'import { getCoreModule as $getCoreModule, instantiate as $instantiate } from "./search/node.js";',
  // Node has its Workers in a module.
  'import { Worker as $Worker } from "node:worker_threads";',
  "Object.assign(globalThis, { bindComponent: $bindComponent, getCoreModule: $getCoreModule, instantiate: $instantiate });",
  `Object.assign(globalThis, { Worker: $Worker, tool: ${JSON.stringify(FIND)}, store: {} });`,
].join("\n");

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(await builtDirectory("search"), join(folder, "search"), { recursive: true });
  // A page fetches its core module, which Node reads.
  await writeFile(join(folder, "search/web.js"), 'export * from "./node.js";\n');
  await writeFile(join(folder, "around.mjs"), AROUND);
});
afterAll(() => rm(folder, { recursive: true }));

it("is there", () => expect(blocks.length).toBeGreaterThanOrEqual(4));

it.each(blocks.map(({ line, text }) => [line, text] as const))("line %i binds the component, and it answers", async (line, text) => {
  // What the page leaves as an expression is what there is to try.
  const given = text.replace(/^(?=bind\w+\()/m, "export const binding = ").replace(/^(?=const host)/m, "export ");
  await writeFile(join(folder, `block-${line}.mjs`), `import "./around.mjs";\n${given}`);
  const { binding, host } = await import(/* @vite-ignore */ pathToFileURL(join(folder, `block-${line}.mjs`)).href);
  const { createHost, readTools } = await import(/* @vite-ignore */ pathToFileURL(join(root, "dist/flow-host.js")).href);
  const read = await readTools(await readFile(join(root, "demo/tools.json")));
  const only = { ...read, tools: read.tools.filter(({ tool }: { tool: string }) => tool === FIND) };
  const used = host ?? createHost({ bindings: { [FIND]: binding } });
  const { result } = await used.start({
    program: { tools: only, run: (run: { call(tool: string, args: object): unknown }) => run.call(FIND, { query: "flow" }) },
  });
  expect(await result).toMatchObject({ tag: "Ok" });
  await used[Symbol.asyncDispose]();
});
