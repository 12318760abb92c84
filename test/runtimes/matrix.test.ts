/** The built bundles in every runtime: they do the same everywhere, and hash in the way each runtime has. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runtimesHere, runtimesMissing } from "./runtimes.mjs";
import { startServer } from "./server.mjs";
import { EXPECTED } from "./smoke.js";

const RUNTIME_MS = 120_000;

let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("the smoke suite", () => {
  it.each(Object.values(runtimesHere()))(
    "comes to the same on $name",
    async ({ run, differs = {} }) => {
      const text = await run(server.port);
      expect(text).toMatch(/^\{/);
      const { hashing, ...others } = differs as { hashing?: object };
      expect(JSON.parse(text)).toEqual({ ...EXPECTED, ...others, hashing: { ...EXPECTED.hashing, ...hashing } });
    },
    RUNTIME_MS,
  );

  it("expects what Node's own SHA-256 computes", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    expect(EXPECTED.fingerprint).toBe(`sha256:${sha256(EXPECTED.signature)}`);
    expect(EXPECTED.contractDigest).toBe(`sha256:${sha256('FLOW-Capability-Contract/1\0{"a":null,"b":[1,"é"]}')}`);
    expect(EXPECTED.hashing.digests).toEqual(["abc", "a".repeat(100_000)].map((text) => sha256(text).slice(0, 16)));
  });

  it("runs in every runtime, or says in which not", () => {
    const names = Object.keys(runtimesHere());
    expect(names).toEqual(expect.arrayContaining(["node", "deno", "bun", "chromium", "chromium-http", "workerd"]));
    expect(runtimesMissing()).toHaveLength(names.includes("firefox") ? 0 : 1);
  });
});
