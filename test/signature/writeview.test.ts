/** The caller's views: what `writeCallViews` writes, `readCallView` accepts (R25a, R25b, R36). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/json/read.ts";
import type { JsonValue } from "../../src/json/value.ts";
import { schemaOf } from "../../src/schema/schema.ts";
import { type CallView, readCallView } from "../../src/signature/callview.ts";
import { withoutVersion } from "../../src/signature/identity.ts";
import { type GenericTypes, writeCallViews } from "../../src/signature/writeview.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";
import type { Declarations, Template, Term, TypeSpec } from "../../src/types/terms.ts";
import { innerTerms } from "../../src/types/walk.ts";
import { typeSpecJson } from "../../src/types/write.ts";
import {
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
import { type Random, randomFrom, randomSpec } from "../types/random.ts";

const DEEP = { depth: 1_000 };

/** What the Tool's side makes of the views that a caller writes. */
function sent(served: TypeSpec, types: GenericTypes, known: TypeSpec = served): CallView {
  const { schema, types: view } = writeCallViews(known, types);
  return readCallView({ schema: parseJson(schema, DEEP), types: parseJson(view, DEEP) }, served);
}

/** Templates as a caller has them. */
function declared(declarations: Record<string, JsonValue>): Declarations {
  const terms = Object.keys(declarations).map((id) => [id, declarations[id] as Record<string, JsonValue>] as const);
  const args = (template: Record<string, JsonValue>): JsonValue[] => (template["generic"] as JsonValue[]).map(() => "Int");
  const roots = terms.map(([id, template]) => ({ name: id, type: named(id, ...args(template)) }));
  return readTypesView({ bindings: roots, params: [], ok: "Unit", err: "Never", declarations }).declarations;
}

/** A description under other local ids, another version, and with other docs. */
function renamed(served: TypeSpec, rename: (id: string) => string, version: string): TypeSpec {
  const walk = (json: JsonValue, key = ""): JsonValue => {
    if (typeof json === "string") {
      if (key === "declaration" || (key === "owner" && json !== "tool")) return rename(json);
      if (key === "identity") return json.replace("@1.0.0", `@${version}`);
      return key === "doc" ? "Another doc." : json;
    }
    if (Array.isArray(json)) return json.map((item: JsonValue) => walk(item));
    if (typeof json !== "object" || json === null) return json;
    return Object.fromEntries(
      Object.entries(json).map(([name, value]) => [
        key === "declarations" ? rename(name) : name,
        // What stands below the map is a template whatever its id is.
        walk(value as JsonValue, key === "declarations" ? "template" : name),
      ]),
    );
  };
  return readTypeSpec(walk(typeSpecJson(served)));
}

const box = (id: string, changes = {}) => record("Box", { item: param(id, 0) }, { generic: ["A"], ...changes });

/** A Tool whose `d` and `b` every caller may know under other names. */
const tool = (parts: SpecParts = {}): TypeSpec =>
  readTypeSpec(
    spec({
      generic: ["T"],
      params: { it: param("tool", 0), near: named("d") },
      ok: named("b", param("tool", 0)),
      declarations: { d: record("Doc", { id: "Text", next: option(named("d")) }), b: box("b") },
      ...parts,
    }),
  );

/** The name of a template that both sides have for it. */
const nameOf = ({ identity, lexical_ordinal }: Template): string => `${withoutVersion(identity)}#${lexical_ordinal}`;

/** A term without local ids, its type parameters replaced. */
function spelled(term: Term, declarations: Declarations, bound: readonly string[] = []): string {
  if (typeof term === "string") return term;
  if ("Param" in term) return bound[term.Param.index] as string;
  const inner = innerTerms(term).map((part) => spelled(part, declarations, bound));
  const head = "Named" in term ? nameOf(declarations.get(term.Named.declaration) as Template) : Object.keys(term)[0];
  return `${head}(${inner.join()})`;
}

/** Bindings to types of the caller's own, whose local ids are those of served templates. */
function randomTypes(random: Random, seed: number, { generic }: TypeSpec): GenericTypes {
  const own = readTypeSpec(randomSpec(seed + 1, { functions: true }));
  const foreign = (template: Template): Template => ({ ...template, identity: template.identity.replace("r@", "caller@") });
  const concrete = [own.ok, own.err, ...own.params.map(({ type }) => type)].filter((term) => !JSON.stringify(term).includes('"Param"'));
  const plain: Term[] = ["Int", "Text", { Option: "Bool" }, { List: "Decimal" }, { Function: { params: ["Int"], result: "Text" } }];
  const pick = (): Term => {
    const from = concrete.length === 0 || random(3) === 0 ? plain : concrete;
    return from[random(from.length)] as Term;
  };
  return {
    bindings: Object.fromEntries(generic.map((name) => [name, pick()])),
    declarations: new Map([...own.declarations].map(([id, template]) => [id, foreign(template)])),
  };
}

/** The view, or `undefined` where the bindings make something of the Tool that cannot cross. */
function unlessCrossing(run: () => CallView): CallView | undefined {
  let view: CallView | undefined;
  const refusal = refusalOf(() => {
    view = run();
  });
  if (refusal !== undefined) expect(refusal, refusal.message).toMatchObject({ code: "crossing" });
  return view;
}

describe("what is written", () => {
  it("is accepted, for random Tools at random bindings, and says the signature with the bindings in place", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const served = readTypeSpec(randomSpec(seed, { functions: random(2) === 0 }));
        if (served.generic.length === 0) return;
        const types = randomTypes(random, seed, served);
        const view = unlessCrossing(() => sent(served, types));
        if (view === undefined) return;
        accepted++;
        const bound = served.generic.map((name) => spelled(types.bindings[name] as Term, types.declarations as Declarations));
        const expected = (term: Term) => spelled(term, served.declarations, bound);
        const met = (term: Term) => spelled(term, view.declarations);
        expect(view.bindings.map(({ name, type }) => [name, met(type)])).toEqual(served.generic.map((name, i) => [name, bound[i]]));
        expect(view.params.map(({ name, type }) => [name, met(type)])).toEqual(
          served.params.map(({ name, type }) => [name, expected(type)]),
        );
        expect([met(view.ok), met(view.err)]).toEqual([expected(served.ok), expected(served.err)]);
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("is accepted by what serves another version, under other local ids and with other docs", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = randomFrom(seed);
        const known = readTypeSpec(randomSpec(seed));
        if (known.generic.length === 0) return;
        // Ids of the one description are ids of other templates in the other.
        const ids = [...known.declarations.keys()];
        const served = renamed(known, (id) => ids[(ids.indexOf(id) + 1) % ids.length] as string, "2.7.1-rc.1");
        const types = randomTypes(random, seed, known);
        if (unlessCrossing(() => sent(served, types, known)) !== undefined) accepted++;
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(70);
  });

  it("is canonical: equal types give equal texts, whatever order a caller's map is in", () => {
    const mine = declared({ m: record("Mine", { other: option(named("o")) }), o: record("Other", {}) });
    const types = { bindings: { T: { Named: { declaration: "m", args: [] } } } };
    const turned = new Map([...mine].reverse());
    expect(writeCallViews(tool(), { ...types, declarations: mine })).toEqual(writeCallViews(tool(), { ...types, declarations: turned }));
  });
});

const T = (type: Term, declarations?: Declarations): GenericTypes => ({
  bindings: { T: type },
  ...(declarations === undefined ? {} : { declarations }),
});
const own = (id: string): Term => ({ Named: { declaration: id, args: [] } });

describe("declarations", () => {
  it("of the caller's that have served local ids get others", () => {
    // Both of the ids that are taken, an id that a new one could take, and a recursion through them.
    const mine = declared({
      d: record("Mine", { b: named("b"), again: option(named("d")) }, { identity: "c.flow.Mine" }),
      b: sum("Own", { A: [named("d_1"), option(named("d"))], B: { d: list(named("d")) } }, { identity: "c.flow.Own" }),
      d_1: record("Third", {}, { identity: "c.flow.Third" }),
    });
    const view = sent(tool(), T(own("d"), mine));
    const names = [...view.declarations.values()].map(nameOf).sort();
    expect(names).toEqual(["c.flow.Mine#1", "c.flow.Own#1", "c.flow.Third#1", "r/m.flow.Box#1", "r/m.flow.Doc#1"]);
    expect(spelled(view.ok, view.declarations)).toBe("r/m.flow.Box#1(c.flow.Mine#1())");
    const member = [...view.declarations.values()].find(({ name }) => name === "Own");
    const parts =
      member?.kind === "enum"
        ? member.constructors.flatMap(({ payload }) => (payload !== null && "positional" in payload ? payload.positional : []))
        : [];
    expect(parts.map((part) => spelled(part, view.declarations))).toEqual(["c.flow.Third#1()", "Option(c.flow.Mine#1())"]);
  });

  it("that both know are one template, whatever ids, versions and docs they have", () => {
    const doc = (id: string, changes = {}) => record("Doc", { id: "Text", next: option(named(id)) }, changes);
    const mine = declared({
      b: doc("b", { doc: "As the caller reads it.", identity: "r@2.0.0/m.flow.Doc" }),
      x: record("Mine", { doc: named("b"), boxed: named("d", named("b")) }, { identity: "c.flow.Mine" }),
      d: box("d", { generic: ["Other"] }),
    });
    const view = sent(tool(), T(own("x"), mine));
    expect([...view.declarations.values()].map(nameOf).sort()).toEqual(["c.flow.Mine#1", "r/m.flow.Box#1", "r/m.flow.Doc#1"]);
    expect(spelled(sent(tool(), T(own("b"), mine)).ok, view.declarations)).toBe("r/m.flow.Box#1(r/m.flow.Doc#1())");
  });

  it("of one identity under another ordinal stay apart", () => {
    const mine = declared({ d: record("Doc", { other: "Int" }, { lexical_ordinal: 2n }) });
    const view = sent(tool(), T(own("d"), mine));
    expect([...view.declarations.values()].map(nameOf).sort()).toEqual(["r/m.flow.Box#1", "r/m.flow.Doc#1", "r/m.flow.Doc#2"]);
  });

  it("that contradict the Tool's are refused: the caller's values are none of the served type", () => {
    for (const [changed, at] of [
      [record("Doc", { id: "Int", next: option(named("x")) }), "fields"],
      [record("Doc", { next: option(named("x")), id: "Text" }), "order"],
      [record("Doc", { id: "Text", next: option(named("x")) }, { opaque: true }), "opacity"],
      [sum("Doc", { id: ["Text"] }), "kind"],
      [record("Doc", { id: "Text", next: option(named("x", "Int")) }, { generic: ["A"] }), "arity"],
      [host("Doc"), "body"],
    ] as const) {
      const args: Term[] = (changed["generic"] as string[]).map(() => "Int");
      const mine = declared({ x: changed });
      expect(
        refusalOf(() => sent(tool(), T({ Named: { declaration: "x", args } }, mine))),
        at,
      ).toMatchObject({ code: "conflict", at: "/declarations/x" });
    }
    const another = declared({
      x: record("Doc", { id: "Text", next: option(named("y")) }),
      y: record("Doc", { id: "Text" }, { identity: "c.flow.Doc" }),
    });
    expect(refusalOf(() => sent(tool(), T(own("x"), another)))).toMatchObject({ code: "conflict" });
  });

  it("that no root reaches are left out, those that only a phantom argument names are not", () => {
    const served = tool({
      ok: named("g", param("tool", 0)),
      params: { n: "Int" },
      declarations: { g: record("Ghost", { n: "Int" }, { generic: ["P"] }) },
    });
    const mine = declared({ m: record("Mine", {}, { identity: "c.flow.Mine" }), n: record("Unused", {}, { identity: "c.flow.Unused" }) });
    const view = sent(served, T(own("m"), mine));
    expect([...view.declarations.values()].map(nameOf).sort()).toEqual(["c.flow.Mine#1", "r/m.flow.Ghost#1"]);
    expect(Object.keys((view.schema as { $defs: object }).$defs)).toEqual(["r@1.0.0/m.flow.Ghost<c.flow.Mine>"]);
  });

  it("may be named by the local ids of the program's own description", () => {
    expect(spelled(sent(tool(), T(own("d"))).ok, tool().declarations)).toBe("r/m.flow.Box#1(r/m.flow.Doc#1())");
  });
});

describe("bindings without a codec", () => {
  const phantom = tool({
    params: { n: "Int" },
    ok: named("g", param("tool", 0)),
    declarations: { g: record("Ghost", { n: "Int" }, { generic: ["P"] }) },
  });

  it.each([
    ["a function", func(["Int"], task("Text")), {}],
    ["a Task", task("Int"), {}],
    ["a nondata type", named("x"), { x: nondata("Stream", { identity: "c.flow.Stream" }) }],
    ["an opaque type", named("x"), { x: record("Secret", {}, { opaque: true, identity: "c.flow.Secret" }) }],
    ["a host type", named("x"), { x: host("Page", { identity: "c.flow.Page" }) }],
    ["a set of what has no order", set(task("Int")), {}],
    ["Never", "Never", {}],
  ] as [string, JsonValue, Record<string, JsonValue>][])(
    "%s describes, and refuses nothing where no root is of it",
    (_, type, declarations) => {
      const view = sent(phantom, T(type as Term, declared(declarations)));
      expect(view.bindings).toHaveLength(1);
      expect(view.schema).toEqual(schemaOf(view.ok, view.declarations));
    },
  );

  it.each([
    ["a function in a parameter", func([], "Int"), {}],
    ["a Task", task("Int"), {}],
    ["an opaque type in a success", named("x"), { x: record("Secret", {}, { opaque: true, identity: "c.flow.Secret" }) }],
  ] as [string, JsonValue, Record<string, JsonValue>][])("%s is refused where a value would be of it", (_, type, declarations) => {
    expect(refusalOf(() => sent(tool(), T(type as Term, declared(declarations))))).toMatchObject({ code: "crossing" });
  });

  it("items of a set without an order are found once they are bound", () => {
    const served = tool({ ok: "Unit", params: { s: set(param("tool", 0)), d: dict(param("tool", 0), "Int") }, declarations: {} });
    expect(refusalOf(() => sent(served, T(own("x"), declared({ x: host("Page") }))))).toMatchObject({ code: "crossing" });
    expect(sent(served, T({ Tuple: ["Int", "Text"] })).params).toHaveLength(2);
  });
});

describe("bindings that are none", () => {
  const types = (bindings: Record<string, unknown>): GenericTypes => ({ bindings: bindings as GenericTypes["bindings"] });

  it.each([
    ["for a Tool that is not generic", readTypeSpec(spec()), types({})],
    ["none at all", tool(), undefined],
    ["one too few", tool(), types({})],
    ["one too many", tool(), types({ T: "Int", U: "Int" })],
    ["another name", tool(), types({ U: "Int" })],
    ["an inherited name", tool({ generic: ["toString"], params: {}, ok: "Unit", declarations: {} }), types({})],
  ])("%s: member", (_, served, given) => {
    expect(refusalOf(() => writeCallViews(served, given))).toMatchObject({ code: "member" });
  });

  it.each([
    ["a name of no type", "Txt", "unknown-term"],
    ["another spelling", { list: "Int" }, "unknown-term"],
    ["two forms at once", { List: "Int", Set: "Int" }, "unknown-term"],
    ["no term", undefined, "unknown-term"],
    ["null", null, "unknown-term"],
    ["a type parameter", { Param: { owner: "tool", index: 0 } }, "free-param"],
    ["a type that is declared nowhere", { Named: { declaration: "nowhere", args: [] } }, "unresolved"],
    ["arguments too few", { Named: { declaration: "b", args: [] } }, "arity"],
    ["a term that is broken inside", { List: { Tuple: ["Int"] } }, "shape"],
  ])("%s is refused by the code a description would be", (_, type, code) => {
    expect(refusalOf(() => sent(tool(), types({ T: type })))).toMatchObject({ code });
  });

  it("leaves what it was given as it was", () => {
    const given = Object.freeze({ T: Object.freeze({ Tuple: Object.freeze(["Int", Object.freeze({ List: "Text" })]) }) });
    expect(
      sent(tool({ params: { p: tuple(param("tool", 0), "Int") }, ok: "Unit", declarations: {} }), types(given)).bindings[0]?.type,
    ).toEqual(given.T);
  });
});
