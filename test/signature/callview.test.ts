/** Call views against what is served: R25a, R25b, R36. */
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { schemaOf } from "../../src/schema/schema.ts";
import { type CallView, readCallView } from "../../src/signature/callview.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";
import {
  codeOf,
  dict,
  func,
  host,
  list,
  named,
  nondata,
  option,
  param,
  record,
  refusalOf,
  type SpecParts,
  set,
  spec,
  sum,
  task,
  tuple,
} from "../types/build.ts";

type Json = Record<string, JsonValue>;

const doc = (changes: Json = {}): Json =>
  record(
    "Doc",
    { id: "Text", tags: set("Text"), next: option(named("d")) },
    { identity: "github.com/acme/docs@1.2.0/d.flow.Doc", ...changes },
  );
const fault = (constructors: Json = { Empty: null, Bad: ["Text"], Worse: { why: "Text", where: named("d") } }, changes: Json = {}): Json =>
  sum("Fault", constructors, { identity: "github.com/acme/docs@1.2.0/f.flow.Fault", ...changes });
const pair = (id: string, changes: Json = {}): Json =>
  record(
    "Pair",
    { a: param(id, 0), b: option(param(id, 1)) },
    { generic: ["A", "B"], identity: "github.com/acme/docs@1.2.0/p.flow.Pair", ...changes },
  );

const served: SpecParts = {
  generic: ["T", "U"],
  params: { items: list(param("tool", 0)), near: named("d") },
  ok: option(named("p", param("tool", 0), param("tool", 1))),
  err: named("f"),
  declarations: { d: doc(), f: fault(), p: pair("p") },
};

interface ViewParts {
  readonly bindings?: Json;
  readonly params?: Json;
  readonly ok?: JsonValue;
  readonly err?: JsonValue;
  readonly declarations?: Json;
}

function types(parts: ViewParts = {}): Json {
  const entries = (named: Json): JsonValue[] => Object.entries(named).map(([name, type]) => ({ name, type }));
  return {
    bindings: entries(parts.bindings ?? { T: "Int", U: "Text" }),
    params: entries(parts.params ?? { items: list("Int"), near: named("d") }),
    ok: parts.ok ?? option(named("p", "Int", "Text")),
    err: parts.err ?? named("f"),
    declarations: parts.declarations ?? { d: doc(), f: fault(), p: pair("p") },
  };
}

/** The schema that goes with a view. */
function schemaFor(view: Json): JsonObject {
  const read = readTypesView(view);
  return schemaOf(read.ok, read.declarations);
}

function read(view: Json, schema?: JsonValue, by: SpecParts = served): CallView {
  return readCallView({ types: view, schema: schema ?? schemaFor(view) }, readTypeSpec(spec(by)));
}

const refused = (view: Json, schema?: JsonValue, by?: SpecParts): { code: string; at: unknown; message: string } | undefined =>
  refusalOf(() => read(view, schema, by));

/** A view that passes every structural check on its own, with a schema that may be anything. */
const refusedAt = (parts: ViewParts, by?: SpecParts): unknown => {
  const { code, at } = refused(types(parts), {}, by) ?? { code: "valid", at: "" };
  return [code, at];
};

describe("a view that fits", () => {
  it("is read whole", () => {
    const view = read(types());
    expect(view.bindings).toEqual([
      { name: "T", type: "Int" },
      { name: "U", type: "Text" },
    ]);
    expect(view.params.map((p) => p.name)).toEqual(["items", "near"]);
    expect(view.ok).toEqual({ Option: { Named: { declaration: "p", args: ["Int", "Text"] } } });
    expect([...view.declarations.keys()]).toEqual(["d", "f", "p"]);
    expect(view.schema).toEqual(schemaFor(types()));
  });

  it("may use other local ids, even the served ones for other templates", () => {
    const declarations = {
      p: doc({ fields: record("x", { id: "Text", tags: set("Text"), next: option(named("p")) })["fields"] as JsonValue }),
      d: fault({ Empty: null, Bad: ["Text"], Worse: { why: "Text", where: named("p") } }),
      f: pair("f"),
    };
    const view = types({
      params: { items: list("Int"), near: named("p") },
      ok: option(named("f", "Int", "Text")),
      err: named("d"),
      declarations,
    });
    expect(codeOf(() => read(view))).toBe("valid");
  });

  it.each([
    ["other docs", { d: doc({ doc: "Something else." }), f: fault(), p: pair("p") }],
    ["other names for a declaration's own parameters", { d: doc(), f: fault(), p: pair("p", { generic: ["X", "Y"] }) }],
    ["another version (R36)", { d: doc({ identity: "github.com/acme/docs@1.3.0/d.flow.Doc" }), f: fault(), p: pair("p") }],
    ["no version at all (R36)", { d: doc({ identity: "github.com/acme/docs/d.flow.Doc" }), f: fault(), p: pair("p") }],
    ["another display name", { d: doc({ name: "Page" }), f: fault(), p: pair("p") }],
  ])("may have %s", (_, declarations) => {
    expect(codeOf(() => read(types({ declarations })))).toBe("valid");
  });

  it("may have other docs in its schema", () => {
    const view = types({ declarations: { d: doc({ doc: "New." }), f: fault(), p: pair("p", { doc: "Pairs." }) } });
    expect(codeOf(() => read(view, schemaFor(types())))).toBe("valid");
    expect(codeOf(() => read(types(), schemaFor(view)))).toBe("valid");
  });

  it("may bind a caller-private type, validated and no more", () => {
    const mine = sum("Mine", { A: null, B: [list(named("m"))] }, { identity: "app.flow.Mine", lexical_ordinal: 3n });
    const declarations = { d: doc(), f: fault(), p: pair("p"), m: mine };
    const view = types({
      bindings: { T: named("m"), U: "Text" },
      params: { items: list(named("m")), near: named("d") },
      ok: option(named("p", named("m"), "Text")),
      declarations,
    });
    expect(codeOf(() => read(view))).toBe("valid");
  });

  it("may bind a type with a served identity under another ordinal, where the served one is there too", () => {
    const mine = doc({ lexical_ordinal: 2n, fields: [] });
    const bound = (declarations: Json): ViewParts => ({
      bindings: { T: named("m"), U: "Text" },
      params: { items: list(named("m")), near: named("d") },
      ok: option(named("p", named("m"), "Text")),
      declarations,
    });
    expect(codeOf(() => read(types(bound({ d: doc(), f: fault(), p: pair("p"), m: mine }))))).toBe("valid");
    const instead = types({
      params: { items: list("Int"), near: named("d") },
      declarations: { d: doc({ lexical_ordinal: 2n }), f: fault(), p: pair("p") },
    });
    expect(refused(instead)).toMatchObject({ code: "conflict", at: "/types/declarations/d/lexical_ordinal" });
  });

  it("may bind what has no codec, where no root holds it (R25a)", () => {
    const by: SpecParts = {
      generic: ["T"],
      params: { g: named("g", param("tool", 0)) },
      ok: "Int",
      declarations: { g: record("Ghost", {}, { generic: ["A"] }) },
    };
    for (const bound of [func(["Int"], "Text"), task(func([], "Unit")), named("n"), named("o"), set(named("h"))]) {
      const all: Json = { n: nondata("N"), o: record("O", {}, { opaque: true }), h: host("H") };
      const used = Object.keys(all).filter((id) => JSON.stringify(bound).includes(`"${id}"`));
      const declarations = {
        g: record("Ghost", {}, { generic: ["A"] }),
        ...Object.fromEntries(used.map((id) => [id, all[id] as JsonValue])),
      };
      const view = types({ bindings: { T: bound }, params: { g: named("g", bound) }, ok: "Int", err: "Never", declarations });
      expect(codeOf(() => read(view, { type: "integer" }, by))).toBe("valid");
    }
  });

  it("of a Tool that is not generic is the Tool's own", () => {
    const plain = readTypeSpec(spec({ params: { x: "Int" }, ok: named("d"), declarations: { d: doc() } }));
    const view = readCallView({}, plain);
    expect(view).toEqual({
      bindings: [],
      params: plain.params,
      ok: plain.ok,
      err: plain.err,
      declarations: plain.declarations,
      schema: undefined,
    });
    expect(refusalOf(() => readCallView({ schema: { type: "integer" } }, plain))).toMatchObject({ code: "member", at: "/schema" });
    expect(refusalOf(() => readCallView({ types: types() }, plain))).toMatchObject({ code: "member", at: "/types" });
    expect(refusalOf(() => readCallView({ schema: null, types: null }, plain))).toMatchObject({ code: "member" });
  });
});

describe("a view that does not fit", () => {
  const spec_ = readTypeSpec(spec(served));

  it("is missing or null", () => {
    expect(refusalOf(() => readCallView({}, spec_))).toMatchObject({ code: "member", at: "" });
    expect(refusalOf(() => readCallView({ types: types() }, spec_))).toMatchObject({ code: "member", at: "" });
    expect(refusalOf(() => readCallView({ schema: {} }, spec_))).toMatchObject({ code: "member", at: "" });
    expect(refusalOf(() => readCallView({ schema: null, types: types() }, spec_))).toMatchObject({ code: "shape", at: "/schema" });
    expect(refusalOf(() => readCallView({ schema: {}, types: null }, spec_))).toMatchObject({ code: "shape", at: "/types" });
  });

  it.each([
    ["a binding renamed", { bindings: { T: "Int", V: "Text" } }, ["mismatch", "/types/bindings/1/name"]],
    ["bindings reordered", { bindings: { U: "Text", T: "Int" } }, ["mismatch", "/types/bindings/0/name"]],
    ["a binding missing", { bindings: { T: "Int" } }, ["mismatch", "/types/bindings"]],
    ["a binding too many", { bindings: { T: "Int", U: "Text", V: "Int" } }, ["mismatch", "/types/bindings/2"]],
    ["a parameter renamed", { params: { list: list("Int"), near: named("d") } }, ["mismatch", "/types/params/0/name"]],
    ["parameters reordered", { params: { near: named("d"), items: list("Int") } }, ["mismatch", "/types/params/0/name"]],
    ["a parameter too many", { params: { items: list("Int"), near: named("d"), more: "Int" } }, ["mismatch", "/types/params/2"]],
    ["a parameter at another type", { params: { items: list("Text"), near: named("d") } }, ["mismatch", "/types/params/0/type/List"]],
    ["a parameter of another form", { params: { items: set("Int"), near: named("d") } }, ["mismatch", "/types/params/0/type"]],
    ["the success type's arguments swapped", { ok: option(named("p", "Text", "Int")) }, ["mismatch", "/types/ok/Option/Named/args/0"]],
    ["the success type bare", { ok: named("p", "Int", "Text") }, ["mismatch", "/types/ok"]],
    [
      "another error type",
      {
        err: named("e"),
        declarations: { d: doc(), p: pair("p"), e: fault(undefined, { identity: "github.com/acme/docs@1.2.0/g.flow.Fault" }) },
      },
      ["mismatch", "/types/err/Named/declaration"],
    ],
    [
      "a field missing",
      { declarations: { d: doc({ fields: [] }), f: fault(), p: pair("p") } },
      ["conflict", "/types/declarations/d/fields"],
    ],
    [
      "another kind",
      { declarations: { d: doc(), f: record("Fault", { x: named("d") }, { identity: fault()["identity"] as string }), p: pair("p") } },
      ["conflict", "/types/declarations/f/kind"],
    ],
    [
      "made opaque",
      { declarations: { d: doc({ opaque: true }), f: fault({ Empty: null }), p: pair("p") } },
      ["conflict", "/types/declarations/d/opaque"],
    ],
    [
      "a constructor renamed",
      { declarations: { d: doc(), f: fault({ Empty: null, Wrong: ["Text"], Worse: { why: "Text", where: named("d") } }), p: pair("p") } },
      ["conflict", "/types/declarations/f/constructors/1/name"],
    ],
    [
      "a constructor missing",
      { declarations: { d: doc(), f: fault({ Empty: null, Bad: ["Text"] }), p: pair("p") } },
      ["conflict", "/types/declarations/f/constructors"],
    ],
    [
      "a constructor too many",
      {
        declarations: {
          d: doc(),
          f: fault({ Empty: null, Bad: ["Text"], Worse: { why: "Text", where: named("d") }, More: null }),
          p: pair("p"),
        },
      },
      ["conflict", "/types/declarations/f/constructors/3"],
    ],
    [
      "a payload of another form",
      {
        declarations: {
          d: doc(),
          f: fault({ Empty: null, Bad: { text: "Text" }, Worse: { why: "Text", where: named("d") } }),
          p: pair("p"),
        },
      },
      ["conflict", "/types/declarations/f/constructors/1/payload"],
    ],
    [
      "a payload with more parts",
      {
        declarations: {
          d: doc(),
          f: fault({ Empty: null, Bad: ["Text", "Text"], Worse: { why: "Text", where: named("d") } }),
          p: pair("p"),
        },
      },
      ["conflict", "/types/declarations/f/constructors/1/payload"],
    ],
    [
      "a part retyped",
      { declarations: { d: doc(), f: fault({ Empty: null, Bad: ["Bytes"], Worse: { why: "Text", where: named("d") } }), p: pair("p") } },
      ["conflict", "/types/declarations/f/constructors/1/payload/positional/0"],
    ],
    [
      "a named part renamed",
      { declarations: { d: doc(), f: fault({ Empty: null, Bad: ["Text"], Worse: { how: "Text", where: named("d") } }), p: pair("p") } },
      ["conflict", "/types/declarations/f/constructors/2/payload/named/0/name"],
    ],
    [
      "a part of another declaration",
      {
        declarations: {
          d: doc(),
          x: doc({ identity: "x.flow.X" }),
          f: fault({ Empty: null, Bad: ["Text"], Worse: { why: "Text", where: named("x") } }),
          p: pair("p"),
        },
      },
      ["conflict", "/types/declarations/f/constructors/2/payload/named/1/type/Named/declaration"],
    ],
    [
      "a member at the instantiated body",
      {
        declarations: {
          d: doc(),
          f: fault(),
          p: pair("p", { fields: record("x", { a: "Int", b: option("Text") })["fields"] as JsonValue }),
        },
      },
      ["conflict", "/types/declarations/p/fields/0/type"],
    ],
    [
      "a member's parameters swapped",
      {
        declarations: {
          d: doc(),
          f: fault(),
          p: pair("p", { fields: record("x", { a: param("p", 1), b: option(param("p", 0)) })["fields"] as JsonValue }),
        },
      },
      ["conflict", "/types/declarations/p/fields/0/type"],
    ],
  ] as [string, ViewParts, [string, string]][])("%s", (_, parts, expected) => {
    expect(refusedAt(parts)).toEqual(expected);
  });

  it("has another arity in a template", () => {
    const by: SpecParts = {
      generic: ["T"],
      ok: param("tool", 0),
      params: { g: named("g", "Int") },
      declarations: { g: record("G", {}, { generic: ["A"] }) },
    };
    const view = types({
      bindings: { T: "Int" },
      params: { g: named("g", "Int", "Int") },
      ok: "Int",
      err: "Never",
      declarations: { g: record("G", {}, { generic: ["A", "B"] }) },
    });
    expect(refused(view, { type: "integer" }, by)).toMatchObject({ code: "conflict", at: "/types/declarations/g/generic" });
  });

  it("has a fault of its own, placed in the call", () => {
    expect(refusedAt({ ok: option(named("q")) })).toEqual(["unresolved", "/types/ok/Option"]);
    expect(refusedAt({ bindings: { T: param("tool", 0), U: "Text" } })).toEqual(["free-param", "/types/bindings/0/type"]);
    expect(refusedAt({ declarations: { d: doc(), f: fault(), p: pair("p"), x: host("X") } })).toEqual([
      "disconnected",
      "/types/declarations/x",
    ]);
  });

  it("binds what may not travel in a root", () => {
    const by: SpecParts = { generic: ["T"], params: { x: set(param("tool", 0)) }, ok: "Int" };
    const view = (bound: JsonValue, declarations: Json = {}): Json =>
      types({ bindings: { T: bound }, params: { x: set(bound) }, ok: "Int", err: "Never", declarations });
    expect(codeOf(() => read(view("Int"), { type: "integer" }, by))).toBe("valid");
    expect(refused(view(func([], "Int")), { type: "integer" }, by)).toMatchObject({ code: "crossing", at: "/types/params/0/type/Set" });
    expect(refused(view(named("h"), { h: host("H") }), { type: "integer" }, by)).toMatchObject({
      code: "crossing",
      at: "/types/params/0/type/Set",
    });
  });

  it("says which type was expected and which was met", () => {
    expect(refused(types({ params: { items: list("Text"), near: named("d") } }), {})?.message).toBe(
      "expected List<Int>, as served at these bindings at /types/params/0/type/List, met List<Text>",
    );
  });
});

describe("every form of a served term", () => {
  const forms: [name: string, make: (inner: JsonValue, other: JsonValue) => JsonValue][] = [
    ["List", (x) => list(x)],
    ["Set", (x) => set(x)],
    ["Option", (x) => option(x)],
    ["Tuple", (x, y) => tuple(y, x)],
    ["Dict", (x, y) => dict(y, x)],
    ["an argument", (x) => named("g", x)],
    ["a Task in a phantom", (x) => named("g", task(x))],
    ["a Function's result in a phantom", (x, y) => named("g", func([y], x))],
    ["a Function's parameter in a phantom", (x, y) => named("g", func([x], y))],
  ];
  const g = record("Ghost", {}, { generic: ["A"] });
  const at = (term: JsonValue): Json =>
    JSON.stringify(term, (_, v) => (typeof v === "bigint" ? String(v) : v)).includes('"g"') ? { g } : {};

  it.each(forms)("%s", (_, make) => {
    const by: SpecParts = {
      generic: ["T"],
      params: { x: make(param("tool", 0), "Bool") },
      ok: "Int",
      declarations: at(make("Int", "Bool")),
    };
    const view = (term: JsonValue): Json =>
      types({ bindings: { T: "Int" }, params: { x: term }, ok: "Int", err: "Never", declarations: at(term) });
    expect(codeOf(() => read(view(make("Int", "Bool")), { type: "integer" }, by))).toBe("valid");
    for (const other of [make("Text", "Bool"), make("Int", "Unit"), "Int", tuple("Int", "Int", "Int"), list(list("Int"))]) {
      const same = JSON.stringify(other) === JSON.stringify(make("Int", "Bool"));
      expect(codeOf(() => read(view(other), { type: "integer" }, by))).toBe(same ? "valid" : "mismatch");
    }
  });
});

describe("the schema", () => {
  const odd: [name: string, schema: JsonValue][] = [
    ["of another type", { type: "integer" }],
    ["empty", {}],
    ["no object", "integer"],
    ["an array", []],
    ["with a $param", { $param: "T" }],
  ];
  it.each(odd)("%s is refused", (_, schema) => {
    expect(refused(types(), schema)).toMatchObject({ code: "mismatch" });
  });

  it("must agree to the last member", () => {
    const right = schemaFor(types()) as Json;
    const [key, body] = Object.entries(right["$defs"] as JsonObject)[0] as [string, Json];
    expect(refused(types(), { ...right, $defs: { ...(right["$defs"] as JsonObject), extra: {} } })).toMatchObject({
      code: "mismatch",
      at: "/schema/$defs/extra",
    });
    expect(refused(types(), { ...right, $defs: { [key.replace("@1.2.0", "")]: body } })).toMatchObject({
      code: "mismatch",
      at: "/schema/$defs",
    });
    expect(refused(types(), { ...right, $defs: { [key]: { ...body, required: ["a", "b"] } } })?.at).toContain("/required");
    expect(refused(types(), { ...right, title: "x" })).toMatchObject({ code: "mismatch", at: "/schema/title" });
    expect(refused(types(), { ...right, description: 5n })).toMatchObject({ code: "mismatch", at: "/schema/description" });
  });

  it("is not projected further than what was sent: a small view cannot ask for a huge schema", () => {
    const by: SpecParts = { generic: ["T"], params: {}, ok: param("tool", 0) };
    const declarations: Json = {};
    for (let i = 0; i < 40; i++) {
      const id = `t${i}`;
      const fields: Json =
        i === 39 ? { x: param(id, 0) } : { x: named(`t${i + 1}`, list(param(id, 0))), y: named(`t${i + 1}`, set(param(id, 0))) };
      declarations[id] = record(`T${i}`, fields, { generic: ["A"] });
    }
    const bound = named("t0", "Int");
    expect(
      refused(types({ bindings: { T: bound }, params: {}, ok: bound, err: "Never", declarations }), { type: "integer" }, by),
    ).toMatchObject({
      code: "mismatch",
      at: "/schema",
    });
  });

  it("nested beyond every projection is refused, not met by the end of the stack", () => {
    let deep: JsonValue = { type: "integer" };
    for (let i = 0; i < 50_000; i++) deep = { type: "array", items: deep };
    expect(refused(types(), deep)).toMatchObject({ code: "mismatch" });
  });
});

describe("names in a view", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("make the host look up, load or select nothing", () => {
    const reached: string[] = [];
    const trap = (name: string) => (): never => {
      reached.push(name);
      throw new Error(name);
    };
    for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "Worker", "importScripts", "require"]) vi.stubGlobal(name, trap(name));
    for (const identity of [
      "file:///etc/passwd",
      "https://evil.example/x.flow.T",
      "node:fs",
      "../../src/index.ts",
      "data:text/javascript,0",
    ]) {
      const mine = record("T", { constructor: "Int" }, { identity });
      const declarations = { d: doc(), f: fault(), p: pair("p"), m: mine };
      const view = types({
        bindings: { T: named("m"), U: "Text" },
        params: { items: list(named("m")), near: named("d") },
        ok: option(named("p", named("m"), "Text")),
        declarations,
      });
      expect(codeOf(() => read(view))).toBe("valid");
    }
    expect(reached).toEqual([]);
  });

  it("could not: these rooms neither import at run time nor touch the network or files", () => {
    for (const room of ["types", "schema", "signature"]) {
      const folder = new URL(`../../src/${room}/`, import.meta.url);
      for (const file of readdirSync(folder)) {
        const code = readFileSync(new URL(file, folder), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
        expect([file, /\bimport\s*\(|\brequire\s*\(|\bfetch\b|\bnew Function\b|\beval\b|XMLHttpRequest|"node:/.exec(code)?.[0]]).toEqual([
          file,
          undefined,
        ]);
      }
    }
  });
});
