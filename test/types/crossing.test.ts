/** R15: what may cross. R12: what has an order. Value positions only (R25a). */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { type CrossingRoot, requireCrossing } from "../../src/types/crossing.ts";
import { checkExpansion } from "../../src/types/expansion.ts";
import { ShapeReader } from "../../src/types/shape.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { substitute, TermTable } from "../../src/types/substitute.ts";
import type { Declarations, Term } from "../../src/types/terms.ts";
import { memberTerms } from "../../src/types/walk.ts";
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
  pruned,
  record,
  refusalOf,
  set,
  spec,
  sum,
  task,
  tuple,
} from "./build.ts";
import { randomDescription, randomFrom } from "./random.ts";

const declarations: Record<string, JsonValue> = {
  page: host("Page"),
  stream: nondata("Stream"),
  secret: record("Secret", {}, { opaque: true }),
  token: host("Token", { opaque: true }),
  box: record("Box", { item: param("box", 0) }, { generic: ["A"] }),
  ghost: record("Ghost", { n: "Int" }, { generic: ["A"] }),
  bag: record("Bag", { items: set(param("bag", 0)) }, { generic: ["A"] }),
  pair: sum("Pair", { P: { key: param("pair", 0), values: dict(param("pair", 1), param("pair", 0)) } }, { generic: ["A", "B"] }),
  outer: record("Outer", { inner: named("bag", named("box", param("outer", 0))) }, { generic: ["A"] }),
  hides: record("Hides", { inner: named("ghost", param("hides", 0)) }, { generic: ["A"] }),
  keeper: record("Keeper", { page: named("page") }),
  vault: record("Vault", { inner: list(named("secret")) }),
};

const fn = func([], "Int");

/** The verdict on one term in one role, with just the templates that it reaches. */
function verdict(role: "param" | "ok" | "err", term: JsonValue): string {
  const parts = role === "param" ? { params: { x: term }, declarations } : { [role]: term, declarations };
  return codeOf(() => readTypeSpec(pruned(spec(parts))));
}

describe("what may cross", () => {
  const everywhere: [name: string, term: JsonValue, verdict: string][] = [
    ["a Function", fn, "crossing"],
    ["a Task", task("Int"), "crossing"],
    ["nondata", named("stream"), "crossing"],
    ["a Function in a List", list(fn), "crossing"],
    ["a Function in an Option", option(fn), "crossing"],
    ["a Function in a Tuple", tuple("Int", fn), "crossing"],
    ["a Function as a Dict's value", dict("Text", fn), "crossing"],
    ["a Function in a box", named("box", fn), "crossing"],
    ["nondata in a box", named("box", named("stream")), "crossing"],
    ["a Function in a box in a box", named("box", named("box", fn)), "crossing"],
    ["a phantom Function", named("ghost", fn), "valid"],
    ["a phantom Task", named("ghost", task("Int")), "valid"],
    ["phantom nondata", named("ghost", named("stream")), "valid"],
    ["a phantom of a box of a Function", named("ghost", named("box", fn)), "valid"],
    ["a box of a phantom Function", named("box", named("ghost", fn)), "valid"],
    ["a Function passed on as a phantom", named("hides", fn), "valid"],
    ["a host type", named("page"), "valid"],
    ["a host type in a record", named("keeper"), "valid"],
    ["a Set of Ints", set("Int"), "valid"],
    ["a Set of json.Value", set("json.Value"), "valid"],
    ["a Set of Never", set("Never"), "valid"],
    ["a Set of a host type", set(named("page")), "crossing"],
    ["a Set of a record of a host type", set(named("keeper")), "crossing"],
    ["a Set of Lists of a host type", set(list(named("page"))), "crossing"],
    ["a Dict keyed by a host type", dict(named("page"), "Int"), "crossing"],
    ["a Dict with a host type as its value", dict("Int", named("page")), "valid"],
    ["a Set of Dicts with a host type as their value", set(dict("Int", named("page"))), "crossing"],
    ["a Dict keyed by a tuple of a host type", dict(tuple("Int", named("page")), "Int"), "crossing"],
    ["a bag of Ints", named("bag", "Int"), "valid"],
    ["a bag of a host type", named("bag", named("page")), "crossing"],
    ["a bag of phantoms of a host type", named("bag", named("ghost", named("page"))), "valid"],
    ["a bag of boxes of a host type, inside a declaration", named("outer", named("page")), "crossing"],
    ["a pair whose values are of a host type", named("pair", named("page"), "Int"), "valid"],
    ["a pair whose keys are of a host type", named("pair", "Int", named("page")), "crossing"],
    ["a Set of a phantom Function", set(named("ghost", fn)), "valid"],
  ];
  it.each(everywhere)("%s", (_, term, expected) => {
    expect(verdict("param", term)).toBe(expected);
    expect(verdict("ok", term)).toBe(expected);
    expect(verdict("err", term)).toBe(expected);
  });

  const opaque: [name: string, term: JsonValue, reply: string][] = [
    ["an opaque type", named("secret"), "crossing"],
    ["an opaque host type", named("token"), "crossing"],
    ["an opaque type in a record", named("vault"), "crossing"],
    ["an opaque type in a box", named("box", named("secret")), "crossing"],
    ["a phantom of an opaque type", named("ghost", named("secret")), "valid"],
    ["a Set of an opaque type", set(named("secret")), "crossing"],
  ];
  it.each(opaque)("%s: in a parameter, but not in a reply", (_, term, expected) => {
    expect(verdict("param", term)).toBe("valid");
    expect(verdict("ok", term)).toBe(expected);
    expect(verdict("err", term)).toBe(expected);
  });

  it("a Tool's type parameter is fine until it is bound", () => {
    const parts = { generic: ["T"], params: { x: set(param("tool", 0)) }, ok: dict(param("tool", 0), param("tool", 0)) };
    expect(codeOf(() => readTypeSpec(spec(parts)))).toBe("valid");
  });
});

describe("the place of a refusal", () => {
  const place = (parts: Parameters<typeof spec>[0]): unknown => refusalOf(() => readTypeSpec(spec(parts)))?.at;
  const { page, secret, box, bag } = declarations as Record<string, JsonValue>;

  it("is the term that must not stand there", () => {
    expect(place({ params: { a: "Int", x: list(tuple("Int", fn)) } })).toBe("/params/1/type/List/Tuple/1");
    expect(place({ ok: dict(tuple("Int", named("page")), "Int"), declarations: { page } as never })).toBe("/ok/Dict/0/Tuple/1");
    expect(place({ err: named("box", option(named("secret"))), declarations: { box, secret } as never })).toBe("/err/Named/args/0/Option");
    expect(place({ ok: named("bag", named("page")), declarations: { bag, page } as never })).toBe("/ok/Named/args/0");
  });

  it("is in the template where it stands in one", () => {
    const t = sum("T", { A: null, B: { x: "Int", y: list(task("Int")) } });
    expect(place({ ok: named("t"), declarations: { t } as never })).toBe("/declarations/t/constructors/1/payload/named/1/type/List");
  });
});

describe("against instantiating everything", () => {
  /** Walks every instance of every declaration that a root holds as a value. Without growing arguments they are finite. */
  function slowly(root: Term, role: CrossingRoot["role"], all: Declarations, budget = { left: 20_000 }): boolean | undefined {
    const seen = new Set<string>();
    const table = new TermTable();
    const open: { term: Term; ordered: boolean }[] = [{ term: root, ordered: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { term, ordered } = next;
      if (typeof term === "string") continue;
      if (--budget.left < 0) return undefined;
      if (seen.has(`${ordered} ${table.number(term)}`)) continue;
      seen.add(`${ordered} ${table.number(term)}`);
      if ("Function" in term || "Task" in term) {
        if (role !== "any" || ordered) return false;
      } else if ("Named" in term) {
        const { declaration, args } = term.Named;
        const template = all.get(declaration);
        if (template === undefined) continue;
        if (template.kind === "host" && ordered) return false;
        if (template.opaque && role === "reply") return false;
        for (const member of memberTerms(template)) open.push({ term: substitute(member, declaration, args), ordered });
      } else if ("Set" in term) open.push({ term: term.Set, ordered: true });
      else if ("Dict" in term) open.push({ term: term.Dict[0], ordered: true }, { term: term.Dict[1], ordered });
      else if ("List" in term) open.push({ term: term.List, ordered });
      else if ("Option" in term) open.push({ term: term.Option, ordered });
      else if ("Tuple" in term) for (const part of term.Tuple) open.push({ term: part, ordered });
    }
    return true;
  }

  it("says the same of random descriptions", () => {
    const verdicts = { valid: 0, crossing: 0 };
    for (let seed = 0; seed < 600; seed++) {
      const random = randomFrom(seed);
      const description = randomDescription(random, { templates: 4, functions: true });
      const reader = new ShapeReader("");
      const { declarations: all } = reader.declarations(description["declarations"]);
      const root = reader.root(description["ok"], "ok");
      if (codeOf(() => checkExpansion("", all)) !== "valid") continue;
      for (const role of ["parameter", "reply", "any"] as const) {
        const expected = slowly(root, role, all);
        if (expected === undefined) continue;
        const met = codeOf(() => requireCrossing([{ at: "/ok", type: root, role }], all)) as keyof typeof verdicts;
        expect([seed, role, met]).toEqual([seed, role, expected ? "valid" : "crossing"]);
        verdicts[met]++;
      }
    }
    expect(Math.min(verdicts.valid, verdicts.crossing)).toBeGreaterThan(100);
  });

  it("stays linear where arguments nest in arguments", () => {
    const templates: Record<string, JsonValue> = {};
    let nest: JsonValue = param("d", 0);
    for (let i = 0; i < 30; i++) {
      // Each use becomes known on its own, and later than that of the template inside it.
      templates[`e${i}`] = record(
        `E${i}`,
        { a: option(named(`u${i}`, param(`e${i}`, 0))), b: named(`s${i}`, param(`e${i}`, 0)) },
        { generic: ["A"] },
      );
      templates[`u${i}`] = record(`U${i}`, { a: option(param(`u${i}`, 0)) }, { generic: ["A"] });
      templates[`s${i}`] = record(`S${i}`, { a: set(param(`s${i}`, 0)) }, { generic: ["A"] });
      nest = named(`e${i}`, named(`e${i}`, nest));
    }
    const d = record("D", { nest }, { generic: ["A"] });
    const parts = (arg: JsonValue): Record<string, JsonValue> => spec({ ok: named("d", arg), declarations: { d, ...templates } });
    expect(codeOf(() => readTypeSpec(parts("Int")))).toBe("valid");
    templates["h"] = host("H");
    expect(codeOf(() => readTypeSpec(parts(named("h"))))).toBe("crossing");
  });
});
