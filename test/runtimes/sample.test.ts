/** The sample program in Node, Chromium and workerd, from the built bundle: one transcript. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { chromium } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { serve } from "../../demo/serve.mjs";
import { launchOptions, requireChromium } from "../browser/chromium.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const built = join(root, "demo/dist");

const OUTCOMES = ["Ok", "Failed", "NotRun", "Unknown", "BadReply"];

let lines: readonly string[];
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "demo/start.mjs"), "--once"]);
  lines = stdout.trimEnd().split("\n");
}, 60_000);

it("in Node: each outcome, the ledger's numbers unchanged, and a run that is refused", () => {
  for (const outcome of OUTCOMES)
    expect(lines.some((line) => line.startsWith("  <- ") && line.includes(` ${outcome} {"${outcome}":`))).toBe(true);
  expect(lines.some((line) => line.includes('"account":73786976294838206465,"amount":123456789012345.678901234567891'))).toBe(true);
  expect(lines).toContain("  result: the ledger's numbers came back unchanged");
  expect(lines.at(-1)).toMatch(/^ {2}refused fingerprint: /);
});

it("in Chromium: the same lines", async () => {
  const site = await serve();
  const browser = await chromium.launch(launchOptions(requireChromium()));
  try {
    const page = await browser.newPage();
    await page.goto(`${site.address}index.html`);
    // As text: vitest rewrites the imports of the functions it sees.
    const seen = await page.evaluate(`(async () => {
      const { plain, runSample } = await import(new URL("sample.js", location.href).href);
      const core = WebAssembly.compileStreaming(fetch("search.core.wasm"));
      const printed = [];
      await runSample(() => core, (line) => printed.push(plain(line)));
      return printed;
    })()`);
    expect(seen).toEqual(lines);
  } finally {
    await browser.close();
    await site.close();
  }
}, 120_000);

it("in workerd: the same lines", async () => {
  const worker = `
    import { plain, runSample } from "./sample.js";
    import core from "./search.core.wasm";
    export default {
      async fetch() {
        const printed = [];
        await runSample(() => core, (line) => printed.push(plain(line)));
        return Response.json(printed);
      },
    };`;
  const scripts = (await readdir(built)).filter((name) => name.endsWith(".js"));
  const modules = await Promise.all(
    scripts.map(async (path) => ({ type: "ESModule" as const, path, contents: await readFile(join(built, path), "utf8") })),
  );
  const wasm = { type: "CompiledWasm" as const, path: "search.core.wasm", contents: await readFile(join(built, "search.core.wasm")) };
  const miniflare = new Miniflare({
    modules: [{ type: "ESModule", path: "worker.js", contents: worker }, ...modules, wasm],
    compatibilityDate: "2025-01-01",
  });
  try {
    const response = await miniflare.dispatchFetch("http://worker.test/");
    expect(await response.json()).toEqual(lines);
  } finally {
    await miniflare.dispose();
  }
}, 120_000);
