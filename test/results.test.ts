/** Nothing that did not pass may look as if it had. */
import { describe, expect, it } from "vitest";
import { badEnd, counted, ofVitest } from "./results.mjs";

const ended = (output: string, status: number | null = 0) => ({ output, status, how: `ended with status ${status}` });

describe("a counting command", () => {
  it("is believed", () => {
    expect(counted(ended("ok\n12 passed, 0 failed\n"))).toEqual({ passed: 12, failures: [] });
    expect(counted(ended("12 passed, 2 failed\n", 1))).toEqual({ passed: 12, failures: ["", ""] });
  });

  it("has failed when it breaks off before it has counted", () => {
    for (const output of ["", "3 passed, 0 failed\nand then", "passed, failed\n"]) {
      expect(counted(ended(output))).toEqual({ passed: 0, failures: ["ended with status 0 without a result"] });
    }
  });

  it("has failed when its status says so", () => {
    expect(counted(ended("3 passed, 0 failed\n", 1))).toEqual({ passed: 3, failures: ["ended with status 1"] });
    expect(badEnd(ended("", null))).toHaveLength(1);
    expect(badEnd(ended(""))).toEqual([]);
  });
});

describe("a vitest run", () => {
  const test = (status: string, failureMessages: string[] = []) => ({ fullName: "a b", status, failureMessages });
  const file = (assertionResults: unknown[], status = "passed", message = "") => ({ name: "a.test.ts", status, message, assertionResults });

  it("passes when every test has", () => {
    expect(ofVitest({ testResults: [file([test("passed")]), file([test("passed"), test("passed")])] }, ended(""))).toEqual({
      passed: 3,
      failures: [],
    });
  });

  it("names each failed test", () => {
    const report = { testResults: [file([test("passed"), test("failed", ["Error: no\n  at x"])], "failed")] };
    expect(ofVitest(report, ended("", 1))).toEqual({ passed: 1, failures: ["a.test.ts: a b: Error: no"] });
  });

  it.each(["skipped", "pending", "todo", "disabled"])("does not take a %s test for one that passed", (status) => {
    expect(ofVitest({ testResults: [file([test(status)])] }, ended(""))).toEqual({
      passed: 0,
      failures: [`a.test.ts: a b: not run (${status})`],
    });
  });

  it("names a file that could not be loaded", () => {
    const report = { testResults: [file([test("passed")]), file([], "failed", "SyntaxError: no")] };
    expect(ofVitest(report, ended("", 1))).toEqual({ passed: 1, failures: ["a.test.ts: SyntaxError: no"] });
  });

  it("has failed when something was thrown outside of any test, or when there were none", () => {
    expect(ofVitest({ testResults: [file([test("passed")])] }, ended("", 1))).toEqual({ passed: 1, failures: ["ended with status 1"] });
    expect(ofVitest({ testResults: [] }, ended(""))).toEqual({ passed: 0, failures: ["no tests"] });
  });
});
