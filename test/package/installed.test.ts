/** The tarball, installed into an empty project and used from everything that it says it works with. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, posix, sep } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { Miniflare } from "miniflare";
import { type Browser, chromium } from "playwright";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ENTRIES, OTHER_SIDES } from "../../build.mjs";
import { serve } from "../../demo/serve.mjs";
import { bindProcess } from "../../src/node/process.ts";
import { launchOptions, requireChromium } from "../browser/chromium.mjs";
import { PACKAGE_CHECKS } from "./check.mjs";
import { install, ROOT, run, type Tarball } from "./install.mjs";

/** Installing and compiling take seconds on an idle machine, and a browser may have to be installed first. */
const LONG = 300_000;
vi.setConfig({ testTimeout: LONG, hookTimeout: LONG });
const { resolve } = createRequire(import.meta.url);
const TSC = join(dirname(resolve("typescript/package.json")), "bin/tsc");

const EXPECTED = {
  decoded: "9007199254740993",
  fingerprint: "sha256:e7c0db790200f24f2e50ddf8a3ad6440355b569eef37f9e375057855f18c4678",
  declared: "as generated",
  function: "9007199254740994",
  served: "9007199254740995",
  contract: "sha256:467edc43b426a70429c57432b316ef809beb3e4c48abdc34ea985988d6a18bf5",
  decimal: "0.3",
  refused: "not-whole",
};
const ON_NODE = { ...EXPECTED, words: "serve|a shop" };

let project: string;
let installed: string;
let tarball: Tarball;
let remove: (() => Promise<void>) | undefined;
let browser: Browser;

beforeAll(async () => {
  ({ project, installed, tarball, remove } = await install());
  await compile({ module: "nodenext", lib: ["es2022"], types: ["node"], outDir: "out" }, "node.ts", "page.ts");
  browser = await chromium.launch(launchOptions(requireChromium()));
});
afterAll(async () => {
  await browser?.close();
  await remove?.();
});

/** Compiles files of the project as strictly as the compiler can, the package's declarations and its platform's with them. */
async function compile(compilerOptions: object, ...files: string[]): Promise<void> {
  const config = join(project, `tsconfig.${compiled++}.json`);
  await writeFile(config, JSON.stringify({ extends: "./tsconfig.json", compilerOptions, files }));
  await run(process.execPath, [TSC, "--pretty", "false", "--project", config], project);
}
let compiled = 0;

/** What a page of a directory comes to, in Chromium. */
async function outcomeOf(directory: string, page: string): Promise<unknown> {
  const { address, close } = await serve({ directory: directory + sep });
  const tab = await browser.newPage();
  try {
    const errors: string[] = [];
    tab.on("pageerror", (error) => errors.push(String(error)));
    tab.on("requestfailed", (request) => errors.push(`${request.url()} failed`));
    await tab.goto(address + page, { timeout: LONG });
    await tab.waitForFunction("globalThis.outcome !== undefined", undefined, { timeout: LONG }).catch((error) => {
      throw new Error([error.message, ...errors].join("\n"));
    });
    return JSON.parse((await tab.evaluate("globalThis.outcome")) as string);
  } finally {
    await tab.close();
    await close();
  }
}

const bundle = (entry: string, options: BuildOptions = {}) =>
  build({ absWorkingDir: project, entryPoints: [entry], bundle: true, format: "esm", target: "es2022", logLevel: "silent", ...options });

const printed = async (command: string, args: string[]): Promise<unknown> => JSON.parse(await run(command, args, project));
/** The binary that an npm package brings. */
const executable = (name: string) => join(dirname(resolve(`${name}/package.json`)), "..", ".bin", name);

describe("TypeScript", () => {
  // With Node's types alone and as nodenext it was compiled before anything else here.
  it.each([
    ["workerd's types alone", { module: "esnext", lib: ["es2022"], types: ["@cloudflare/workers-types"] }, "worker.ts"],
    ["a page's library, the newest", { module: "preserve", lib: ["esnext", "dom"], types: [] }, "page.ts"],
  ])("with %s, as for a bundler", (_, options, file) => compile({ ...options, moduleResolution: "bundler", noEmit: true }, file));
});

describe("runs", () => {
  it("in Node, compiled", async () => {
    expect(await printed(process.execPath, ["out/node.js"])).toEqual(ON_NODE);
  });

  it("in a page without a bundler", async () => {
    expect(await outcomeOf(project, "plain.html")).toEqual(EXPECTED);
  });

  it("in a page that Vite made", async () => {
    const outDir = join(project, "vite");
    await viteBuild({
      root: project,
      configFile: false,
      logLevel: "silent",
      build: { outDir, rollupOptions: { input: join(project, "bundled.html") } },
    });
    expect(await outcomeOf(outDir, "bundled.html")).toEqual(EXPECTED);
  });

  it("bundled by esbuild, for Node", async () => {
    await bundle("node.ts", { platform: "node", outfile: "esbuild/node.mjs" });
    expect(await printed(process.execPath, ["esbuild/node.mjs"])).toEqual(ON_NODE);
  });

  it("in workerd", async () => {
    // As wrangler bundles.
    await bundle("worker.ts", { conditions: ["workerd", "worker", "browser"], outfile: "esbuild/worker.mjs" });
    const script = await readFile(join(project, "esbuild/worker.mjs"), "utf8");
    // `cf: false`, or it would ask the network where it is.
    const runtime = new Miniflare({ modules: true, script, compatibilityDate: "2026-01-01", cf: false });
    try {
      expect(await (await runtime.dispatchFetch("http://localhost/")).json()).toEqual(EXPECTED);
    } finally {
      await runtime.dispose();
    }
  });

  it("in Deno, which checks its types", async () => {
    expect(await printed(executable("deno"), ["run", "--no-prompt", "--no-remote", "--check", "main.ts"])).toEqual(EXPECTED);
  });

  it("in Bun", async () => {
    expect(await printed(executable("bun"), ["node.ts"])).toEqual(ON_NODE);
  });
});

it("makes a component ready, with the two packages that takes, and it answers from a process", async () => {
  const component = join(ROOT, "dist/components/search/search.component.wasm");
  await run(join(project, "node_modules/.bin/flow-host"), ["component", "build", component, "-o", "search"], project);
  const binding = bindProcess([process.execPath, "search/process.js"], project);
  try {
    const { tools } = await binding.describe("0.1", AbortSignal.timeout(LONG));
    expect(tools.map(({ tool }) => tool)).toEqual([expect.stringMatching(/search\.flow\.find$/)]);
  } finally {
    await binding[Symbol.asyncDispose]();
  }
  expect((await readFile(join(project, "search/worker.js"), "utf8")).length).toBeGreaterThan(10_000);
});

it.each(Object.entries(PACKAGE_CHECKS))("%s finds nothing", async (_, check) => {
  expect(await check(tarball.path)).toEqual([]);
});

describe("what is installed", () => {
  const text = (path: string) => readFile(join(installed, path), "utf8");
  const paths = () => tarball.files.map(({ path }) => path).sort();

  it("is every file that is wanted, and no other", async () => {
    const others = paths().filter((path) => !path.startsWith("dist/types/"));
    const bundles = ENTRIES.map(({ name }) => `dist/${name}`);
    expect(others).toEqual(
      [
        ...["LICENSE", "README.md", "package.json", "wasm-tools/flow-tool.wit", "dist/LICENSES.txt"],
        ...OTHER_SIDES.map(({ source }) => `dist/${posix.basename(source, ".ts")}.js`),
        ...(await readdir(join(ROOT, "docs"))).map((file) => `docs/${file}`),
        ...bundles.flatMap((bundle) => [`${bundle}.js`, `${bundle}.js.map`, ...(bundle === "dist/cli" ? [] : [`${bundle}.d.ts`])]),
      ].sort(),
    );
  });

  it("has the declarations that its entries lead to, and no other", async () => {
    const reached = new Set<string>();
    const follow = async (path: string): Promise<void> => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const [, specifier = ""] of (await text(path)).matchAll(/(?:from |import\()"(\.[^"]+)\.ts"/g))
        await follow(`${posix.join(posix.dirname(path), specifier)}.d.ts`);
    };
    const { exports } = JSON.parse(await text("package.json"));
    for (const { types } of Object.values<{ types?: string }>(exports)) if (types !== undefined) await follow(posix.normalize(types));
    expect([...reached].sort()).toEqual(paths().filter((path) => path.startsWith("dist/types/")));
  });

  it("has maps that bring each of their sources, and the licence of each package among those", async () => {
    const licences = await text("dist/LICENSES.txt");
    const packages = new Set<string>();
    for (const path of ENTRIES.map(({ name }) => `dist/${name}.js`)) {
      expect(await text(path)).toContain(`//# sourceMappingURL=${posix.basename(path)}.map`);
      const { sources, sourcesContent } = JSON.parse(await text(`${path}.map`));
      expect(sourcesContent).toHaveLength(sources.length);
      expect(sourcesContent.every((content: unknown) => typeof content === "string")).toBe(true);
      for (const source of sources)
        for (const name of /(?<=node_modules\/)(?:@[^/]+\/)?[^/]+(?=\/[^@]*$)/.exec(source) ?? []) packages.add(name);
    }
    expect([...packages].sort()).toEqual(["decimal.js", "hash-wasm", "smol-toml", "yaml"]);
    const holders = { "decimal.js": "Michael Mclaughlin", "hash-wasm": "Dani Bir\u00f3", "smol-toml": "Squirrel Chat", yaml: "Eemeli Aro" };
    for (const [name, holder] of Object.entries(holders)) {
      const [, section = ""] = licences.split(new RegExp(`^${name} \\d.*$`, "m"));
      expect(section.split(/^-{9,}$/m)[0]).toMatch(new RegExp(`Copyright.*${holder}`));
    }
  });

  it("runs nothing when it is installed", async () => {
    const { scripts, gypfile } = JSON.parse(await text("package.json"));
    for (const name of ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"])
      expect(scripts).not.toHaveProperty(name);
    expect(gypfile).toBeUndefined();
  });

  it("is a little over a megabyte, two thirds of it source maps", () => {
    expect(tarball.size).toBeLessThan(1_300_000);
    expect(tarball.unpackedSize).toBeLessThan(4_500_000);
  });
});
