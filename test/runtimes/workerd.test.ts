/** The built bundle on workerd, which compiles no WebAssembly and no code from strings. */
import { readFile } from "node:fs/promises";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EXPECTED } from "./smoke.js";

const WORKER = `
import * as core from "./flow-host.js";
import { smoke } from "./smoke.js";
export default {
  async fetch() {
    return Response.json(await smoke(core));
  },
};`;

let runtime: Miniflare;

beforeAll(async () => {
  const module = async (path: string, from: string) => ({
    type: "ESModule" as const,
    path,
    contents: await readFile(new URL(from, import.meta.url), "utf8"),
  });
  runtime = new Miniflare({
    compatibilityDate: "2026-01-01",
    cf: false, // or it would ask the network where it is
    modules: [
      { type: "ESModule", path: "worker.js", contents: WORKER },
      await module("flow-host.js", "../../dist/flow-host.js"),
      await module("smoke.js", "./smoke.js"),
    ],
  });
  await runtime.ready;
});

afterAll(() => runtime.dispose());

it("does on workerd what it does everywhere", async () => {
  const response = await runtime.dispatchFetch("http://localhost/");
  expect(await response.json()).toEqual({ ...EXPECTED, hashPath: "subtle" });
});
