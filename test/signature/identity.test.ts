/** Identities (R19) and data versions (R1). */
import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { compareDataVersion, DATA_VERSION, parseDataVersion, requireDataVersion } from "../../src/signature/dataversion.ts";
import { difference } from "../../src/signature/difference.ts";
import { compareIdentities, parseIdentity, sameDeclaration, withoutVersion } from "../../src/signature/identity.ts";
import { codeOf, refusalOf } from "../types/build.ts";

describe("identities", () => {
  it.each([
    ["github.com/acme/docs@1.2.0/search.flow.find", "github.com/acme/docs", "1.2.0", "search.flow", "find"],
    ["github.com/acme/docs@1.2.0/dir/sub/search.flow.find", "github.com/acme/docs", "1.2.0", "dir/sub/search.flow", "find"],
    ["@acme/docs@2/a.flow.T", "@acme/docs", "2", "a.flow", "T"],
    ["npm/@acme/docs@2/a.flow.T", "npm/@acme/docs", "2", "a.flow", "T"],
    ["r@1/dir@2/b.flow.Box", "r", "1", "dir@2/b.flow", "Box"],
    ["search.flow.find", undefined, undefined, "search.flow", "find"],
    ["dir/search.flow.find", undefined, undefined, "dir/search.flow", "find"],
    ["std/result.flow.Result", undefined, undefined, "std/result.flow", "Result"],
    ["dir/a@b.flow.T", undefined, undefined, "dir/a@b.flow", "T"],
    ["dir/@a/b.flow.T", undefined, undefined, "dir/@a/b.flow", "T"],
    ["x.flow.y.flow.T", undefined, undefined, "x.flow.y.flow", "T"],
  ])("%s", (text, repository, version, file, name) => {
    expect(parseIdentity(text)).toEqual({ repository, version, file, name });
  });

  it.each([
    "",
    "find",
    "search.find",
    ".flow.find",
    "dir/.flow.find",
    "r@1/.flow.T",
    "search.flow.",
    "search.flow",
    "a.flow.b c",
    "a.flow.1b",
    "r@/a.flow.T",
  ])("%j is none", (text) => {
    expect(refusalOf(() => parseIdentity(text, "/tool"))).toMatchObject({ code: "shape", at: "/tool" });
  });

  it.each([
    ["github.com/acme/docs@1.2.0/search.flow.find", "github.com/acme/docs/search.flow.find"],
    ["@acme/docs@2/a.flow.T", "@acme/docs/a.flow.T"],
    ["@acme/docs/a.flow.T", "@acme/docs/a.flow.T"],
    ["r@1/dir@2/b.flow.Box", "r/dir@2/b.flow.Box"],
    ["r/@x/y@1/b.flow.Box", "r/@x/y/b.flow.Box"],
    ["a@b.flow.T", "a@b.flow.T"],
    ["@", "@"],
    ["", ""],
    ["x@@1/y", "x/y"],
    ["search.flow.find", "search.flow.find"],
  ])("%j without its version is %j", (text, bare) => {
    expect(withoutVersion(text)).toBe(bare);
  });

  it("name one declaration whatever the version (R36)", () => {
    expect(sameDeclaration("r@1/a.flow.T", "r@2/a.flow.T")).toBe(true);
    expect(sameDeclaration("r@1/a.flow.T", "r/a.flow.T")).toBe(true);
    expect(sameDeclaration("r@1/a.flow.T", "s@1/a.flow.T")).toBe(false);
    expect(sameDeclaration("r@1/a.flow.T", "r@1/a.flow.U")).toBe(false);
  });

  it("are ordered by code points", () => {
    expect(["b", "\u{1f600}", "\uff00", "a"].sort(compareIdentities)).toEqual(["a", "b", "\uff00", "\u{1f600}"]);
  });
});

describe("data versions", () => {
  it("are two decimal integers", () => {
    expect(parseDataVersion(DATA_VERSION)).toEqual({ major: "0", minor: "1" });
    expect(parseDataVersion("12.340")).toEqual({ major: "12", minor: "340" });
    for (const odd of [
      "",
      "0",
      "0.1.0",
      "0.",
      ".1",
      "00.1",
      "0.01",
      "-1.0",
      "0.1 ",
      "\u0660.1",
      "0.1\n",
      1n,
      null,
      undefined,
      {},
    ] as JsonValue[]) {
      expect(refusalOf(() => parseDataVersion(odd, "/data"))).toMatchObject({ code: "shape", at: "/data" });
    }
  });

  it("fit with equal majors, and another major is no shape error", () => {
    expect(codeOf(() => requireDataVersion("0.1"))).toBe("valid");
    expect(codeOf(() => requireDataVersion("0.99999999999999999999"))).toBe("valid");
    expect(refusalOf(() => requireDataVersion("1.0", "/data"))).toMatchObject({ code: "version", at: "/data" });
    expect(codeOf(() => requireDataVersion("01.0"))).toBe("shape");
  });

  it("are ordered by number", () => {
    expect(compareDataVersion("0.2", "0.10")).toBeLessThan(0);
    expect(compareDataVersion("1.0", "0.10")).toBeGreaterThan(0);
    expect(compareDataVersion("10.0", "9.0")).toBeGreaterThan(0);
    expect(compareDataVersion("0.1", "0.1")).toBe(0);
  });
});

describe("where two values part", () => {
  it.each([
    [{ a: 1n, b: [true, null] }, { b: [true, null], a: 1n }, undefined],
    [{ a: 1n }, { a: 2n }, ["a"]],
    [{ a: { b: [1n, 2n] } }, { a: { b: [1n, 3n] } }, ["a", "b", 1]],
    [{}, { a: 1n }, []],
    [{ a: 1n, z: 1n }, { a: 1n }, ["z"]],
    [[1n], [1n, 2n], []],
    [[1n, 2n, 3n], [1n, 2n], [2]],
    [{}, [], []],
    [[], {}, []],
    [null, {}, []],
    [1n, "1", []],
    [Decimal.from("1.50"), Decimal.from("1.5"), undefined],
    [Decimal.from("1.5"), Decimal.from("1.6"), []],
    [Object.fromEntries([["__proto__", 1n]]), {}, ["__proto__"]],
    [{}, Object.fromEntries([["toString", 1n]]), []],
  ] as [JsonValue, JsonValue, (string | number)[] | undefined][])("%o against %o", (given, expected, path) => {
    expect(difference(given, expected)).toEqual(path);
  });
});
