/** Turns a component, whatever it was written in, into ES modules and core modules that every JavaScript runtime can load. */
import { access } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { FlowError } from "../json/errors.ts";
import { reasonOf } from "../protocol/outcome.ts";
import { entryModules, processSource, workerSource } from "./component-files.ts";
import { patchGlue, requirePortable } from "./component-glue.ts";
import { limitMemory } from "./component-memory.ts";

export interface TranspileOptions {
  /** What its files are named after. */
  readonly name: string;
  /** Bytes that each of its memories may have at most; as the component has it by default. */
  readonly maxMemory?: number | undefined;
}

export interface TranspiledComponent {
  /** By path. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** The interfaces it imports, without their versions. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}

/** The peers this needs and nothing else of the package does. Names in variables are not looked for by bundlers and compilers. */
const JCO: string = "@bytecodealliance/jco";
const ESBUILD: string = "esbuild";

interface Jco {
  transpile(
    component: Uint8Array,
    options: { name: string; instantiation: "async"; nodejsCompat: false },
  ): Promise<{ files: Record<string, Uint8Array>; imports: string[]; exports: [string, string][] }>;
}

interface Esbuild {
  transform(source: string, options: object): Promise<{ code: string }>;
  build(options: object): Promise<{ outputFiles: { text: string }[] }>;
}

/** What minified modules have in common: small, ASCII, and the same whoever builds. */
const MINIFIED = { format: "esm", target: "es2022", charset: "ascii", minify: true, logLevel: "silent" };

/**
 * Transpiles a component. The files: `NAME.js`, which exports `instantiate(getCoreModule, imports, instantiateCore?)`; its core
 * modules, `NAME.core.wasm` and so on; `web.js`, `node.js` and `workerd.js`, which export `instantiate` and a `getCoreModule`;
 * `worker.js`, which runs it in a Worker; `process.js`, which runs it in a process; and their types.
 * @throws FlowError `unsupported` where a peer is not installed, and for a component that cannot be made portable
 */
export async function transpileComponent(component: Uint8Array, { name, maxMemory }: TranspileOptions): Promise<TranspiledComponent> {
  if (!/^[a-z][\w-]*$/i.test(name))
    throw new FlowError("usage", `expected a name of letters, digits, "-" and "_", met ${JSON.stringify(name)}`);
  const jco = await peer<Jco>(JCO);
  const esbuild = await peer<Esbuild>(ESBUILD);
  let transpiled: Awaited<ReturnType<Jco["transpile"]>>;
  try {
    transpiled = await jco.transpile(component, { name, instantiation: "async", nodejsCompat: false });
  } catch (cause) {
    throw new FlowError("unsupported", `expected a WebAssembly component, met what jco cannot transpile: ${reasonOf(cause)}`, { cause });
  }
  const files = new Map<string, string | Uint8Array>();
  const cores: string[] = [];
  for (const [path, contents] of Object.entries(transpiled.files)) {
    if (path.endsWith(".wasm")) {
      cores.push(path);
      files.set(path, maxMemory === undefined ? contents : limitMemory(contents, maxMemory));
    } else {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(contents);
      files.set(path, path.endsWith(".js") ? await portable(esbuild, text) : text);
    }
  }
  for (const [path, text] of entryModules({ name, cores })) files.set(path, text);
  files.set("worker.js", await workerModule(esbuild, name, files.get(`${name}.js`) as string));
  files.set("process.js", await processModule(esbuild, name));
  return { files, imports: transpiled.imports, exports: transpiled.exports.map(([exported]) => exported) };
}

/**
 * Patches and minifies jco's glue.
 * @throws FlowError `unsupported`
 */
export async function portableGlue(source: string): Promise<string> {
  return portable(await peer<Esbuild>(ESBUILD), source);
}

async function portable(esbuild: Esbuild, source: string): Promise<string> {
  // Calls of nothing are dropped, and what was only made for them with them.
  const { code } = await esbuild.transform(patchGlue(source), { ...MINIFIED, pure: ["_debugLog"] });
  requirePortable(code);
  return code;
}

/** The Worker's side of `src/bindings/` and the glue, in one file. */
async function workerModule(esbuild: Esbuild, name: string, glue: string): Promise<string> {
  return bundled(esbuild, workerSource(name, await shipped("bindings/component-server.ts")), {
    platform: "neutral",
    external: ["node:worker_threads"],
    plugins: [
      {
        name: "glue",
        setup(build: { onResolve(options: object, found: () => object): void; onLoad(options: object, found: () => object): void }) {
          build.onResolve({ filter: new RegExp(`^\\./${name}\\.js$`) }, () => ({ path: "glue", namespace: "glue" }));
          build.onLoad({ filter: /./, namespace: "glue" }, () => ({ contents: glue, loader: "js" }));
        },
      },
    ],
  });
}

/** The process's side of `src/node/`, in one file that reads the others beside it. */
async function processModule(esbuild: Esbuild, name: string): Promise<string> {
  return bundled(esbuild, processSource(name, await shipped("node/component-process.ts")), { platform: "node", external: ["./node.js"] });
}

async function bundled(esbuild: Esbuild, contents: string, options: object): Promise<string> {
  const stdin = { contents, resolveDir: "/", loader: "js" };
  const { outputFiles } = await esbuild.build({ ...MINIFIED, stdin, bundle: true, write: false, ...options });
  return (outputFiles[0] as { text: string }).text;
}

/** The module of the other side: the source where this file is one, or what the build made of it, beside the command. */
async function shipped(source: string): Promise<string> {
  for (const place of [`../${source}`, `./${basename(source, ".ts")}.js`]) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new FlowError("unsupported", `the package lacks what it makes of src/${source}, the other side of a component`);
}

/** A peer that few need and so nobody has to install. */
async function peer<T>(name: string): Promise<T> {
  try {
    return (await import(/* @vite-ignore */ name)) as T;
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new FlowError("unsupported", `this takes the package ${name}, which is not installed: npm install --save-dev ${name}`, { cause });
  }
}
