/** The built bundle on Node. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { EXPECTED, smoke } from "./smoke.js";

it("does on Node what it does everywhere", async () => {
  const core = await import("../../dist/flow-host.js");
  expect(await smoke(core)).toEqual({ ...EXPECTED, hashPath: "wasm" });
});

it("is expected everywhere to compute what Node's own SHA-256 computes", () => {
  expect(EXPECTED.fingerprint).toBe(`sha256:${createHash("sha256").update(EXPECTED.signature).digest("hex")}`);
});
