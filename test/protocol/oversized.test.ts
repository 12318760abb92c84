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
    [`{"jsonrpc":"2.0","id":1,"method":"${big}"}`, { kind: "request", id: "1" }],
    [`{"jsonrpc":"2.0","method":"${big}","params":{}}`, { kind: "other" }],
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
    '{"jsonrpc":"2.0","id":7,"result":1}{}',
    '{"jsonrpc":"2.0","id":7,"result":1} 7',
    "[".repeat(70_000),
  ])("cannot be read: %.80s", (text) => {
    expect(read(text).kind).toBe("unreadable");
  });
});

/** Each rule of RFC 8259, kept and broken. */
const VALUES = [
  ..."-|0|-0|-01|01|12|-12|1.|1.5|1.5.5|.5|+1|1e|1e5|1E5|1e+|1e+5|1e-5|1e5.5|0e0|0.0|--1|1-|2.0e1|10|9|1:|1/|-a|1.a|1ea".split("|"),
  ..."true|false|null|tru|trux|truex|nul|nulls|fals|True|t|n|xull|xrue|rue".split("|"),
  ..."[]|[1]|[1,2]|[ 1 , 2 ]|[,]|[1,]|[,1]|[1 2]|[1:2]|[|[1|]|[}|[1}|[[]]|[[],[]]|[[[1]]]".split("|"),
  ...'{}|{"a":1}|{"a":1,"b":2}|{ "a" : 1 }|{"a"}|{"a":}|{"a":1,}|{,}|{a:1}|{"a" 1}|{"a",1}|{1:1}|{"a":1 "b":2}|{|{"a":1|}|{]|{"a":{}}'.split(
    "|",
  ),
  ...'""|"a"|"|"a|"\\"|"\\|"\\\\"|"\\""|"\\/\\b\\f\\n\\r\\t"|"\\x"|"\\u0aF9"|"\\u00g0"|"\\u00G0"|"\\u00/0"|"\\u00:0"|"\\u00@0"|"\\u00`0"|"\\u123"|"\\U1234"'.split(
    "|",
  ),
  ...'1\t|\t1|\r1\r|\n1|1\u000b|1\u00a0|"\u0001"|"\u001f"|"\u0020"|"\u007f"|1 1|1,1|:1|\'a\''.split("|"),
];

it.each(VALUES)("takes %j for JSON where JSON.parse does", (value) => {
  const text = `{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":${value}}}`;
  let isJson = true;
  try {
    JSON.parse(text);
  } catch {
    isJson = false;
  }
  for (const cut of [1, 3, 100_000]) {
    expect(read(text, cut).kind).toBe(isJson ? "reply" : "other");
    expect(read(text.replace('"method":"reply",', '"id":7,'), cut).kind).toBe(isJson ? "response" : "unreadable");
  }
});

it("keeps an id of 256 bytes however each is escaped, and none that is longer", () => {
  const message = (run: string) => `{"jsonrpc":"2.0","method":"reply","params":{"run":"${run}","call":"1"}}`;
  expect(read(message("\\u0031".repeat(256)))).toEqual({ kind: "reply", ids: { run: "1".repeat(256), call: "1" } });
  expect(read(message("\\u0031".repeat(257))).kind).toBe("unreadable");
});

it("passes over names that are too long, and stops at bytes that are no text", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  expect(read(`{"${big}":1,"jsonrpc":"2.0","id":7,"result":{"${big}":2}}`)).toEqual({ kind: "response", id: "7" });
  expect(read(`{"jsonrpc":"2.0","method":"reply","params":{"${big}":1,"run":"r","call":"1"}}`).kind).toBe("reply");
  expect(read(bytes('{"jsonrpc":"2.0","\xff":1,"id":7,"result":1}')).kind).toBe("unreadable");
  expect(read(bytes('{"jsonrpc":"2.0","id":"\xff","result":1}')).kind).toBe("unreadable");
  expect(read(bytes('{"jsonrpc":"2.0","id":7,"result":"\xff"}'))).toEqual({ kind: "response", id: "7" });
});

it("looks at no name but those of the message and of its params", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  expect(read(bytes('{"jsonrpc":"2.0","id":7,"result":{"\xff":1}}'))).toEqual({ kind: "response", id: "7" });
  expect(read(bytes('{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":{"\xff":1}}}'))).toEqual({ kind: "request", id: "7" });
  expect(read(bytes('{"jsonrpc":"2.0","id":7,"method":"m","params":{"\xff":1}}')).kind).toBe("unreadable");
  // What is behind a name that is too long is not what the name before it called for.
  expect(read(`{"jsonrpc":"2.0","id":7,"${big}":8,"result":1}`)).toEqual({ kind: "response", id: "7" });
  const reply = { kind: "reply", ids: { run: "r", call: "1" } };
  expect(read(`{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","${big}":"2"}}`)).toEqual(reply);
  // Others may come twice: to notice it, all of them would have to be kept.
  expect(read('{"jsonrpc":"2.0","method":"reply","a":1,"a":2,"params":{"b":1,"run":"r","b":2,"call":"1"}}')).toEqual(reply);
});

it("follows values 65,536 deep, and no deeper", () => {
  // Two of the containers are those of the message.
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const message = (depth: number) => `{"jsonrpc":"2.0","method":"reply","params":{"run":"r","call":"1","outcome":${nested(depth)}}}`;
  expect(read(message(65_534)).kind).toBe("reply");
  expect(read(message(65_535)).kind).toBe("other");
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
