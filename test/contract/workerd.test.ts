/** Both ends of `fetch` on workerd, joined by a service binding. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";

let runtime: Miniflare;

async function script(name: string): Promise<string> {
  const entry = fileURLToPath(new URL(name, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text as string;
}

beforeAll(async () => {
  const worker = async (name: string, file: string) => ({
    name,
    modules: true,
    script: await script(file),
    compatibilityDate: "2026-01-01",
  });
  runtime = new Miniflare({
    cf: false, // or it would ask the network where it is
    workers: [
      { ...(await worker("host", "./workerd-host.ts")), serviceBindings: { SERVICE: "tools" } },
      await worker("tools", "./workerd-tools.ts"),
    ],
  });
  await runtime.ready;
});

afterAll(() => runtime.dispose());

it("rows 9 to 14: a service binding answers as any other fetcher does", async () => {
  const response = await runtime.dispatchFetch("http://localhost/");
  const text = await response.text();
  expect(text).toBe('[true,"Ok","Failed","NotRun","Unknown","BadReply","BadReply","Unknown"]');
});
