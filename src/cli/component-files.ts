/** The modules that `flow-host component build` writes around the glue, one for each way in which a runtime has WebAssembly files. */

/** What is known of a component when these are written. */
export interface ComponentOutline {
  readonly name: string;
  /** Its core modules, by file name. */
  readonly cores: readonly string[];
}

/** @returns The files by name. */
export function entryModules({ name, cores }: ComponentOutline): ReadonlyMap<string, string> {
  return new Map([
    ["web.js", webModule(name, cores)],
    ["node.js", nodeModule(name, cores)],
    ["workerd.js", workerdModule(name, cores)],
    ...["web.d.ts", "node.d.ts", "workerd.d.ts"].map((file) => [file, declarations(name)] as const),
  ]);
}

/** Bundlers know `new URL("…", import.meta.url)` for a file that goes along; a page, Deno and Bun run it as it is. */
function webModule(name: string, cores: readonly string[]): string {
  return `/** ${name} for pages, bundlers, Deno and Bun. */
export { instantiate } from "./${name}.js";

const urls = {
${cores.map((core) => `  ${JSON.stringify(core)}: new URL("./${core}", import.meta.url),\n`).join("")}};
const compiled = new Map();

/** Fetches and compiles a core module, once. */
export function getCoreModule(path) {
  let module = compiled.get(path);
  if (module === undefined) {
    module = compile(urls[path]);
    compiled.set(path, module);
    module.catch(() => compiled.delete(path));
  }
  return module;
}

async function compile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(\`\${url} cannot be had: status \${response.status}\`);
  // A server that does not know the type of .wasm files is no reason to fail.
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
`;
}

/** Node's \`fetch\` has no \`file:\`. */
function nodeModule(name: string, cores: readonly string[]): string {
  return `/** ${name} for Node; Deno and Bun run it too. */
import { readFile } from "node:fs/promises";
export { instantiate } from "./${name}.js";

const files = new Set(${JSON.stringify(cores)});
const compiled = new Map();

/** Reads and compiles a core module, once. */
export function getCoreModule(path) {
  let module = compiled.get(path);
  if (module === undefined) {
    module = compile(path);
    compiled.set(path, module);
    module.catch(() => compiled.delete(path));
  }
  return module;
}

async function compile(path) {
  if (!files.has(path)) throw new Error(\`there is no core module \${path}\`);
  return WebAssembly.compile(await readFile(new URL(path, import.meta.url)));
}
`;
}

/** Where compiling is forbidden, an imported \`.wasm\` file is a compiled module. */
function workerdModule(name: string, cores: readonly string[]): string {
  return `/** ${name} for workerd (Cloudflare Workers): an imported .wasm file is a compiled module there. */
${cores.map((core, i) => `import core${i} from "./${core}";\n`).join("")}export { instantiate } from "./${name}.js";

const modules = {
${cores.map((core, i) => `  ${JSON.stringify(core)}: core${i},\n`).join("")}};

export function getCoreModule(path) {
  return modules[path];
}
`;
}

function declarations(name: string): string {
  return `export { instantiate } from "./${name}.js";
export declare function getCoreModule(path: string): WebAssembly.Module | Promise<WebAssembly.Module>;
`;
}

/** What is bundled to \`worker.js\`: the Worker's side of \`bindComponent(…, { in: "worker" })\` with the glue in it. */
export function workerSource(name: string, server: string): string {
  return `import { instantiate } from "./${name}.js";
import { serveComponentWorker } from ${JSON.stringify(server)};
// A Worker's own scope; on Node, which has none, the port to the thread that started it.
const port = typeof globalThis.postMessage === "function" ? globalThis : (await import("node:worker_threads")).parentPort;
serveComponentWorker(instantiate, port);
`;
}

/** What is bundled to `process.js`: a process that speaks to `bindProcess`, with the glue in it, on Node, Deno and Bun. */
export function processSource(name: string, server: string): string {
  return `import { instantiate, getCoreModule } from "./node.js";
import { serveComponentProcess } from ${JSON.stringify(server)};
try {
  await serveComponentProcess(instantiate, getCoreModule, process.argv.slice(2));
} catch (caught) {
  console.error("${name}: " + caught.message);
  process.exitCode = 2;
}
`;
}
