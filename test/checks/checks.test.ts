/** Each check finds what it is there for, and only that. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asciiFaults, awaitFaults, codeFaults, copyFaults, importFaults } from "./bundles.mjs";
import { codeListFaults } from "./codes.mjs";
import { ROOMS, roomFaults } from "./rooms.mjs";
import { sizeFaults } from "./size.mjs";
import { styleFaults, typeFaults } from "./tools.mjs";
import { lengthFaults, lockfileFaults, privateFaults, versionFaults } from "./tree.mjs";

const files = (texts: Record<string, string>) => new Map(Object.entries(texts));

describe("the room rule", () => {
  const faultsOf = (path: string, text: string, others: Record<string, string> = {}) => roomFaults(files({ ...others, [path]: text }));
  const empty = Object.fromEntries(ROOMS.map((room) => [`src/${room}/a.ts`, ""]));

  it("lets a room import those above it", () => {
    expect(
      faultsOf("src/codec/b.ts", 'import { a } from "../json/a.ts"; export * from "../schema/a.ts"; import x from "decimal.js";', empty),
    ).toEqual([]);
    expect(faultsOf("src/cli/b.ts", 'import "../node/a.ts"; import "../host/a.ts"; import "node:fs";', empty)).toEqual([]);
    expect(faultsOf("src/index.ts", 'export { a } from "./bindings/a.ts"', empty)).toEqual([]);
  });

  it.each([
    ["an import", 'import { a } from "../codec/a.ts"'],
    ["a type import", 'import type { A } from "../codec/a.ts"'],
    ["a re-export", 'export * from "../codec/a.ts"'],
    ["a dynamic import", 'const a = () => import("../codec/a.ts")'],
    ["an import type", 'type A = import("../codec/a.ts").A'],
    ["a side effect", 'import "../codec/a.ts"'],
  ])("finds %s of a room below", (_, text) => {
    expect(faultsOf("src/json/b.ts", text, empty)).toEqual([expect.stringContaining("src/json/b.ts imports ../codec/a.ts")]);
  });

  it("is not taken in by comments and strings", () => {
    expect(
      faultsOf(
        "src/json/b.ts",
        '// import "../codec/a.ts"\nconst s = `import "../codec/a.ts"`; const t = "import(\'../host/a.ts\')";',
        empty,
      ),
    ).toEqual([]);
  });

  it.each([
    ["src/toolkit/b.ts", "../host/a.ts"],
    ["src/toolkit/b.ts", "../bindings/a.ts"],
    ["src/contracts/b.ts", "../types/a.ts"],
    ["src/contracts/b.ts", "../signature/a.ts"],
    ["src/contracts/b.ts", "../toolkit/a.ts"],
    ["src/host/b.ts", "../bindings/a.ts"],
    ["src/index.ts", "./toolkit/a.ts"],
    ["src/host/b.ts", "../index.ts"],
    ["src/codec/b.ts", "../json/a.js"],
    ["src/codec/b.ts", "../json/missing.ts"],
    ["src/codec/b.ts", "../../build.mjs"],
    ["src/attic/b.ts", "../json/a.ts"],
    ["src/json/b.ts", "node:fs"],
    ["src/bindings/b.ts", "node:child_process"],
    ["src/json/b.ts", "https://example.org/x.js"],
  ])("does not let %s import %s", (path, specifier) => {
    expect(faultsOf(path, `import "${specifier}"`, { ...empty, "src/index.ts": "" })).toHaveLength(1);
  });

  it("lets contracts share the hash", () => {
    expect(faultsOf("src/contracts/b.ts", 'import { sha256Hex } from "../signature/hash.ts"', { "src/signature/hash.ts": "" })).toEqual([]);
  });

  it("lets the parts of contracts that join them with Tools know both sides, and no others", () => {
    const types = { "src/types/a.ts": "" };
    expect(faultsOf("src/contracts/tools/b.ts", 'import "../../types/a.ts"', types)).toEqual([]);
    expect(faultsOf("src/contracts/package/b.ts", 'import "../../types/a.ts"', types)).toHaveLength(1);
  });

  it("keeps bindings apart, and lets them share what is none", () => {
    const ways = { "src/bindings/fetch.ts": "export function bindFetch() {}", "src/bindings/text.ts": "" };
    expect(faultsOf("src/bindings/worker.ts", 'import "./fetch.ts";\nexport function bindWorker() {}', ways)).toHaveLength(1);
    expect(faultsOf("src/bindings/worker.ts", 'import "./text.ts";\nexport function bindWorker() {}', ways)).toEqual([]);
  });
});

describe("bundles", () => {
  it("import each other only", () => {
    expect(importFaults('import{a}from"./flow-host.js";export{a};')).toEqual([]);
    expect(importFaults('import{a}from"node:fs"')).toHaveLength(1);
    expect(importFaults('import a from"fs"')).toHaveLength(1);
    expect(importFaults('const a=()=>import("node:crypto")')).toHaveLength(1);
    expect(importFaults('export*from"decimal.js"')).toHaveLength(1);
  });

  it.each([
    "eval(a)",
    "new Function(a)",
    "Function(a)",
    "globalThis.eval(a)",
    "new globalThis.Function(a)",
    'setTimeout("a()",1)',
    "(0,eval)(a)",
    "eval?.(a)",
  ])("make no code from strings: %s", (code) => {
    expect(codeFaults(`const f=a=>${code};`)).toHaveLength(1);
  });

  it("may speak of functions", () => {
    expect(
      codeFaults('const a="new Function(x)",b={Function:1,eval(){}};b.Function;a instanceof Function;b.eval();setTimeout(()=>{},1)'),
    ).toEqual([]);
  });

  it("await nothing at the top level", () => {
    expect(awaitFaults("async function a(){await b}const c=async()=>await d;class E{async f(){for await(const g of h);}}")).toEqual([]);
    expect(awaitFaults("const a=await b;")).toHaveLength(1);
    expect(awaitFaults("if(a){await b}")).toHaveLength(1);
    expect(awaitFaults("for await(const a of b);")).toHaveLength(1);
  });

  it("are ASCII", () => {
    expect(asciiFaults('"\\u00e9"\n')).toEqual([]);
    expect(asciiFaults('"é"')).toHaveLength(1);
  });
});

describe("entries", () => {
  it("carry nothing twice", () => {
    expect(copyFaults(files2({ core: ["src/json/errors.ts"], toolkit: ["src/toolkit/index.ts"] }))).toEqual([]);
    expect(copyFaults(files2({ core: ["src/json/errors.ts"], toolkit: ["src/toolkit/index.ts", "src/json/errors.ts"] }))).toEqual([
      expect.stringContaining("src/json/errors.ts is in dist/core.js and in dist/toolkit.js"),
    ]);
  });
  const files2 = (carried: Record<string, string[]>) => new Map(Object.entries(carried));
});

describe("codes", () => {
  const decisions = "| `early` | x |\n## Codes\n\n| code | meaning |\n|---|---|\n| `kind` | x |\n| `owner` · `index` | `other` |\n";
  const faultsOf = (text: string) => codeListFaults(files({ "src/a.ts": text }), decisions);

  it("are those of the lists", () => {
    expect(faultsOf('new FlowError("kind", ""); refusal("owner", ""); new Refusal("index", "", "other")')).toEqual([]);
    expect(faultsOf('new FlowError(code, ""); new Other("other"); refuse("other")')).toEqual([]);
  });

  it.each(['new FlowError("other", "")', 'refusal("early")', 'new Refusal("meaning")'])("are nothing else: %s", (text) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining("which is in no list")]);
  });
});

describe("the tree", () => {
  it("has files of a readable length", () => {
    expect(lengthFaults(files({ "src/a.ts": "\n".repeat(500) }))).toEqual([]);
    expect(lengthFaults(files({ "src/a.ts": "\n".repeat(501) }))).toHaveLength(1);
  });

  it("has a lockfile that fits every registry", () => {
    const lock = (resolved?: string) =>
      files({ "package-lock.json": JSON.stringify({ packages: { "": {}, "node_modules/a": { resolved } } }) });
    expect(lockfileFaults(lock())).toEqual([]);
    expect(lockfileFaults(lock("https://registry.example.org/a.tgz"))).toHaveLength(1);
    expect(lockfileFaults(files({}))).toHaveLength(1);
  });

  it("names one version of each package", () => {
    expect(versionFaults('{"dependencies":{"a":"1.2.3"},"devDependencies":{"b":"4.20260426.0"}}')).toEqual([]);
    for (const range of ["^1.2.3", "~1.2.3", "*", "latest", ">=1", "github:a/b"]) {
      expect(versionFaults(JSON.stringify({ devDependencies: { a: range } }))).toHaveLength(1);
    }
  });

  it("points nowhere outside", () => {
    const outside = ["..", "shared", "vectors"].join("/");
    expect(
      privateFaults(files({ ".ci/run": outside, "README.md": "a tissue, an issue of style, sharing", "a.ts": "../shared-things" })),
    ).toEqual([]);
    expect(privateFaults(files({ "README.md": `see ${outside}` }))).toHaveLength(1);
    expect(privateFaults(files({ "a.ts": ["", "work", "main", "x"].join("/") }))).toHaveLength(1);
    expect(privateFaults(files({ "a.ts": ["// see issue", "12"].join(" ") }))).toHaveLength(1);
    expect(privateFaults(files({ "a.ts": ["// see issue", "12"].join(" #") }))).toHaveLength(1);
  });
});

it("sizes above their budget are found", () => {
  expect(sizeFaults([{ name: "a", bytes: 10 }], { a: 10 })).toEqual([]);
  expect(sizeFaults([{ name: "a", bytes: 11 }], { a: 10 })).toHaveLength(1);
  expect(sizeFaults([{ name: "b", bytes: 11 }], { a: 10 })).toEqual([]);
});

describe("the compilers' checks", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "flow-host-checks-"));
    await writeFile(
      join(directory, "tsconfig.json"),
      '{"compilerOptions":{"strict":true,"types":[],"lib":["ES2022"],"skipLibCheck":true}}',
    );
    await writeFile(join(directory, "bad.ts"), 'export const a: number = "a";\n');
  });
  afterAll(() => rm(directory, { recursive: true }));

  it("find a wrong type", async () => {
    expect(await typeFaults(join(directory, "tsconfig.json"))).toEqual([expect.stringContaining("TS2322")]);
  });

  it("find a wrong format", async () => {
    const ours = [`--config-path=${fileURLToPath(new URL("../../biome.json", import.meta.url))}`, "--vcs-enabled=false"];
    await rm(join(directory, "tsconfig.json"));
    await writeFile(join(directory, "bad.ts"), 'export const a = "b";\n');
    expect(await styleFaults(directory, ours)).toEqual([]);
    await writeFile(join(directory, "bad.ts"), "export   const a = 'b'");
    expect(await styleFaults(directory, ours)).toHaveLength(1);
  });
});
