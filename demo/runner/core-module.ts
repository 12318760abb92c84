/** The WebAssembly of the sample's component, fetched from beside the page and compiled once. */
import type { GetCoreModule } from "flow-host";
import address from "../../dist/components/search/search.core.wasm";

let compiling: Promise<WebAssembly.Module> | undefined;

/** Compiled once for all runs, so that the page needs no network any more once it has loaded. */
export const coreModule: GetCoreModule = () => {
  compiling ??= load();
  return compiling;
};

async function load(): Promise<WebAssembly.Module> {
  try {
    const response = await fetch(new URL(address, import.meta.url));
    if (!response.ok) throw new Error(`the server answered ${response.status} for ${address}`);
    // Not compileStreaming: it wants a content type that not every static server knows.
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (caught) {
    // The next run may try again.
    compiling = undefined;
    throw caught;
  }
}
