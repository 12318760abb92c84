import { describe, expect, expectTypeOf, it } from "vitest";
import { type Codec, codecFor } from "../../src/codec/codec.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { jsonObject } from "../../src/json/value.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { Duration } from "../../src/values/duration.ts";
import { Instant } from "../../src/values/instant.ts";
import { HostToken } from "../../src/values/shapes.ts";
import { codecOf, refusal, refusedText, refusedValue } from "../support/codecs.ts";
import { dict, func, host, list, named, option, param, record, set, spec, sum, task, tuple } from "../types/build.ts";

const text = (it: string) => new TextEncoder().encode(it);

describe("codecFor", () => {
  it("gives one codec for one type of one graph", () => {
    const declarations = {
      p: record("P", { x: "Int", rest: list(named("p")) }),
      b: record("B", { it: param("b", 0) }, { generic: ["A"] }),
    };
    const read = readTypeSpec(spec({ ok: tuple(named("p"), named("b", "Int")), declarations }));
    const codec = codecFor({ List: { Named: { declaration: "p", args: [] } } }, read.declarations);
    expect(codecFor({ List: { Named: { declaration: "p", args: [] } } }, read.declarations)).toBe(codec);
    expect(codecFor({ Named: { declaration: "p", args: [] } }, read.declarations)).not.toBe(codec);
    expect(codecFor("Int")).toBe(codecFor("Int"));
    expect(codec.title).toBe("List<m.P>");
    expect(codecFor({ Named: { declaration: "b", args: ["Int"] } }, read.declarations).title).toBe("m.B<Int>");
  });

  it("refuses what is no type, as readers of descriptions do", () => {
    expect(refusal(() => codecFor("Intt" as "Int"))).toMatch(/^unknown-term/);
    expect(refusal(() => codecOf(named("x")))).toMatch(/^unresolved/);
    expect(refusal(() => codecOf(param("x", 0)))).toMatch(/^(owner|free-param)/);
    expect(refusal(() => codecOf(set(named("h")), { h: host("H") }))).toMatch(/^crossing/);
    expect(refusal(() => codecOf("Int", { p: record("P", {}) }))).toMatch(/^disconnected/);
  });

  it("goes through generic, phantom and mutually recursive declarations", () => {
    const declarations = {
      e: record("Even", { next: option(named("o")), tag: named("ph", named("o")) }),
      o: record("Odd", { next: option(named("e")) }),
      ph: record("Phantom", { n: "Int" }, { generic: ["A"] }),
    };
    const codec = codecOf<unknown>(named("e"), declarations);
    const canonical = '{"next":{"next":{"next":{},"tag":{"n":2}}},"tag":{"n":1}}';
    expect(codec.encode(codec.decode(canonical))).toBe(canonical);
    expect(refusedText(codec, '{"next":{"next":{"next":{},"tag":{"n":"2"}}},"tag":{"n":1}}')).toBe("kind /next/next/tag/n");
  });

  it("types the value it gives", () => {
    expectTypeOf(codecFor<bigint>("Int").decode("1")).toEqualTypeOf<bigint>();
    const codec: Codec<bigint> = codecFor<bigint>("Int");
    const value: unknown = 1n;
    codec.check(value);
    expectTypeOf(value).toEqualTypeOf<bigint>();
  });
});

describe("decode", () => {
  it("takes a text, its bytes or exact JSON", () => {
    const codec = codecOf(list("Text"));
    for (const source of ['["a"]', text(' [ "a" ] '), ["a"]]) expect(codec.decode(source)).toEqual(["a"]);
    expect(codecFor("Text").decode('"a"')).toBe("a");
    expect(codecFor("Int").decode(3n)).toBe(3n);
    expect(codecFor("Int").decode(Decimal.from("3.0"))).toBe(3n);
  });

  it("counts the offset of a fault in bytes where bytes were read", () => {
    const broken = '["é",1,}';
    for (const [source, offset] of [[broken, 7] as const, [text(broken), 8] as const]) {
      expect(() => codecFor({ List: "json.Value" }).decode(source)).toThrow(expect.objectContaining({ code: "syntax", offset }));
    }
  });

  it("gives faults of the type a place among the values, and no offset", () => {
    for (const source of ['["a"]', text('["a"]')]) {
      expect(() => codecFor({ List: "Int" }).decode(source)).toThrow(
        expect.objectContaining({ code: "kind", at: "/0", offset: undefined }),
      );
    }
  });

  it("shares nothing with JSON it was given, and judges it by the limits", () => {
    const inner = jsonObject({ b: 1n });
    const json = { a: inner };
    const value = codecOf<{ a: unknown }>("json.Value").decode(json);
    expect(value).toEqual({ a: { b: 1n } });
    expect(value.a).not.toBe(inner);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(refusal(() => codecOf("json.Value").decode([[1n]], { limits: { depth: 2 } }))).toBe("limit /0/0");
    expect(refusal(() => codecOf("json.Value").decode([1] as never))).toBe("kind /0");
    let reads = 0;
    const changing = {
      get a() {
        return reads++ === 0 ? 1n : ("x" as never);
      },
    };
    expect(codecOf(named("r"), { r: record("R", { a: "Int" }) }).decode(changing)).toEqual({ a: 1n });
  });

  it("builds by grant (R14)", () => {
    const declarations = { h: host("Page"), o: record("Secret", { x: "Int" }, { opaque: true }) };
    const page = codecOf(named("h"), { h: declarations.h });
    const secret = codecOf(named("o"), { o: declarations.o });
    expect([refusedText(page, "1"), refusedText(page, "1", { grant: "tokens" }), refusedText(page, "1", { grant: "all" })]).toEqual([
      "not-decodable ",
      "none",
      "none",
    ]);
    expect([
      refusedText(secret, '{"x":1}'),
      refusedText(secret, '{"x":1}', { grant: "tokens" }),
      refusedText(secret, '{"x":1}', { grant: "all" }),
    ]).toEqual(["not-decodable ", "not-decodable ", "none"]);
    expect(page.decode('{"b":[0.50,null],"a":1}', { grant: "tokens" })).toEqual(
      new HostToken(jsonObject({ b: [Decimal.from("0.5"), null], a: 1n })),
    );
    expect(page.encode(page.decode('{"b":[0.50,null],"a":1}', { grant: "tokens" }))).toBe('{"a":1,"b":[0.5,null]}');
    expect(refusedValue(page, { json: 1n })).toBe("kind ");
    expect(refusal(() => page.compare(new HostToken(1n), new HostToken(1n)))).toBe("order ");
  });

  it("refuses modes, grants and limits that there are none of", () => {
    const codec = codecFor("Int");
    expect(refusal(() => codec.decode("1", { mode: "Strict" as "strict" }))).toBe("usage ");
    expect(refusal(() => codec.decode("1", { grant: "token" as "tokens" }))).toBe("usage ");
    expect(refusal(() => codec.decode("1", { limits: { depth: 0 } }))).toBe("usage ");
  });

  it("finds the faults of the text before those of the type", () => {
    const codec = codecOf(list("Int"));
    expect(refusedText(codec, '["x",{"a":1,"a":2}]')).toBe("duplicate-member /1/a");
    expect(refusedText(codec, '["x",')).toBe("syntax ");
    expect(refusedText(codec, '["x","\\ud800"]')).toBe("lone-surrogate /1");
    expect(refusedText(codec, '["x",1e5000]')).toBe("limit /1");
  });

  it.each([
    ["Int", "3.5", "not-whole "],
    ["Int", '"3"', "kind "],
    ["Int", "true", "kind "],
    ["Decimal", '"3"', "kind "],
    ["Bool", "0", "kind "],
    ["Text", "1", "kind "],
    ["Bytes", '"AA="', "spelling "],
    ["Bytes", "1", "kind "],
    ["Instant", '"2026-01-01"', "spelling "],
    ["Instant", "1", "kind "],
    ["Instant", '"+275760-09-13T00:00:01Z"', "limit "],
    ["Duration", '"1s"', "spelling "],
    ["Duration", '"PT9007199254740992S"', "limit "],
    ["Duration", "1", "kind "],
    ["Unit", "null", "kind "],
    ["Unit", "[1]", "kind "],
    ["Never", "1", "no-value "],
  ] as const)("%s refuses %s", (term, source, expected) => {
    expect(refusedText(codecFor(term), source)).toBe(expected);
  });
});

describe("encode, check and compare", () => {
  it("write every kind of value", () => {
    const all = tuple("Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "json.Value");
    const canonical = '[-1,0.5,true,"é",false,null]';
    expect(codecOf("json.Value").encode(codecOf("json.Value").decode(canonical))).toBe(canonical);
    const value = [
      2n ** 70n,
      Decimal.from("1.50"),
      false,
      'a"',
      Uint8Array.of(1, 2, 3),
      Duration.parse("PT1.5S"),
      Instant.parse("2026-01-01T00:00:00Z"),
      undefined,
      [null],
    ];
    expect(codecOf(all).encode(value)).toBe('[1180591620717411303424,1.5,false,"a\\"","AQID","PT1.5S","2026-01-01T00:00:00Z",[],[null]]');
  });

  it.each([
    ["Int", 1],
    ["Int", "1"],
    ["Decimal", 1.5],
    ["Decimal", 1n],
    ["Bool", 1],
    ["Text", 1n],
    ["Bytes", [1]],
    ["Bytes", "AQID"],
    ["Duration", "PT1S"],
    ["Instant", new Date(0)],
    ["Unit", null],
    ["json.Value", 1],
    ["json.Value", undefined],
  ] as const)("%s refuses %s", (term, value) => {
    expect(refusedValue(codecFor(term), value)).toBe("kind ");
  });

  it("end where a value holds itself", () => {
    const codec = codecOf<Record<string, unknown>>(named("n"), { n: record("N", { next: option(named("n")) }) });
    const loop: Record<string, unknown> = {};
    loop["next"] = loop;
    expect(refusedValue(codec, loop)).toMatch(/^limit (\/next){128}$/);
    expect(refusal(() => codec.compare(loop, { next: loop }))).toMatch(/^limit/);
    const lists = codecOf<unknown>(named("l"), { l: record("L", { items: list(named("l")) }) });
    let shared: unknown = { items: [] };
    for (let i = 0; i < 50; i++) shared = { items: [shared, shared] };
    expect(refusedValue(lists, shared)).toMatch(/^limit/);
  });

  it("do not take a type without values, or without an encoding", () => {
    expect(refusedValue(codecFor("Never"), 1n)).toBe("no-value ");
    const options = codecOf(option(task("Int")));
    expect(refusedText(options, '{"Some":1}')).toBe("not-decodable /Some");
    expect(refusedValue(options, { tag: "Some", value: () => 1 })).toBe("not-decodable /Some");
    expect(options.decode('"None"')).toEqual({ tag: "None" });
    expect(refusedText(codecOf(list(func(["Int"], "Int"))), "[1]")).toBe("not-decodable /0");
  });

  it("compare is bound, to be handed on", () => {
    const { compare } = codecFor<bigint>("Int");
    expect([3n, 1n, 2n].sort(compare)).toEqual([1n, 2n, 3n]);
    expect(codecFor("Int").equals(1n, 1n)).toBe(true);
  });

  it("order json.Value by kind, then within it (R12)", () => {
    const codec = codecOf("json.Value");
    const ascending = [
      "null",
      "false",
      "true",
      "-1",
      "0.5",
      "1",
      "1.5",
      "10",
      '""',
      '"a"',
      '"\uffff"',
      '"\u{10000}"',
      "[]",
      "[null]",
      "[1]",
      "[1,null]",
      "{}",
      '{"a":1}',
      '{"a":1,"b":0}',
      '{"a":2}',
      '{"b":0}',
    ];
    const values = ascending.map((source) => codec.decode(source.startsWith('"') ? source : source));
    for (const [i, a] of values.entries())
      for (const [j, b] of values.entries()) expect(Math.sign(codec.compare(a, b))).toBe(Math.sign(i - j));
  });

  it("give the schema of the encoding", () => {
    expect(codecOf(dict("Text", "Int")).schema()).toEqual(
      jsonObject({ type: "object", additionalProperties: jsonObject({ type: "integer" }) }),
    );
    expect(codecOf(named("e"), { e: sum("E", { A: null }) }).schema()).toHaveProperty("$defs");
  });
});
