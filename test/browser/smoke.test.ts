/** The built bundle in a page. */
import { expect, it } from "vitest";
import { EXPECTED, smoke } from "../runtimes/smoke.js";

it("does in Chromium what it does everywhere", async () => {
  const core = await import("../../dist/flow-host.js");
  expect(await smoke(core)).toEqual({ ...EXPECTED, hashPath: "wasm" });
});

it("runs in a real browser", () => {
  expect(navigator.userAgent).toContain("Chrom");
});
