/**
 * Makes a component runnable in this page, as `flow-host component build` does for files: jco transpiles it, the same patches make
 * its glue exact, and its core modules are compiled. jco is large, so this is a Worker of its own that is loaded when the first
 * component comes.
 */
import { generate } from "@bytecodealliance/jco/component";
// Of the command, and no part of the package: pages that transpile are rare, and this needs no Node.
import { patchGlue } from "../../src/cli/component-glue.ts";
import { limitMemory } from "../../src/cli/component-memory.ts";
import type { Transpiled, TranspilerAnswer } from "./messages.ts";

/** A memory that grows without end would take the page with it. */
const MOST_MEMORY = 268_435_456;

const post = (answer: TranspilerAnswer): void => postMessage(answer);

async function transpile(component: Uint8Array): Promise<Transpiled> {
  const { files } = await generate(component, {
    name: "component",
    // The command's own: `--instantiation async --no-nodejs-compat`.
    instantiation: { tag: "async" },
    noNodejsCompat: true,
    noTypescript: true,
    noComponentErrorWrapping: true,
  });
  const modules: Record<string, WebAssembly.Module> = {};
  let glue: string | undefined;
  for (const [path, contents] of files) {
    if (path.endsWith(".wasm")) modules[path] = await WebAssembly.compile(limitMemory(contents, MOST_MEMORY));
    else if (path.endsWith(".js")) glue = patchGlue(new TextDecoder("utf-8", { fatal: true }).decode(contents));
  }
  if (glue === undefined) throw new Error("jco wrote no glue");
  return { glue, modules };
}

addEventListener("message", async ({ data }: MessageEvent<Uint8Array>) => {
  try {
    post({ done: await transpile(data) });
  } catch (caught) {
    post({ fault: caught instanceof Error ? caught.message : String(caught) });
  }
});
post({ ready: true });
