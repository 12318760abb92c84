/**
 * The quick way, type by type: what it takes, that its books come out to the unit (what they did not cover would be looked
 * over in full, so that a wrong sum only costs time), and what it leaves to the exact way.
 */
import { expect, it } from "vitest";
import { Account, GIVE_UP } from "../../src/codec/account.ts";
import type { Codec } from "../../src/codec/codec.ts";
import { contextOf, decodeExactly, type Grant, type Mode } from "../../src/codec/decode.ts";
import { resolveLimits } from "../../src/json/limits.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { codecOf } from "../support/codecs.ts";
import { dict, func, host, list, named, nondata, option, record, set, sum, tuple } from "../types/build.ts";

const LIMITS = resolveLimits();

const DECLARATIONS = {
  p: record("P", { b: "Int", a: option("Text"), c: option("json.Value"), d: option("Unit") }),
  none: record("None", {}),
  odd: record("Odd", { ["__proto__"]: "Int", constructor: "Text", toString: option("Int") }),
  pair: record("Pair", { x: option(named("pair")), y: list("Decimal") }),
  e: sum("E", { Bare: null, One: ["Int"], Two: ["Int", "Text"], Named: { b: "Bool", a: "Int" }, Empty: [] }),
  hidden: record("Hidden", { a: "Int" }, { opaque: true }),
  page: host("Page"),
  never: nondata("Never"),
};

/** The codec of a term, over the declaration it names. */
function codec(term: JsonValue): Codec {
  const id = Object.keys(DECLARATIONS).find((name) => JSON.stringify(term).includes(`"declaration":"${name}"`));
  return codecOf(term, id === undefined ? {} : { [id]: DECLARATIONS[id as keyof typeof DECLARATIONS] });
}

interface Taken {
  readonly codec: Codec;
  readonly text: string;
  readonly mode?: Mode;
  readonly grant?: Grant;
}

/** What the quick way makes of a text, with its books; `GIVE_UP` where it gives up. */
function take({ codec, text, mode = "lenient", grant = "none" }: Taken): { value: unknown; account: Account } | typeof GIVE_UP {
  const account = Account.open(contextOf(mode, grant), text, LIMITS);
  if (account === undefined) throw new Error("no books");
  try {
    return { value: codec["type"].node.take(JSON.parse(text), account), account };
  } catch (caught) {
    if (caught === GIVE_UP) return GIVE_UP;
    throw caught;
  }
}

const NAMED_TYPES: readonly (readonly [string, JsonValue, readonly string[], readonly string[]])[] = [
  ["Int", "Int", ["0", "-12", "999999999999999"], ["1.5", '"1"', "true", "null", "[]", "{}", "1e400"]],
  ["Decimal", "Decimal", ["0", "0.5", "-12.25", "7"], ['"1"', "true", "null", "[]", "1e400"]],
  ["Bool", "Bool", ["true", "false"], ["0", '"true"', "null", "[]"]],
  ["Text", "Text", ['""', '"ab"', '"\\n\\u00e9"', '"\u00e9"'], ["0", "true", "null", "[]", '["a"]']],
  ["Unit", "Unit", ["[]"], ["[1]", "{}", "null", '""', "0"]],
  ["Never", "Never", [], ["null", "[]", "0"]],
  ["Bytes", "Bytes", ['""', '"AQI="', '"AQID"'], ['"AQI"', '"A"', "1", "null", "[]"]],
  ["Instant", "Instant", ['"2026-11-30T16:28:00.5Z"'], ['"2026-11-30"', "1", "null", "[]", '"+999999-01-01T00:00:00Z"']],
  ["Duration", "Duration", ['"PT90.5S"'], ['"90"', "1", "null", "[]"]],
  ["json.Value", "json.Value", ["null", "true", "false", "-0.25", "[]", "{}", '[{"a":[1,"x",null]},2.5]', '{"b":1,"a":{}}'], ["1e400"]],
  ["List of Int", list("Int"), ["[]", "[1]", "[1,-2,30]"], ["{}", '["1"]', "[1,2.5]", "[1,null]", "null", '"[]"']],
  ["List of Decimal", list("Decimal"), ["[]", "[1,2.5]", "[0.25]"], ['["1"]', "[1,null]", "[[]]", "[1e400]"]],
  ["List of Text", list("Text"), ["[]", '["a","bc"]'], ["[1]", '["a",null]']],
  ["List of lists", list(list("Bool")), ["[[],[true],[]]"], ["[[1]]", "[[],{}]"]],
  ["Set of Int", set("Int"), ["[]", "[-1,2,10]"], ["[2,1]", "[1,1]", "{}", '["1"]']],
  ["Tuple", tuple("Int", "Text"), ['[1,"a"]'], ["[1]", '[1,"a",2]', '["a",1]', "{}", "null"]],
  ["Dict of Text", dict("Text", "Int"), ["{}", '{"b":1,"a":20}', '{"__proto__":1}'], ["[]", '{"a":"1"}', "null", '"a"']],
  [
    "Dict of Int",
    dict("Int", "Text"),
    ["[]", '[[1,"a"],[20,"b"]]'],
    ["{}", '[[2,"a"],[1,"b"]]', '[[1,"a"],[1,"b"]]', "[[1]]", '[[1,"a",2]]', "[{}]"],
  ],
  [
    "Option",
    option("Int"),
    ['"None"', '{"Some":1}'],
    ["1", "null", '"Some"', '{"None":1}', '{"Some":1,"More":2}', "{}", '{"Some":"a"}', "[]"],
  ],
  [
    "a record",
    named("p"),
    [
      '{"b":1}',
      '{"a":"x","b":1}',
      '{"b":1,"a":"x","c":[null]}',
      '{"c":null,"b":1,"d":[]}',
      '{"a":null,"b":1}',
      '{"b":1,"more":[{"x":0.5}]}',
    ],
    ["{}", '{"a":"x"}', '{"b":"1"}', '{"b":1,"a":1}', "[]", "null", '"b"', '{"b":null}'],
  ],
  ["an empty record", named("none"), ["{}", '{"a":1,"b":[1]}'], ["[]", "null"]],
  [
    "a record of odd names",
    named("odd"),
    ['{"__proto__":1,"constructor":"x"}', '{"toString":2,"constructor":"x","__proto__":1}'],
    ['{"constructor":"x"}', "{}"],
  ],
  ["a recursive record", named("pair"), ['{"x":{"x":null,"y":[]},"y":[1,0.5]}'], ['{"x":{"y":[]}}', '{"x":{},"y":[]}']],
  [
    "an enum",
    named("e"),
    ['"Bare"', '{"One":7}', '{"Two":[7,"x"]}', '{"Named":{"b":true,"a":1}}', '{"Empty":[]}'],
    ['"One"', '"None"', '{"Bare":[]}', '{"One":"x"}', '{"Two":[7]}', '{"One":1,"Two":2}', "{}", "1", "null", '["Bare"]', '{"Other":1}'],
  ],
  ["a function", func(["Int"], "Int"), [], ["null", "{}"]],
  ["a nondata type", named("never"), [], ["null", "{}"]],
  ["an opaque record", named("hidden"), [], ['{"a":1}']],
  ["a host type", named("page"), [], ["null", '{"a":1}']],
];

it.each(NAMED_TYPES)("takes of %s what the exact way takes, and the books come out", (_, term, right, wrong) => {
  // One codec for all of them, in every order: a record learns how its members stand.
  const type = codec(term);
  for (const text of [...right, ...right, ...[...right].reverse()]) {
    const taken = take({ codec: type, text });
    if (taken === GIVE_UP) throw new Error(`not taken: ${text}`);
    const exact = decodeExactly(type["type"].node, text, contextOf("lenient", "none"), LIMITS);
    expect(type.encode(taken.value), text).toBe(type.encode(exact));
    expect(taken.account.length, text).toBe(text.replace(/\\u....|\\./g, (written) => (written.length === 2 ? "x" : "y")).length);
    expect([taken.account.covers(text), taken.account.covers(`${text} `)], text).toEqual([true, false]);
    expect(taken.account.members, text).toBe((text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/:/g) ?? []).length);
    // The depth is back where it was: one level is left below the last of them.
    for (let depth = 1; depth < LIMITS.depth; depth++) taken.account.enter();
    expect(() => taken.account.enter(), text).toThrow();
  }
  for (const text of wrong) expect(take({ codec: type, text }), text).toBe(GIVE_UP);
});

it("takes what only its grant or its mode allows", () => {
  const hidden = codec(named("hidden"));
  const page = codec(named("page"));
  const open = codec(named("p"));
  const took = (taken: Taken) => take(taken) !== GIVE_UP;
  expect((["none", "tokens", "all"] as const).map((grant) => took({ codec: hidden, text: '{"a":1}', grant }))).toEqual([
    false,
    false,
    true,
  ]);
  expect((["none", "tokens", "all"] as const).map((grant) => took({ codec: page, text: '{"a":1}', grant }))).toEqual([false, true, true]);
  for (const [text, strict] of [
    ['{"b":1,"more":2}', false],
    ['{"b":1}', true],
    ['{"b":1,"a":null}', true],
  ] as const) {
    expect([took({ codec: open, text }), took({ codec: open, text, mode: "strict" })], text).toEqual([true, strict]);
  }
});
