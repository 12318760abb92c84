import { describe, expect, it } from "vitest";
import { HostToken } from "../../src/values/shapes.ts";
import { codecOf, refusedText, refusedValue } from "../support/codecs.ts";
import { host, named, option, record, sum } from "../types/build.ts";

const point = codecOf<Record<string, unknown>>(named("p"), { p: record("Point", { y: "Int", x: "Int" }) });

describe("a record", () => {
  it("is written by code point and compared by declaration (R12)", () => {
    expect(point.encode({ y: 1n, x: 2n })).toBe('{"x":2,"y":1}');
    expect(point.compare({ y: 1n, x: 9n }, { y: 2n, x: 0n })).toBeLessThan(0);
    expect(point.equals({ y: 1n, x: 2n }, { x: 2n, y: 1n })).toBe(true);
  });

  it("skips members it does not declare, or refuses them (R5)", () => {
    const text = '{"x":2,"z":{"a":[1,{"b":0.5}],"s":"\\n"},"y":1}';
    expect(point.decode(text)).toEqual({ y: 1n, x: 2n });
    expect(Object.keys(point.decode(text))).toEqual(["y", "x"]);
    expect(refusedText(point, text, { mode: "strict" })).toBe("undeclared-member /z");
    expect(refusedText(point, '{"x":2,"z":{"a":1,"a":1},"y":1}')).toBe("duplicate-member /z/a");
    expect(refusedText(point, '{"x":2,"z":"\\ud800","y":1}')).toBe("lone-surrogate /z");
  });

  it("cuts a long name in the sentence, not in the place", () => {
    const name = "n".repeat(5_000);
    for (const refused of [
      () => point.decode(`{"${name}":1,"x":1,"y":1}`, { mode: "strict" }),
      () => point.check({ x: 1n, y: 1n, [name]: 1n }),
    ]) {
      expect(refused).toThrow(expect.objectContaining({ at: `/${name}`, message: expect.stringMatching(/^.{0,400}$/) }));
    }
  });

  it("misses what is not there", () => {
    expect(refusedText(point, '{"x":2}')).toBe("missing-member ");
    expect(refusedText(point, "[]")).toBe("kind ");
    expect(refusedText(point, "1.5")).toBe("kind ");
    expect(refusedText(point, '{"x":2,"y":null}')).toBe("kind /y");
  });

  it("reads names that every object seems to have as its own members alone", () => {
    const names = { __proto__: "Int", constructor: "Int", toString: "Int", hasOwnProperty: option("Int"), isPrototypeOf: option("Int") };
    const fields = Object.fromEntries([["__proto__", "Int"], ...Object.entries(names)]);
    const codec = codecOf<Record<string, unknown>>(named("n"), { n: record("Names", fields) });
    const text = '{"__proto__":1,"constructor":2,"isPrototypeOf":4,"toString":3}';
    const value = codec.decode(text);
    expect(Object.entries(value).sort()).toEqual([
      ["__proto__", 1n],
      ["constructor", 2n],
      ["isPrototypeOf", 4n],
      ["toString", 3n],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(codec.encode(value)).toBe(text);
    expect(codec.compare(value, value)).toBe(0);
    expect(refusedText(codec, '{"__proto__":1,"constructor":2}')).toBe("missing-member ");
    expect(refusedText(codec, '{"constructor":2,"toString":3}')).toBe("missing-member ");
    expect(refusedValue(codec, { constructor: 2n, toString: 3n })).toBe("missing-member ");
  });

  it("is not fooled by members that a script gave to every object", () => {
    const codec = codecOf<Record<string, unknown>>(named("r"), { r: record("R", { a: "Int", note: option("Text") }) });
    Object.assign(Object.prototype, { note: "planted", a: 7n });
    try {
      expect(Object.hasOwn(codec.decode('{"a":1}'), "note")).toBe(false);
      expect(Object.hasOwn(codec.decode({ a: 1n }), "note")).toBe(false);
      expect(refusedText(codec, "{}")).toBe("missing-member ");
      expect(refusedText(codec, '{"b":1}', { mode: "strict" })).toBe("missing-member ");
      expect(codec.encode({ a: 1n })).toBe('{"a":1}');
      expect(refusedValue(codec, {})).toBe("missing-member ");
      expect(refusedValue(codec, { extra: 1n })).toBe("missing-member ");
      expect(codec.compare({ a: 1n }, { a: 1n, note: "x" })).toBeLessThan(0);
    } finally {
      Reflect.deleteProperty(Object.prototype, "note");
      Reflect.deleteProperty(Object.prototype, "a");
    }
  });
});

describe("a record from code in this process", () => {
  it("has its own members and no others", () => {
    expect(refusedValue(point, { x: 1n })).toBe("missing-member ");
    expect(refusedValue(point, { x: 1n, y: undefined })).toBe("kind /y");
    expect(refusedValue(point, { x: 1n, y: 1n, z: 1n })).toBe("undeclared-member /z");
    expect(refusedValue(point, null)).toBe("kind ");
    expect(refusedValue(point, [1n, 2n])).toBe("kind ");
  });

  it("says bigint where a number is met", () => {
    expect(() => point.encode({ x: 1, y: 1n })).toThrow(
      expect.objectContaining({
        code: "kind",
        at: "/x",
        message: "expected Int, which is a bigint in JavaScript (write 42n) at /x of m.Point, met the JavaScript number 1",
      }),
    );
  });

  it("may be of a class, whose members are its own and not its prototype's", () => {
    class Place {
      readonly x: bigint;
      readonly y: bigint;
      constructor(x: bigint, y: bigint) {
        this.x = x;
        this.y = y;
      }
      get sum() {
        return this.x + this.y;
      }
    }
    expect(point.encode(new Place(1n, 2n) as unknown as Record<string, unknown>)).toBe('{"x":1,"y":2}');
    expect(refusedValue(point, Object.create({ x: 1n, y: 2n }))).toBe("missing-member ");
    class Hidden {
      _y = 2n;
      x = 1n;
      get y() {
        return this._y;
      }
    }
    // One member inherited and one too many: their number is right.
    expect(refusedValue(point, new Hidden())).toBe("missing-member ");
  });

  it("is none of the platform's objects, even where every field is optional", () => {
    const loose = codecOf<unknown>(named("l"), { l: record("Loose", { a: option("Int") }) });
    expect(loose.encode({})).toBe("{}");
    for (const value of [new Map(), new Set(), new Date(0), Promise.resolve(1n), new Error("x"), new Uint8Array(0), () => 1, /x/]) {
      expect(refusedValue(loose, value)).toBe("kind ");
    }
  });

  it("is described whatever it does", () => {
    const hostile = {
      toString: 5,
      get constructor() {
        throw new Error("no");
      },
    };
    expect(refusedValue(codecOf("Int"), hostile)).toBe("kind ");
    expect(refusedValue(codecOf("Int"), Object.assign(Object.create(null) as object, { constructor: class X {} }))).toBe("kind ");
    expect(refusedValue(codecOf("Int"), Symbol("x"))).toBe("kind ");
  });
});

describe("an Option field (R4)", () => {
  const codec = (inner: Parameters<typeof option>[0], declarations = {}) =>
    codecOf<Record<string, unknown>>(named("r"), { r: record("R", { f: option(inner) }), ...declarations });

  it("is left out for None, and null says None too", () => {
    const int = codec("Int");
    expect(int.decode("{}")).toEqual({});
    expect(Object.keys(int.decode('{"f":null}'))).toEqual([]);
    expect(int.decode('{"f":1}')).toEqual({ f: 1n });
    expect([int.encode({}), int.encode({ f: undefined }), int.encode({ f: 1n })]).toEqual(["{}", "{}", '{"f":1}']);
    expect(int.compare({}, { f: -5n })).toBeLessThan(0);
    expect(int.compare({ f: undefined }, {})).toBe(0);
    expect(refusedText(int, '{"f":{"Some":1}}')).toBe("kind /f");
  });

  it("of an Option: the outer one is the shortcut, the inner one an enum", () => {
    const nested = codec(option("Int"));
    expect(nested.decode('{"f":"None"}')).toEqual({ f: { tag: "None" } });
    expect(nested.decode('{"f":{"Some":1}}')).toEqual({ f: { tag: "Some", value: 1n } });
    expect(nested.decode('{"f":null}')).toEqual({});
    expect(refusedText(nested, '{"f":1}')).toBe("kind /f");
    expect(refusedText(nested, '{"f":{"Some":null}}')).toBe("kind /f/Some");
  });

  it("of Unit is present or absent, and both are undefined when read", () => {
    const unit = codec("Unit");
    expect(Object.keys(unit.decode('{"f":[]}'))).toEqual(["f"]);
    expect(Object.keys(unit.decode("{}"))).toEqual([]);
    expect([unit.encode({}), unit.encode({ f: undefined })]).toEqual(["{}", '{"f":[]}']);
    expect(unit.compare({}, { f: undefined })).toBeLessThan(0);
    expect(unit.compare({ f: undefined }, { f: undefined })).toBe(0);
  });

  it("of json.Value takes null for a value", () => {
    const raw = codec("json.Value");
    expect(raw.decode('{"f":null}')).toEqual({ f: null });
    expect(raw.encode({ f: null })).toBe('{"f":null}');
    expect(raw.decode("{}")).toEqual({});
    const wrapped = codec(option("json.Value"));
    expect(wrapped.decode('{"f":null}')).toEqual({});
    expect(wrapped.decode('{"f":{"Some":null}}')).toEqual({ f: { tag: "Some", value: null } });
  });

  it("of a host type takes null for a token, where one may be made (R14)", () => {
    const token = codec(named("h"), { h: host("Page") });
    expect(token.decode('{"f":null}', { grant: "tokens" })).toEqual({ f: new HostToken(null) });
    expect(token.encode({ f: new HostToken(null) })).toBe('{"f":null}');
    expect(token.decode("{}")).toEqual({});
    expect(refusedText(token, '{"f":null}')).toBe("not-decodable /f");
  });

  it("is one by its type after substitution, in named payloads too", () => {
    const codec = codecOf(named("g", option("Int")), {
      g: sum("G", { A: { f: { Param: { owner: "g", index: 0n } } } }, { generic: ["T"] }),
    });
    expect(codec.decode('{"A":{}}')).toEqual({ tag: "A", value: {} });
    expect(codec.encode({ tag: "A", value: { f: 1n } })).toBe('{"A":{"f":1}}');
  });

  it("is no shortcut for a parameter of a Tool or anywhere else", () => {
    expect(refusedText(codecOf(option("Int")), "null")).toBe("kind ");
    expect(codecOf(option("Int")).encode({ tag: "None" })).toBe('"None"');
  });
});

it("a required Unit field has to be there", () => {
  const codec = codecOf(named("r"), { r: record("R", { u: "Unit" }) });
  expect(codec.encode({ u: undefined })).toBe('{"u":[]}');
  expect(refusedValue(codec, {})).toBe("missing-member ");
  expect(refusedText(codec, "{}")).toBe("missing-member ");
});
