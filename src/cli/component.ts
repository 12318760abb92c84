/** `flow-host component build`: a component made ready for pages, bundlers, edge workers, Node, Deno and Bun. */
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { FlowError } from "../json/errors.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { type Command, type Io, misuse, OK, runCommand } from "./command.ts";
import { transpileComponent } from "./component-build.ts";
import { readSize } from "./component-memory.ts";
import { placed, readBytes } from "./files.ts";

export const componentCommand: Command = {
  summary: "make a WebAssembly component ready for every JavaScript runtime",
  help: `
Usage: flow-host component build FILE.wasm -o DIR [options]

Transpiles a component to modules that compile nothing by themselves, read no environment and refuse text that is
not Unicode, and writes to DIR:

  NAME.js, NAME.core.wasm   instantiate(getCoreModule, imports), and the modules it asks for
  web.js                    for pages, bundlers, Deno and Bun: instantiate and a getCoreModule that fetches
  node.js                   the same for Node: reads files
  workerd.js                the same for workerd (Cloudflare Workers): imports .wasm files as compiled modules
  worker.js                 a module Worker that runs the component, for bindComponent(..., { in: "worker" })
  process.js                a process that runs the component, for bindProcess, on Node, Deno and Bun

  -o, --out DIR        where to; it is made where it does not exist
  --name NAME          what its files are named after; the name of FILE by default
  --max-memory SIZE    the most memory an instance may have, such as 64MiB
  --json               print what was written and what the component imports as JSON

It takes the packages @bytecodealliance/jco and esbuild, which are not installed with this one.
`,
  options: { out: { type: "string", short: "o" }, name: { type: "string" }, "max-memory": { type: "string" } },
  async run({ values, positionals }, io) {
    const [verb, file, ...rest] = positionals;
    const { out, name, "max-memory": size } = values as { out?: string; name?: string; "max-memory"?: string };
    if (verb !== "build" || file === undefined || rest.length > 0) throw misuse("say: component build FILE.wasm -o DIR");
    if (out === undefined) throw misuse("say where to with -o DIR");
    const maxMemory = size === undefined ? undefined : readSize(size);
    const component = await readBytes(file, io);
    const transpiled = await transpileComponent(component, { name: name ?? nameOf(file), maxMemory });
    await writeAll(placed(out, io), transpiled.files);
    const { imports } = transpiled;
    const sizes = [...transpiled.files].map(([path, contents]) => ({ path, bytes: Buffer.byteLength(contents) }));
    if (values["json"] === true) io.out(`${JSON.stringify({ files: sizes, imports, exports: transpiled.exports })}\n`);
    else {
      for (const { path, bytes } of sizes) io.out(`${join(out, path)}  ${bytes} bytes\n`);
      io.out(imports.length === 0 ? "It imports nothing.\n" : `It imports ${imports.join(", ")}, which the host has to grant.\n`);
    }
    return OK;
  },
};

/** Runs the words after `flow-host component`. @returns the exit status */
export function runComponentCommand(args: readonly string[], io: Io): Promise<number> {
  return runCommand("component", componentCommand, args, io);
}

/** `search` for `out/search.component.wasm`. */
function nameOf(file: string): string {
  return basename(file).replace(/(?:\.component)?\.wasm$/, "");
}

async function writeAll(directory: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  try {
    for (const [path, contents] of files) {
      const place = join(directory, path);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, contents);
    }
  } catch (cause) {
    throw new FlowError("file", `${directory} cannot be written to: ${reasonOf(cause)}`, { cause });
  }
}
