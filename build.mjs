/**
 * The one build script: `node build.mjs`, or `node build.mjs --no-types` for a quicker turn.
 *
 * Writes to `dist/` the core bundle, the other entries, their type declarations and the WebAssembly components, and to
 * `demo/dist/` the demo page, each with the licences of what others wrote. Each step makes all of its files in memory first and then replaces, one rename each, those
 * that differ: a build that fails leaves what was there, and two builds at once leave whole files.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { licencesText, packagesIn } from "./licences.mjs";

export const ROOT = dirname(fileURLToPath(import.meta.url));
const SRC = join(ROOT, "src");
const DIST = join(ROOT, "dist");
const DEMO = join(ROOT, "demo");

/**
 * The entries of the package, and the rooms of `src/` whose code each carries. No room is carried twice (R43): what an
 * entry imports from another's room, it imports from that entry's file. Beside its public names a bundle therefore exports
 * what other entries import from its rooms, under names that begin with `$` and that no declaration file has.
 */
export const ENTRIES = [
  {
    name: "flow-host",
    directory: "",
    rooms: ["json", "values", "types", "schema", "codec", "signature", "protocol", "host", "bindings"],
    platform: "neutral",
  },
  { name: "declarations", directory: "declarations", rooms: ["declarations"], platform: "neutral" },
  { name: "toolkit", directory: "toolkit", rooms: ["toolkit"], platform: "neutral" },
  { name: "contracts", directory: "contracts", rooms: ["contracts"], platform: "neutral" },
  { name: "node", directory: "node", rooms: ["node"], platform: "node" },
  { name: "cli", directory: "cli", rooms: ["cli"], platform: "node", banner: "#!/usr/bin/env node" },
];

/**
 * What `flow-host component build` bundles into the modules it writes: the other side of a component in a Worker and in a
 * process. They run apart from everything else, so they carry what they need.
 */
export const OTHER_SIDES = [
  { source: "bindings/component-server.ts", platform: "neutral" },
  { source: "node/component-process.ts", platform: "node" },
];

/** What the bundles of `src/` have in common. The demo page is bundled alike, so that it shows what users get. */
const OPTIONS = {
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  // Pages without a charset declaration and tools that guess one would otherwise bend the text.
  charset: "ascii",
  minify: true,
  sourcemap: true,
  legalComments: "eof",
  metafile: true,
  logLevel: "silent",
  mainFields: ["module", "main"],
};

/**
 * Builds everything there are sources for. A step that fails does not keep the others from being done.
 * @param {{ types?: boolean, log?: (line: string) => void }} [options] `types: false` leaves the declarations as they are
 * @returns {Promise<string[]>} why each step that failed did; what it had built before is still there
 */
export async function build({ types = true, log = console.log } = {}) {
  const faults = [];
  const carried = new Set();
  const attempt = (step) => step().catch(async (error) => faults.push(await explain(error)));
  await attempt(() => buildEntries(log, attempt, carried));
  await attempt(() => buildComponentTools(log));
  await attempt(() => buildDemo(log, carried));
  if (types) await attempt(() => buildTypes(log));
  return faults;
}

/** The entries whose sources exist. @returns {Promise<typeof ENTRIES>} */
export async function presentEntries() {
  const there = await Promise.all(ENTRIES.map((entry) => exists(join(SRC, entry.directory, "index.ts"))));
  return ENTRIES.filter((_, index) => there[index]);
}

/** @param {Set<string>} carried gets the directories of the packages that the bundles carry */
async function buildEntries(log, attempt, carried) {
  const esbuild = await import("esbuild");
  const wanted = new Map();
  const wantedOf = new Map();
  for (const entry of await presentEntries()) {
    await attempt(async () => {
      wantedOf.set(entry, await wantedBy(esbuild, entry));
      for (const [path, names] of wantedOf.get(entry)) merge(wanted, path, names);
    });
  }
  const exported = new Map();
  for (const [entry, of] of wantedOf) {
    await attempt(async () => {
      const { files, metafile } = await bundleEntry(esbuild, entry, wanted);
      requireExported(entry, of, exported);
      exported.set(entry, exportsOf(files));
      for (const directory of packagesIn(metafile)) carried.add(directory);
      await writeFiles(DIST, files, log);
    });
  }
  await attempt(() => buildOtherSides(esbuild, log, carried));
  // What an entry that could not be built carries is not known; its file is still the old one, and so this stays as well.
  if (exported.size === (await presentEntries()).length) await writeFiles(DIST, [await licencesFile(carried)], log);
}

async function buildOtherSides(esbuild, log, carried) {
  for (const { source, platform } of OTHER_SIDES) {
    if (!(await exists(join(SRC, source)))) continue;
    const path = `${posix.basename(source, ".ts")}.js`;
    const { outputFiles, metafile } = await esbuild.build({
      ...OPTIONS,
      entryPoints: [join(SRC, source)],
      outfile: join(DIST, path),
      absWorkingDir: ROOT,
      platform,
      sourcemap: false,
      legalComments: "none",
    });
    for (const directory of packagesIn(metafile)) carried.add(directory);
    await writeFiles(DIST, [{ path, contents: outputFiles[0].contents }], log);
  }
}

async function licencesFile(directories) {
  return { path: "LICENSES.txt", contents: Buffer.from(await licencesText(ROOT, directories)) };
}

/** What a finished bundle exports. esbuild's own list has names that turned out not to be there. */
function exportsOf(files) {
  const { contents } = files.find(({ path }) => path.endsWith(".js"));
  const [, clause = ""] = /export ?\{([^{}]*)\};?\s*(?:\/[/*]|$)/.exec(Buffer.from(contents).toString()) ?? [];
  return new Set(clause.split(",").map((name) => name.split(" as ").at(-1).trim()));
}

/** In TypeScript a name that is not there might be a type, so esbuild says nothing of it. */
function requireExported(entry, wanted, exported) {
  for (const [path, names] of wanted) {
    const owner = ownerOf(path);
    const there = exported.get(owner);
    if (there === undefined) throw new Error(`${entry.name}: it imports ${owner.name}, which could not be built`);
    const missing = [...names].filter((name) => !there.has(inBundle(path, name)));
    if (missing.length > 0) throw new Error(`${entry.name}: src/${path} does not export ${missing.join(", ")}`);
  }
}

/**
 * What the entries import of each other's rooms: names by the path in `src/` of the module that has them.
 * @typedef {ReadonlyMap<string, ReadonlySet<string>>} Wanted
 */

/**
 * @param {typeof import("esbuild")} esbuild
 * @returns {Promise<Wanted>} what all entries together import
 */
export async function wantedNames(esbuild) {
  const wanted = new Map();
  for (const entry of await presentEntries()) {
    for (const [path, names] of await wantedBy(esbuild, entry)) merge(wanted, path, names);
  }
  return wanted;
}

/** What one entry imports of others' rooms, read off a bundle that leaves those imports as they are. */
async function wantedBy(esbuild, entry) {
  const leave = (path) => ({ path: `room:${path}`, external: true, sideEffects: false });
  const { outputFiles } = await esbuild.build({
    ...OPTIONS,
    minify: false,
    sourcemap: false,
    entryPoints: [join(SRC, entry.directory, "index.ts")],
    outdir: DIST,
    platform: entry.platform,
    plugins: [otherRooms(entry, leave)],
  });
  const wanted = new Map();
  for (const [, clause, path] of outputFiles[0].text.matchAll(/^(?:import|export) ([^"]*?) ?(?:from )?"room:([^"]+)";$/gm)) {
    const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]?.split(",");
    if (names === undefined) throw new Error(`${entry.name}: of src/${path} it imports ${clause.trim()}; it may only import names`);
    merge(
      wanted,
      path,
      names.map((name) => name.trim().split(" ", 1)[0]),
    );
  }
  return wanted;
}

function merge(wanted, path, names) {
  wanted.set(path, new Set([...(wanted.get(path) ?? []), ...names]));
}

/**
 * Bundles one entry in memory.
 * @param {typeof import("esbuild")} esbuild
 * @param {(typeof ENTRIES)[number]} entry
 * @param {Wanted} wanted
 * @param {import("esbuild").BuildOptions} [overrides]
 * @returns {Promise<{ files: { path: string, contents: Uint8Array }[], metafile: import("esbuild").Metafile }>} the module and its
 *   source map, by their paths in `dist/`, and what they were made of
 */
export async function bundleEntry(esbuild, entry, wanted, overrides = {}) {
  const directory = join(SRC, entry.directory);
  const exported = [...wanted].filter(([path]) => ownerOf(path) === entry);
  const contents = [
    'export * from "./index.ts";',
    ...exported.flatMap(([path, names]) =>
      [...names].map((name) => `export { ${name} as ${inBundle(path, name)} } from ${JSON.stringify(join(SRC, path))};`),
    ),
  ].join("\n");
  const { outputFiles, metafile } = await esbuild.build({
    ...OPTIONS,
    // An entry that only acts, as the command does, is dropped as free of side effects unless it is the entry point itself.
    ...(exported.length === 0
      ? { entryPoints: [join(directory, "index.ts")] }
      : { stdin: { contents, resolveDir: directory, sourcefile: `entry ${entry.name}`, loader: "ts" } }),
    outfile: join(DIST, `${entry.name}.js`),
    absWorkingDir: ROOT,
    platform: entry.platform,
    ...(entry.banner === undefined ? {} : { banner: { js: entry.banner } }),
    plugins: [otherRooms(entry, (path) => ({ path, namespace: "room", sideEffects: false })), rooms(wanted)],
    ...overrides,
  });
  return { files: outputFiles.map(({ path, contents }) => ({ path: relative(DIST, path), contents })), metafile };
}

/** Resolves what is imported from another entry's room. */
function otherRooms(entry, resolved) {
  return {
    name: "other-rooms",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind, namespace }) => {
        if (kind === "entry-point" || namespace === "room" || !isIn(SRC, resolveDir)) return undefined;
        const place = relative(SRC, join(resolveDir, path)).split(sep).join("/");
        return ownerOf(place) === entry ? undefined : resolved(place);
      });
    },
  };
}

/** Another entry's room, as a module that has of the entry's bundle what is wanted of it. */
function rooms(wanted) {
  return {
    name: "rooms",
    setup(build) {
      build.onLoad({ filter: /./, namespace: "room" }, ({ path }) => {
        const names = [...(wanted.get(path) ?? [])].map((name) => `${inBundle(path, name)} as ${name}`);
        return { contents: `export { ${names.join(", ")} } from "./${ownerOf(path).name}.js";` };
      });
      build.onResolve({ filter: /./, namespace: "room" }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };
}

/** What a bundle calls a name of one of its modules: `$json_errors_Refusal`. */
function inBundle(path, name) {
  return `$${path.replace(/\.ts$/, "").replace(/\W/g, "_")}_${name}`;
}

/** @param {string} path in `src/` */
function ownerOf(path) {
  const [room, ...rest] = path.split("/");
  const owner = rest.length === 0 ? ENTRIES[0] : ENTRIES.find(({ rooms }) => rooms.includes(room));
  if (owner === undefined) throw new Error(`no entry of build.mjs carries the room src/${room}`);
  return owner;
}

/**
 * Declarations, without a type check, which is `npm run check`'s. Skipped when nothing they depend on has changed, since the
 * compiler takes longer than all the rest.
 */
async function buildTypes(log) {
  const target = join(DIST, "types");
  const paths = (await readdir(SRC, { recursive: true })).filter((path) => path.endsWith(".ts")).sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(SRC, path), "utf8")));
  const config = await readFile(join(ROOT, "tsconfig.json"), "utf8");
  const { version } = JSON.parse(await readFile(join(ROOT, "node_modules/typescript/package.json"), "utf8"));
  const stamp = hashOf([version, config, await readFile(fileURLToPath(import.meta.url)), ...paths, ...texts]);
  const stampPath = join(target, ".stamp");
  if ((await readFile(stampPath, "utf8").catch(() => "")) === stamp) {
    log(`dist/types  ${paths.length} declarations, unchanged`);
    return;
  }
  const { default: ts } = await import("typescript");
  const { options } = ts.parseJsonConfigFileContent(ts.parseConfigFileTextToJson("tsconfig.json", config).config, ts.sys, ROOT);
  const files = paths.map((path) => join(SRC, path));
  const outputs = [];
  const { diagnostics } = ts
    .createProgram(files, { ...options, noCheck: true, outDir: target })
    .emit(undefined, (place, text) => outputs.push({ path: relative(target, place), contents: Buffer.from(withLibrary(text)) }));
  await rm(stampPath, { force: true });
  // The command has no names to import.
  const entries = (await presentEntries()).filter(({ name }) => name !== "cli");
  const reached = reachedFrom(entries, outputs, ts);
  await writeFiles(target, reached);
  await writeFiles(DIST, entries.map(besideBundle));
  await removeOthers(target, new Set(reached.map(({ path }) => path)));
  if (diagnostics.length === 0) await replaceFile(stampPath, Buffer.from(stamp));
  log(
    `dist/types  ${reached.length} declarations${diagnostics.length === 0 ? "" : `, not exact at ${diagnostics.length} places that npm run check shows`}`,
  );
}

/** Whatever libraries its user's compiler has, a declaration that needs a newer one brings it. JSR does not let sources do so themselves. */
function withLibrary(text) {
  return text.includes("[Symbol.asyncDispose]") ? `/// <reference lib="esnext.disposable" />\n${text}` : text;
}

/** The declarations that a user's compiler gets to: many files have nothing that a public name speaks of. */
function reachedFrom(entries, outputs, ts) {
  const byPath = new Map(outputs.map((output) => [output.path.split(sep).join("/"), output]));
  const reached = new Set();
  const follow = (path) => {
    const output = byPath.get(path);
    if (output === undefined || reached.has(output)) return;
    reached.add(output);
    for (const { fileName } of ts.preProcessFile(output.contents.toString()).importedFiles)
      follow(posix.join(posix.dirname(path), fileName).replace(/\.ts$/, ".d.ts"));
  };
  for (const { directory } of entries) follow(posix.join(directory, "index.d.ts"));
  return [...reached];
}

/** For whoever imports a bundle by its path. */
function besideBundle({ name, directory }) {
  return { path: `${name}.d.ts`, contents: Buffer.from(`export * from "./${posix.join("types", directory, "index.ts")}";\n`) };
}

/** The components answer to the declarations that the demo's programs carry, so those decide their constants. */
async function buildComponentTools(log) {
  const listed = await readFile(join(DEMO, "tools.json"), "utf8").catch(() => undefined);
  if (listed === undefined) return;
  const core = await import(pathToFileURL(join(DIST, "flow-host.js")).href);
  const tools = core.parseJson(listed).tools.map(({ tool, fingerprint, signature }) => ({
    tool,
    fingerprint,
    signature: core.canonicalText(signature),
  }));
  const { buildComponents } = await import("./wasm-tools/build.mjs");
  const outDir = join(DIST, "components");
  for (const { name, directory, built } of await buildComponents({ tools, outDir })) {
    const { length } = await readFile(join(directory, `${name}.component.wasm`));
    log(`${relative(ROOT, join(directory, `${name}.component.wasm`))}  ${length} bytes${built ? "" : ", unchanged"}`);
  }
}

/**
 * The demo page, and the sample that it shares with the terminal and the edge. They import the package by its name, as
 * its users do, and so carry the built bundles.
 * @param {Set<string>} carried the directories of the packages that those carry, and with it the page
 */
async function buildDemo(log, carried) {
  const places = {
    main: join(DEMO, "main.ts"),
    sample: join(DEMO, "sample/index.ts"),
    // What programs run in, and what modules written in the page import.
    runner: join(DEMO, "runner/runner.ts"),
    "tool-worker": join(DEMO, "runner/tool-worker.ts"),
    "component-worker": join(DEMO, "runner/component-worker.ts"),
    library: join(DEMO, "runner/library.ts"),
  };
  const there = await Promise.all(Object.values(places).map(exists));
  const entryPoints = Object.fromEntries(Object.entries(places).filter((_, index) => there[index]));
  if (Object.keys(entryPoints).length === 0) return;
  const esbuild = await import("esbuild");
  const outdir = join(DEMO, "dist");
  const { outputFiles, metafile } = await esbuild.build({
    ...OPTIONS,
    entryPoints,
    outdir,
    absWorkingDir: ROOT,
    platform: "browser",
    splitting: true,
    loader: { ".wasm": "file", ".svg": "file", ".flow": "text" },
    assetNames: "[name]",
    chunkNames: "[name]-[hash]",
    plugins: [withoutTypes(esbuild), notesPackages(carried)],
  });
  const bundled = outputFiles.map(({ path, contents }) => ({ path: relative(outdir, path), contents }));
  const pages = (await readdir(DEMO)).filter((name) => /\.(?:html|css|svg|ico|webmanifest)$/.test(name));
  const early = importedBy(metafile, relative(ROOT, join(outdir, "main.js"))).map((path) => relative(outdir, join(ROOT, path)));
  const copied = await Promise.all(
    pages.map(async (path) => ({ path, contents: withPreloads(await readFile(join(DEMO, path)), path, early) })),
  );
  const page = [...bundled, ...copied.filter(({ path }) => bundled.every((file) => file.path !== path))];
  const transpiler = await bundleTranspiler(esbuild, outdir, notesPackages(carried));
  const files = [...page, ...transpiler, await serviceWorker(page, transpiler), await licencesFile(carried)];
  await writeFiles(outdir, files, log);
  await removeOthers(outdir, new Set(files.map(({ path }) => path)));
}

/** The chunks that a module imports at once, and those that they do. */
function importedBy({ outputs }, path, found = new Set()) {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== "import-statement" || found.has(imported)) continue;
    found.add(imported);
    importedBy({ outputs }, imported, found);
  }
  return [...found];
}

/** Has the browser ask for the page's chunks with the page, and not once it has read the module that imports them. */
function withPreloads(contents, path, chunks) {
  if (!path.endsWith(".html")) return contents;
  const links = chunks.map((chunk) => `<link rel="modulepreload" href="./${chunk}" />\n    `).join("");
  return Buffer.from(contents.toString().replace('<script type="module"', (script) => links + script));
}

/** What makes a dropped component runnable: apart from the page, since it is larger than the page and few need it. */
async function bundleTranspiler(esbuild, outdir, notes) {
  const { outputFiles } = await esbuild.build({
    ...OPTIONS,
    entryPoints: { transpiler: join(DEMO, "transpiler/transpiler.ts") },
    outdir,
    absWorkingDir: ROOT,
    platform: "browser",
    // Behind a test for Node.
    external: ["node:*"],
    loader: { ".wasm": "file" },
    assetNames: "[name]",
    plugins: [wasmBeside(), notes],
  });
  return outputFiles.map(({ path, contents }) => ({ path: relative(outdir, path), contents }));
}

/** Core modules that generated glue looks for beside itself go along, and are compiled whatever type a server gives them. */
function wasmBeside() {
  return {
    name: "wasm-beside",
    setup(build) {
      build.onLoad({ filter: /js-component-bindgen-component\.js$/ }, async ({ path }) => {
        const imports = [];
        const contents = (await readFile(path, "utf8"))
          .replace(/new URL\('(\.\/[\w.-]+\.wasm)', import\.meta\.url\)/g, (_, file) => {
            imports.push(`import $wasm${imports.length} from ${JSON.stringify(file)};\n`);
            return `new URL($wasm${imports.length - 1}, import.meta.url)`;
          })
          .replace("fetch(url).then(WebAssembly.compileStreaming)", "WebAssembly.compile(await (await fetch(url)).arrayBuffer())");
        if (imports.length === 0) throw new Error(`${path} names no .wasm files: jco has changed`);
        return { contents: imports.join("") + contents, loader: "js" };
      });
    },
  };
}

/** Adds to `carried` the packages whose code a bundle carries. */
function notesPackages(carried) {
  return {
    name: "notes-packages",
    setup(build) {
      build.onEnd(({ metafile }) => {
        for (const directory of metafile === undefined ? [] : packagesIn(metafile)) carried.add(directory);
      });
    },
  };
}

/** `NAME.txt?js`: a TypeScript text without its types, as text. The sample runs before the library that does so in the page has come. */
function withoutTypes(esbuild) {
  return {
    name: "without-types",
    setup(build) {
      build.onResolve({ filter: /\.txt\?js$/ }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path.slice(0, -3)),
        namespace: "without-types",
      }));
      build.onLoad({ filter: /./, namespace: "without-types" }, async ({ path }) => {
        const { code } = await esbuild.transform(await readFile(path, "utf8"), { loader: "ts", target: "es2022" });
        return { contents: code, loader: "text" };
      });
    },
  };
}

/** The page's service worker, with what it keeps: this build's files, under a name that any change of them changes. */
async function serviceWorker(page, transpiler) {
  const keptOf = (files) => files.filter(({ path }) => !path.endsWith(".map")).sort((a, b) => (a.path < b.path ? -1 : 1));
  const list = (files) => JSON.stringify(keptOf(files).map(({ path }) => `./${path}`));
  const text = await readFile(join(DEMO, "sw.js"), "utf8");
  const version = hashOf(keptOf([...page, ...transpiler]).flatMap(({ path, contents }) => [path, contents])).slice(0, 16);
  const head = [
    `const VERSION = ${JSON.stringify(version)};`,
    `const FILES = ["./", ...${list(page)}];`,
    `const TRANSPILER = ${list(transpiler)};\n`,
  ].join("\n");
  return { path: "sw.js", contents: Buffer.from(head + text) };
}

/** Replaces the files that differ. Prints one line for each, source maps aside. */
async function writeFiles(directory, files, log = () => {}) {
  for (const { path, contents } of files) {
    const place = join(directory, path);
    const before = await readFile(place).catch(() => undefined);
    const same = before?.equals(contents) ?? false;
    if (!same) await replaceFile(place, contents);
    if (!path.endsWith(".map")) log(`${relative(ROOT, place)}  ${contents.length} bytes${same ? ", unchanged" : ""}`);
  }
}

async function replaceFile(place, contents) {
  await mkdir(dirname(place), { recursive: true });
  const fresh = `${place}.${process.pid}.new`;
  try {
    await writeFile(fresh, contents);
    await rename(fresh, place);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** Removes what an earlier build left under names that no longer exist. Another build's fresh files are not ours. */
async function removeOthers(directory, kept) {
  for (const file of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = relative(directory, join(file.parentPath ?? file.path, file.name));
    if (file.isFile() && !kept.has(path) && !path.endsWith(".new")) await rm(join(directory, path), { force: true });
  }
}

function hashOf(parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex");
}

function isIn(directory, path) {
  return path === directory || path.startsWith(directory + sep);
}

function exists(path) {
  return readFile(path).then(
    () => true,
    () => false,
  );
}

/** esbuild's own message objects, as a person reads them; anything else by its message. */
async function explain(error) {
  if (!Array.isArray(error?.errors)) return error instanceof Error ? error.message : String(error);
  const { formatMessages } = await import("esbuild");
  return (await formatMessages(error.errors, { kind: "error", color: false })).join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = await build({ types: !process.argv.includes("--no-types") });
  for (const fault of faults) console.error(`build failed: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
