/** Ids out of messages that are too large to keep (R28). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OversizedReader } from "../../src/protocol/oversized.ts";

function read(text: string | Uint8Array, cut = Number.POSITIVE_INFINITY) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reader = new OversizedReader();
  for (let at = 0; at < bytes.length; at += cut) reader.push(bytes.subarray(at, Math.min(bytes.length, at + cut)));
  return reader.end();
}

const big = "x".repeat(5_000);

describe("what it finds", () => {
  it.each<[string, unknown]>([
    [
      `{"jsonrpc":"2.0","method":"reply","params":{"call":"1","outcome":{"Ok":"${big}"},"run":"r"}}`,
      { kind: "reply", ids: { run: "r", call: "1" } },
    ],
    [
      ` { "params" : { "outcome":{"params":{"run":"no","call":"no"}}, "run" : "r" , "call" : "1" } , "method":"reply", "jsonrpc":"2.0" } `,
      { kind: "reply", ids: { run: "r", call: "1" } },
    ],
    [
      '{"jsonrpc":"2.0","method":"call","params":{"call":"\\u0031\\ud83d\\ude00","run":"\u{1f600}","args":{}}}',
      { kind: "call", ids: { run: "\u{1f600}", call: "1\u{1f600}" } },
    ],
    [`{"jsonrpc":"2.0","id":"3.1","result":{"id":"no","x":"${big}"}}`, { kind: "response", id: '"3.1"' }],
    ['{"jsonrpc":"2.0","id":-1.5e+3,"result":[]}', { kind: "response", id: "-1.5e+3" }],
    // Requests whatever they are called, as the reader of whole messages has them.
    ['{"jsonrpc":"2.0","id":7,"method":"reply","params":{"run":"r","call":"1"}}', { kind: "request", id: "7" }],
    ['{"jsonrpc":"2.0","method":"call","id":"x"}', { kind: "request", id: '"x"' }],
    [`{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1"},"id":"${big}"}`, { kind: "other" }],
    [`{"jsonrpc":"2.0","method":"progress","params":["${big}"]}`, { kind: "other" }],
    // Broken behind its ids: no JSON, so no message.
    ['{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":{"Ok":1}}', { kind: "other" }],
    ['{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":{"Ok":01}}}', { kind: "other" }],
  ])("%.80s", (text, expected) => {
    for (const cut of [1, 2, 3, 7, 100_000]) expect(read(text, cut)).toMatchObject(expected as object);
  });

  it.each([
    "print",
    "",
    '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","outcome":1}}',
    '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":1,"outcome":1}}',
    `{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"${"c".repeat(257)}"}}`,
    `{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"${"c".repeat(9_000)}"}}`,
    // Which of the two counts, nobody can say.
    '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","call":"2"}}',
    '{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1"},"params":{}}',
    '{"jsonrpc":"2.0","method":"reply","params.run":"r","params.call":"1"}',
    '{"jsonrpc":"2.0","method":"reply","params":[{"run":"r","call":"1"}]}',
    '{"jsonrpc":"2.0","method":"reply","other":{"run":"r","call":"1"}}',
    '[{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1"}}]',
    '{"jsonrpc":"1.0","method":"reply","params":{"run":"r","call":"1"}}',
    '{"jsonrpc":"2.0"}',
    "[".repeat(70_000),
  ])("cannot be read: %.80s", (text) => {
    expect(read(text).kind).toBe("unreadable");
  });
});

it("accepts exactly what JSON.parse accepts", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    '"',
    "\\",
    "u00e9",
    "n",
    "a",
    "1",
    "0",
    "-",
    ".",
    "e",
    "+",
    "true",
    "null",
    "fals",
    " ",
    "\t",
    "\u0001",
    '"k"',
    '"k":1',
  );
  const wrapped = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
  const valid = fc.json().map((text) => text);
  fc.assert(
    fc.property(fc.oneof(wrapped, valid), fc.integer({ min: 1, max: 9 }), (value, cut) => {
      let isJson = true;
      try {
        JSON.parse(value);
      } catch {
        isJson = false;
      }
      // As the value of a member behind the ids, so that the answer tells whether the whole was JSON.
      const text = `{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":${value}}}`;
      let isWhole = isJson;
      try {
        JSON.parse(text);
        isWhole = true;
      } catch {
        isWhole = false;
      }
      expect(read(text, cut).kind === "reply" || (isWhole && read(text, cut).kind === "unreadable")).toBe(isWhole);
    }),
    { numRuns: 3_000 },
  );
});
