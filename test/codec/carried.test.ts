import { describe, expect, it } from "vitest";
import { carriedCodecs } from "../../src/codec/carried.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { jsonObject } from "../../src/json/value.ts";
import type { Declarations, Term } from "../../src/types/terms.ts";
import { FlowSet } from "../../src/values/set.ts";
import { specOf } from "../host/support.ts";

const A = { Param: { owner: "tool", index: 0 } };

/** The codec of a Tool's one parameter, over one type parameter that is bound to a type. */
function bind(term: unknown, type: Term, declarations: Declarations = new Map(), own = {}) {
  const spec = specOf({ generic: ["A"], params: { it: term }, ok: "Int", err: "Text", declarations: own });
  const codec = carriedCodecs(spec, { bindings: [{ name: "A", type }], declarations }).params[0]?.codec;
  if (codec === undefined) throw new Error("no parameter");
  return codec;
}

const common = { lexical_ordinal: 1, generic: [], opaque: false, doc: null } as const;
const point = {
  ...common,
  name: "Point",
  identity: "b.flow.Point",
  kind: "record",
  fields: [
    { name: "y", type: "Int", doc: null },
    { name: "x", type: "Int", doc: null },
  ],
} as const;

describe("values of a type parameter", () => {
  it("are JSON, judged by the bound type", () => {
    const codec = bind({ List: A }, "Instant");
    expect(codec.decode('["2026-01-01T00:00:00Z"]')).toEqual(["2026-01-01T00:00:00Z"]);
    expect(() => codec.decode('["yesterday"]')).toThrow(expect.objectContaining({ code: "spelling", at: "/0" }));
    expect(codec.encode(["2026-01-01T00:00:00.50Z"])).toBe('["2026-01-01T00:00:00.5Z"]');
    expect(() => codec.encode([1n])).toThrow(expect.objectContaining({ code: "kind", at: "/0" }));
  });
  it("keep every digit", () => {
    const codec = bind(A, "Decimal");
    const value = Decimal.from("0.1234567890123456789012345");
    expect(codec.decode("0.12345678901234567890123450")).toEqual(value);
    expect(codec.encode(value)).toBe("0.1234567890123456789012345");
  });
  it("are ordered by the bound type, not as JSON", () => {
    const codec = bind({ Set: A }, { Named: { declaration: "t9", args: [] } }, new Map([["t9", point]]));
    // As JSON objects go, x comes first; the record's first field is y.
    const text = '[{"x":9,"y":1},{"x":1,"y":2}]';
    const set = codec.decode(text) as FlowSet<unknown>;
    expect(codec.encode(set)).toBe(text);
    expect(set.has(jsonObject({ y: 2n, x: 1n }))).toBe(true);
    expect(() => codec.decode('[{"x":1,"y":2},{"x":9,"y":1}]')).toThrow(expect.objectContaining({ code: "order" }));
    const shuffled = FlowSet.from([jsonObject({ x: 1n, y: 2n }), jsonObject({ x: 9n, y: 1n })], (a, b) => (a === b ? 0 : -1));
    expect(codec.encode(shuffled)).toBe(text);
  });
  it("may be what only the author hands back, and hold nothing undeclared (R14)", () => {
    const declarations = (template: object) => new Map([["p", template]]) as unknown as Declarations;
    const named = { Named: { declaration: "p", args: [] } } as unknown as Term;
    const token = bind(A, named, declarations({ ...common, name: "Page", identity: "b.flow.Page", kind: "host" }));
    expect(token.encode({ id: 1n })).toBe('{"id":1}');
    const opaque = bind(A, named, declarations({ ...point, opaque: true }));
    expect(opaque.encode({ x: 1n, y: 2n })).toBe('{"x":1,"y":2}');
    const open = bind(A, named, declarations(point));
    expect(() => open.encode({ x: 1n, y: 2n, z: 3n })).toThrow(expect.objectContaining({ code: "undeclared-member", at: "/z" }));
  });
  it("are keys of an object where the parameter is Text", () => {
    const texts = bind({ Dict: [A, "Int"] }, "Text");
    expect(texts.encode(texts.decode('{"b":1,"a":2}'))).toBe('{"a":2,"b":1}');
    expect(bind({ Dict: [A, "Int"] }, "Bool").decode("[[false,1]]")).toMatchObject({ size: 1 });
  });
  it("follow the rule of Option fields after substitution (R4)", () => {
    const item = { name: "item", type: { Param: { owner: "t1", index: 0 } }, doc: null };
    const box = { ...common, name: "Box", identity: "a.flow.Box", kind: "record", generic: ["T"], fields: [item] };
    const boxed = { Named: { declaration: "t1", args: [A] } };
    const codec = bind(boxed, { Option: "Int" }, new Map(), { t1: box });
    expect(codec.decode("{}")).toEqual({});
    expect(codec.decode('{"item":null}')).toEqual({});
    expect(codec.decode('{"item":5}')).toEqual({ item: 5n });
    expect(codec.encode({ item: 5n })).toBe('{"item":5}');
    expect(() => bind(boxed, "Int", new Map(), { t1: box }).decode("{}")).toThrow(expect.objectContaining({ code: "missing-member" }));
  });
  it("may be bound to what has no codec, as long as no root needs it", () => {
    const spec = specOf({ generic: ["A"], params: { n: "Int" } });
    const bindings = [{ name: "A", type: { Function: { params: [], result: "Int" } } }] as const;
    expect(carriedCodecs(spec, { bindings, declarations: new Map() }).params[0]?.codec.decode("1")).toBe(1n);
  });
});
