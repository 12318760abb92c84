/** `npm start`: the sample's transcript in the terminal, then the playground on a free port of this machine. */
import { readFile } from "node:fs/promises";
import { plain, runSample } from "./dist/sample.js";
import { serve } from "./serve.mjs";

const core = (name) => readFile(new URL(`../dist/components/search/${name}`, import.meta.url)).then((bytes) => WebAssembly.compile(bytes));

await runSample(core, (line) => console.log(plain(line)));
if (!process.argv.includes("--once")) {
  const { address } = await serve();
  console.log(`\nThe playground is at ${address} (Ctrl+C ends it)`);
}
