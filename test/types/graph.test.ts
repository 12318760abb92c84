/** References, owners, arities, conflicts and the exact closure. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { readConcreteType } from "../../src/types/concrete.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";
import { reachable, reachableDeclarations } from "../../src/types/walk.ts";
import {
  codeOf,
  func,
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
} from "./build.ts";

const box = record("Box", { item: param("box", 0) }, { generic: ["A"] });
const leaf = record("Leaf", {});

describe("references", () => {
  const cases: [name: string, parts: SpecParts, code: string, at: string][] = [
    ["no such template", { ok: list(named("leaf")) }, "unresolved", "/ok/List"],
    ["in a parameter", { params: { x: tuple("Int", named("no")) }, declarations: {} }, "unresolved", "/params/0/type/Tuple/1"],
    ["an identity is no local id", { ok: named("r@1.0.0/m.flow.Leaf"), declarations: { leaf } }, "unresolved", "/ok"],
    [
      "in a member",
      { ok: named("a"), declarations: { a: record("A", { x: option(named("b")) }) } },
      "unresolved",
      "/declarations/a/fields/0/type/Option",
    ],
    [
      "in a payload",
      { ok: named("a"), declarations: { a: sum("A", { B: ["Int", named("b")] }) } },
      "unresolved",
      "/declarations/a/constructors/0/payload/positional/1",
    ],
    [
      "in a named payload",
      { ok: named("a"), declarations: { a: sum("A", { N: null, B: { x: named("b") } }) } },
      "unresolved",
      "/declarations/a/constructors/1/payload/named/0/type",
    ],
    ["in an argument", { ok: named("box", set(named("b"))), declarations: { box } }, "unresolved", "/ok/Named/args/0/Set"],
    [
      "in a Function",
      { ok: named("box", func([named("b")], "Int")), declarations: { box } },
      "unresolved",
      "/ok/Named/args/0/Function/params/0",
    ],
    [
      "in a Function's result",
      { ok: named("box", func([], named("b"))), declarations: { box } },
      "unresolved",
      "/ok/Named/args/0/Function/result",
    ],
    ["too few arguments", { err: named("box"), declarations: { box } }, "arity", "/err"],
    ["too many arguments", { err: named("leaf", "Int"), declarations: { leaf } }, "arity", "/err"],
    [
      "arity in a member",
      { ok: named("a"), declarations: { box, a: record("A", { x: named("box", "Int", "Int") }) } },
      "arity",
      "/declarations/a/fields/0/type",
    ],
    [
      "a template's parameter in a root",
      { ok: param("box", 0), params: { x: named("box", "Int") }, declarations: { box } },
      "owner",
      "/ok",
    ],
    [
      "the Tool's parameter in a template",
      { generic: ["T"], ok: named("a"), declarations: { a: record("A", { x: param("tool", 0) }) } },
      "owner",
      "/declarations/a/fields/0/type",
    ],
    [
      "another template's parameter",
      { ok: named("a", named("box", "Int")), declarations: { box, a: record("A", { x: param("box", 0) }, { generic: ["A"] }) } },
      "owner",
      "/declarations/a/fields/0/type",
    ],
    ["an unknown owner", { ok: param("nobody", 0) }, "owner", "/ok"],
    ["index past the Tool's", { generic: ["T"], ok: param("tool", 1) }, "index", "/ok"],
    ["index without parameters", { ok: param("tool", 0) }, "index", "/ok"],
    [
      "index past the template's",
      { ok: named("box", "Int"), declarations: { box: record("Box", { x: param("box", 1) }, { generic: ["A"] }) } },
      "index",
      "/declarations/box/fields/0/type",
    ],
    ["an unreached template", { declarations: { leaf } }, "disconnected", "/declarations/leaf"],
    [
      "one that only itself reaches",
      { ok: named("leaf"), declarations: { leaf, a: record("A", { x: list(named("a")) }) } },
      "disconnected",
      "/declarations/a",
    ],
    [
      "same identity and ordinal",
      { ok: tuple(named("a"), named("b")), declarations: { a: record("P", {}), b: record("P", { x: "Int" }) } },
      "conflict",
      "/declarations/b",
    ],
    [
      "same identity and ordinal, equal bodies",
      { ok: tuple(named("a"), named("b")), declarations: { a: leaf, b: leaf } },
      "conflict",
      "/declarations/b",
    ],
    [
      "same identity and ordinal, behind another ordinal",
      {
        ok: tuple(named("a"), named("b"), named("c")),
        declarations: { a: record("P", {}), b: record("P", {}, { lexical_ordinal: 2n }), c: record("P", {}, { lexical_ordinal: 2n }) },
      },
      "conflict",
      "/declarations/c",
    ],
  ];
  it.each(cases)("%s", (_, parts, code, at) => {
    expect(refusalOf(() => readTypeSpec(spec(parts)))).toMatchObject({ code, at });
  });

  const valid: [name: string, parts: SpecParts][] = [
    [
      "same identity, other ordinals",
      { ok: tuple(named("a"), named("b")), declarations: { a: record("P", {}), b: record("P", {}, { lexical_ordinal: 2n }) } },
    ],
    [
      "a template whose local id is tool",
      {
        generic: ["T"],
        ok: named("tool", param("tool", 0)),
        declarations: { tool: record("Tool", { x: param("tool", 0) }, { generic: ["A"] }) },
      },
    ],
    [
      "a template reached through a phantom only",
      { ok: named("p", named("leaf")), declarations: { p: record("P", {}, { generic: ["A"] }), leaf } },
    ],
    [
      "one reached through a Function and a Task",
      {
        ok: named("p", func([named("leaf")], task(named("b")))),
        declarations: { p: record("P", {}, { generic: ["A"] }), leaf, b: nondata("B") },
      },
    ],
    ["ids that follow no pattern", { ok: named(""), declarations: { "": leaf } }],
  ];
  it.each(valid)("takes %s", (_, parts) => {
    expect(codeOf(() => readTypeSpec(spec(parts)))).toBe("valid");
  });

  it("puts a place into the sentence, with what was expected and met", () => {
    expect(refusalOf(() => readTypeSpec(spec({ ok: named("box"), declarations: { box } })))?.message).toBe(
      "expected 1 type argument for m.Box at /ok, met 0",
    );
  });

  it("places a fault below the pointer it was given", () => {
    expect(refusalOf(() => readTypeSpec(spec({ ok: named("no") }), "/a/b"))?.at).toBe("/a/b/ok");
    expect(refusalOf(() => readTypeSpec(spec({ declarations: { leaf } }), "/a/b"))?.at).toBe("/a/b/declarations/leaf");
  });
});

describe("concrete terms", () => {
  it("come with exactly what they reach", () => {
    const read = readConcreteType(named("box", named("leaf")), { box, leaf });
    expect(read.type).toEqual({ Named: { declaration: "box", args: [{ Named: { declaration: "leaf", args: [] } }] } });
    expect([...read.declarations.keys()]).toEqual(["box", "leaf"]);
    expect(refusalOf(() => readConcreteType("Int", { leaf }))).toMatchObject({ code: "disconnected", at: "/declarations/leaf" });
  });

  it("hold no Param, whoever owns it", () => {
    for (const owner of ["tool", "box", "nobody"]) {
      expect(refusalOf(() => readConcreteType(list(param(owner, 0)), {}))).toMatchObject({ code: "free-param", at: "/type/List" });
    }
  });

  it("may be what cannot cross, but need an order where one is used", () => {
    expect(codeOf(() => readConcreteType(list(func([], "Int")), {}))).toBe("valid");
    expect(codeOf(() => readConcreteType(task("Int"), {}))).toBe("valid");
    expect(refusalOf(() => readConcreteType(list(set(task("Int"))), {}))).toMatchObject({ code: "crossing", at: "/type/List/Set" });
  });

  it("are read as a whole", () => {
    expect(refusalOf(() => readConcreteType({ List: 5n }, {}))).toMatchObject({ code: "unknown-term", at: "/type/List" });
    expect(refusalOf(() => readConcreteType("Int", []))).toMatchObject({ code: "shape", at: "/declarations" });
  });
});

describe("types views", () => {
  const view = (changes: Record<string, JsonValue> = {}): Record<string, JsonValue> => ({
    bindings: [{ name: "T", type: "Int" }],
    params: [{ name: "x", type: list("Int") }],
    ok: "Int",
    err: "Never",
    declarations: {},
    ...changes,
  });

  it("have concrete bindings and roots", () => {
    expect(codeOf(() => readTypesView(view()))).toBe("valid");
    for (const member of ["ok", "err"]) {
      expect(refusalOf(() => readTypesView(view({ [member]: param("tool", 0) })))).toMatchObject({ code: "free-param", at: `/${member}` });
    }
    const bound = view({ bindings: [{ name: "T", type: option(param("tool", 0)) }] });
    expect(refusalOf(() => readTypesView(bound))).toMatchObject({ code: "free-param", at: "/bindings/0/type/Option" });
  });

  it("keep what only a binding reaches", () => {
    expect(codeOf(() => readTypesView(view({ bindings: [{ name: "T", type: named("leaf") }], declarations: { leaf } })))).toBe("valid");
  });

  it("bind what cannot cross (R25a) and refuse it in a root", () => {
    const bindings = [{ name: "T", type: func(["Int"], "Text") }];
    expect(codeOf(() => readTypesView(view({ bindings })))).toBe("valid");
    expect(refusalOf(() => readTypesView(view({ bindings, ok: func(["Int"], "Text") })))).toMatchObject({ code: "crossing", at: "/ok" });
  });
});

describe("reachability", () => {
  it("follows arguments, Functions, Tasks and members, in order of first reach", () => {
    const declarations = {
      p: record("P", { x: named("q") }, { generic: ["A"] }),
      q: record("Q", {}),
      r: record("R", {}),
      s: sum("S", { A: null, B: [named("q")], C: { x: list(named("u")) } }),
      u: record("U", {}),
      v: record("V", {}),
    };
    const ok = named("p", func([named("r")], task(named("s"))));
    const read = readTypeSpec(spec({ ok, params: { v: named("v") }, declarations }));
    expect([...reachable([read.ok], read.declarations)]).toEqual(["p", "r", "s", "q", "u"]);
    expect([...reachable(["Int", read.params[0]?.type ?? "Int"], read.declarations)]).toEqual(["v"]);
    expect([...reachableDeclarations([read.ok], read.declarations).keys()]).toEqual(["p", "r", "s", "q", "u"]);
  });
});
