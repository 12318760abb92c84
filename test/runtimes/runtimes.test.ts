/** What runs where: a runtime that is demanded and cannot be had is a failure, one that is merely not there is named. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { runtimesHere, runtimesMissing } from "./runtimes.mjs";

const NOWHERE = ["/nowhere/firefox"];

afterEach(() => vi.unstubAllEnvs());

describe("Firefox, where there is none", () => {
  it("is left out, and said to be missing", () => {
    vi.stubEnv("FLOW_HOST_FIREFOX", "");
    vi.stubEnv("FLOW_HOST_RUNTIMES", "");
    expect(Object.keys(runtimesHere(NOWHERE))).not.toContain("firefox");
    expect(runtimesMissing(NOWHERE)).toEqual([expect.stringContaining("Firefox was not found")]);
  });

  it("fails where it is demanded", async () => {
    vi.stubEnv("FLOW_HOST_FIREFOX", "");
    vi.stubEnv("FLOW_HOST_RUNTIMES", "node,firefox");
    expect(runtimesMissing(NOWHERE)).toEqual([]);
    await expect(runtimesHere(NOWHERE)["firefox"]?.run(1)).rejects.toThrow("Firefox is demanded and was not found");
  });

  it("fails where the one that was named is none", () => {
    vi.stubEnv("FLOW_HOST_FIREFOX", "/nowhere/firefox");
    expect(() => runtimesHere()).toThrow("FLOW_HOST_FIREFOX is no browser that can be started: /nowhere/firefox");
  });
});

it("the others always run", () => {
  expect(Object.keys(runtimesHere(NOWHERE))).toEqual(
    expect.arrayContaining(["node", "deno", "bun", "chromium", "chromium-http", "workerd"]),
  );
});
