/** Outcomes as JSON, as exact JSON and as sentences (R26, R27). */
import { describe, expect, it } from "vitest";
import { Refusal } from "../../src/json/errors.ts";
import { parseJson } from "../../src/json/read.ts";
import { notRun, outcomeText, readOutcome, reasonOf, unknown } from "../../src/protocol/outcome.ts";

describe("an outcome in exact JSON", () => {
  it.each<[string, object]>([
    ['{"Ok":[1]}', { tag: "Ok", json: [1n] }],
    ['{"Failed":null}', { tag: "Failed", json: null }],
    ['{"NotRun":"shut"}', { tag: "NotRun", reason: "shut", from: "tool" }],
    ['{"Unknown":""}', { tag: "Unknown", reason: "", from: "tool" }],
  ])("%s is read", (text, reply) => {
    expect(readOutcome(parseJson(text))).toEqual(reply);
  });

  it.each([
    undefined,
    "7",
    "null",
    "[]",
    "{}",
    '{"Ok":1,"Failed":2}',
    '{"ok":1}',
    '{"":1}',
    '{"NotRun":7}',
    '{"Unknown":null}',
    '{"NotRun":{}}',
  ])("%s is none", (text) => {
    expect(readOutcome(text === undefined ? undefined : parseJson(text))).toMatchObject({ tag: "Malformed" });
  });

  it("is written around what is canonical already", () => {
    expect(outcomeText("Ok", "[1]")).toBe('{"Ok":[1]}');
  });
});

it("what this side says is told from what the Tool says", () => {
  expect(notRun("shut")).toEqual({ tag: "NotRun", reason: "shut", from: "host" });
  expect(unknown("gone")).toEqual({ tag: "Unknown", reason: "gone", from: "host" });
});

it("whatever was thrown has a sentence", () => {
  expect(reasonOf(new Error("why"))).toBe("why");
  expect(reasonOf(new TypeError("why"))).toBe("TypeError: why");
  expect(reasonOf(new Refusal("kind", "a text", "null").under("a"))).toBe("expected a text at /a, met null");
  expect(reasonOf("thrown")).toBe("thrown");
  expect(reasonOf(undefined)).toBe("undefined");
  expect(reasonOf(Object.create(null))).toBe("something was thrown that has no text");
});
