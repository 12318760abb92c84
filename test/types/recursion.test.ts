/** R22: every declaration can have a finite value, and no recursion makes its arguments grow. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/json/value.ts";
import { checkExpansion } from "../../src/types/expansion.ts";
import { checkInhabited } from "../../src/types/inhabited.ts";
import { ShapeReader } from "../../src/types/shape.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import type { Declarations, Term } from "../../src/types/terms.ts";
import { alternatives, innerTerms, memberTerms } from "../../src/types/walk.ts";
import { codeOf, dict, func, host, list, named, nondata, option, param, record, refusalOf, set, spec, sum, task, tuple } from "./build.ts";
import { randomDescription, randomFrom } from "./random.ts";

const box = record("Box", { item: param("box", 0) }, { generic: ["A"] });
const phantom = record("Phantom", {}, { generic: ["A"] });
const either = sum("Either", { L: [param("either", 0)], R: [param("either", 1)] }, { generic: ["X", "Y"] });
const both = sum("Both", { B: [param("both", 0), param("both", 1)] }, { generic: ["X", "Y"] });

/** What a record `t` with the one field `x` comes to. */
function holding(x: JsonValue, others: Record<string, JsonValue> = {}): string {
  return codeOf(() =>
    readTypeSpec(spec({ params: { x: named("t"), ...unused(others) }, declarations: { t: record("T", { x }), ...others } })),
  );
}

/** Parameters that reach every other template, so that none is disconnected. */
function unused(others: Record<string, JsonValue>): Record<string, JsonValue> {
  const roots = Object.entries(others).map(([id, template]) => {
    const count = ((template as { generic: JsonValue[] }).generic ?? []).length;
    return [id, named(id, ...Array.from({ length: count }, () => "Int"))] as const;
  });
  return Object.fromEntries(roots);
}

describe("a finite value", () => {
  const t = named("t");
  const cases: [name: string, verdict: "valid" | "recursion", x: JsonValue, others?: Record<string, JsonValue>][] = [
    ["a record of itself", "recursion", t],
    ["itself in a tuple", "recursion", tuple("Int", t)],
    ["itself in a List", "valid", list(t)],
    ["itself in a Set", "valid", set(t)],
    ["itself in a Dict", "valid", dict(t, t)],
    ["itself in an Option", "valid", option(t)],
    ["itself in a box", "recursion", named("box", t), { box }],
    ["itself in a box in a box", "recursion", named("box", named("box", t)), { box }],
    ["a List of itself in a box", "valid", named("box", list(t)), { box }],
    ["itself as a phantom", "valid", named("phantom", t), { phantom }],
    ["either itself or an Int", "valid", named("either", "Int", t), { either }],
    ["either an Int or itself", "valid", named("either", t, "Int"), { either }],
    ["either itself or itself", "recursion", named("either", t, t), { either }],
    ["both an Int and itself", "recursion", named("both", "Int", t), { both }],
    ["either itself, or both itself and an Int", "recursion", named("either", t, named("both", t, "Int")), { either, both }],
    ["either itself, or either itself or an Int", "valid", named("either", t, named("either", t, "Int")), { either }],
    ["an enum that can stop", "valid", named("e"), { e: sum("E", { Stop: null, Go: [t] }) }],
    ["an enum that cannot", "recursion", named("e"), { e: sum("E", { Go: [t], On: { t } }) }],
    ["an enum without constructors", "valid", named("e"), { e: sum("E", {}) }],
    ["Never", "valid", "Never"],
    ["a constructor without parts", "valid", named("e"), { e: sum("E", { Empty: [] }) }],
    ["a host type", "valid", named("h"), { h: host("H") }],
    ["two of each other", "recursion", named("u"), { u: record("U", { t }) }],
    ["three of each other", "recursion", named("u"), { u: record("U", { v: named("v") }), v: record("V", { t }) }],
  ];
  it.each(cases)("%s: %s", (_, verdict, x, others) => {
    expect(holding(x, others)).toBe(verdict);
  });

  it("is asked of a declaration that only a phantom argument names", () => {
    const declarations = { phantom, t: record("T", { x: named("t") }) };
    expect(refusalOf(() => readTypeSpec(spec({ ok: named("phantom", named("t")), declarations })))).toMatchObject({
      code: "recursion",
      at: "/declarations/t",
    });
  });

  it("counts Function, Task and nondata as having one", () => {
    const declarations = {
      phantom,
      t: record("T", { f: func([named("t")], named("t")), k: task(named("t")), n: named("n") }),
      n: nondata("N"),
    };
    expect(codeOf(() => readTypeSpec(spec({ ok: named("phantom", named("t")), declarations })))).toBe("valid");
  });

  it("is asked with type parameters taken as having one", () => {
    expect(codeOf(() => readTypeSpec(spec({ generic: ["T"], ok: named("box", param("tool", 0)), declarations: { box } })))).toBe("valid");
  });
});

describe("growing arguments", () => {
  const grow = (id: string, to: string, wrap: (term: JsonValue) => JsonValue): JsonValue =>
    record(id.toUpperCase(), { x: option(named(to, wrap(param(id, 0)))) }, { generic: ["A"] });
  const same = (term: JsonValue): JsonValue => term;
  const read = (declarations: Record<string, JsonValue>): string =>
    codeOf(() => readTypeSpec(spec({ ok: named("a", "Int"), declarations })));

  it.each([
    ["the same argument", { a: grow("a", "a", same) }, "valid"],
    ["a List of it", { a: grow("a", "a", list) }, "recursion"],
    ["a phantom of it", { a: grow("a", "a", (term) => named("p", term)), p: record("P", {}, { generic: ["A"] }) }, "recursion"],
    [
      "a Function of it",
      { a: grow("a", "a", (term) => named("p", func([term], "Int"))), p: record("P", {}, { generic: ["A"] }) },
      "recursion",
    ],
    ["a constant in its place", { a: grow("a", "a", () => list("Int")) }, "valid"],
    ["two, one of which grows", { a: grow("a", "b", same), b: grow("b", "a", set) }, "recursion"],
    ["two, neither of which grows", { a: grow("a", "b", same), b: grow("b", "a", same) }, "valid"],
    ["growth that leads out", { a: grow("a", "b", list), b: grow("b", "b", same) }, "valid"],
    ["growth inside another's argument", { a: grow("a", "b", (term) => named("a", list(term))), b: grow("b", "b", same) }, "recursion"],
    ["itself inside another's argument", { a: grow("a", "b", (term) => named("a", term)), b: grow("b", "b", same) }, "valid"],
  ] as [string, Record<string, JsonValue>, string][])("%s: %s", (_, declarations, verdict) => {
    expect(read(declarations)).toBe(verdict);
  });

  it("arguments may change places", () => {
    const swap = record("A", { x: option(named("a", param("a", 1), param("a", 0))) }, { generic: ["X", "Y"] });
    expect(codeOf(() => readTypeSpec(spec({ ok: named("a", "Int", "Text"), declarations: { a: swap } })))).toBe("valid");
  });
});

describe("against a slow answer", () => {
  const SEEDS = 400;

  function declarationsOf(seed: number, functions: boolean): Declarations {
    const description = randomDescription(randomFrom(seed), { templates: 4, functions });
    return new ShapeReader("").declarations(description["declarations"]).declarations;
  }

  /** The least fixpoint over every template at every vector of bits: exponential in the arity, which is at most 2 here. */
  function slowlyInhabited(declarations: Declarations): boolean {
    const truth = new Map<string, boolean>();
    const has = (term: Term, bits: readonly boolean[]): boolean => {
      if (typeof term === "string") return true;
      if ("Param" in term) return bits[term.Param.index] as boolean;
      if ("Tuple" in term) return term.Tuple.every((part) => has(part, bits));
      if (!("Named" in term)) return true;
      return (
        truth.get(
          key(
            term.Named.declaration,
            term.Named.args.map((arg) => has(arg, bits)),
          ),
        ) ?? false
      );
    };
    const key = (id: string, bits: readonly boolean[]): string => `${id} ${bits.map(Number).join("")}`;
    for (let changed = true; changed; ) {
      changed = false;
      for (const [id, template] of declarations) {
        for (let mask = 0; mask < 2 ** template.generic.length; mask++) {
          const bits = template.generic.map((_, i) => (mask & (1 << i)) !== 0);
          const ways = alternatives(template) ?? [];
          const now = ways.length === 0 || ways.some((terms) => terms.every((term) => has(term, bits)));
          if (now && truth.get(key(id, bits)) !== true) {
            truth.set(key(id, bits), true);
            changed = true;
          }
        }
      }
    }
    return [...declarations].every(([id, template]) =>
      truth.get(
        key(
          id,
          template.generic.map(() => true),
        ),
      ),
    );
  }

  /** The transitive closure of the dependency graph as R22 draws it. */
  function slowlyExpansive(declarations: Declarations): boolean {
    const edges: { from: string; to: string; grows: boolean }[] = [];
    const paramsIn = (term: Term): string[] =>
      typeof term === "string" ? [] : "Param" in term ? [`${term.Param.owner} ${term.Param.index}`] : innerTerms(term).flatMap(paramsIn);
    const visit = (term: Term): void => {
      if (typeof term === "string") return;
      if ("Named" in term) {
        for (const [i, arg] of term.Named.args.entries()) {
          const grows = typeof arg === "string" || !("Param" in arg);
          for (const from of paramsIn(arg)) edges.push({ from, to: `${term.Named.declaration} ${i}`, grows });
        }
      }
      innerTerms(term).forEach(visit);
    };
    for (const template of declarations.values()) memberTerms(template).forEach(visit);
    const reaches = (from: string, to: string): boolean => {
      const seen = new Set([from]);
      for (const node of seen) for (const edge of edges) if (edge.from === node) seen.add(edge.to);
      return seen.has(to);
    };
    return edges.some((edge) => edge.grows && reaches(edge.to, edge.from));
  }

  it("both agree on which declarations have a value", () => {
    const verdicts = { valid: 0, recursion: 0 };
    for (let seed = 0; seed < SEEDS; seed++) {
      const declarations = declarationsOf(seed, true);
      const verdict = codeOf(() => checkInhabited("", declarations)) as keyof typeof verdicts;
      expect([seed, verdict]).toEqual([seed, slowlyInhabited(declarations) ? "valid" : "recursion"]);
      verdicts[verdict]++;
    }
    expect(Math.min(verdicts.valid, verdicts.recursion)).toBeGreaterThan(SEEDS / 20);
  });

  it("both agree on which recursions grow", () => {
    const verdicts = { valid: 0, recursion: 0 };
    for (let seed = 0; seed < SEEDS; seed++) {
      const declarations = declarationsOf(seed, true);
      const verdict = codeOf(() => checkExpansion("", declarations)) as keyof typeof verdicts;
      expect([seed, verdict]).toEqual([seed, slowlyExpansive(declarations) ? "recursion" : "valid"]);
      verdicts[verdict]++;
    }
    expect(Math.min(verdicts.valid, verdicts.recursion)).toBeGreaterThan(SEEDS / 20);
  });
});

describe("descriptions made to be slow", () => {
  const COUNT = 4_096;
  const ring = (make: (id: string, next: string, i: number) => JsonValue): Record<string, JsonValue> =>
    Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`t${i}`, make(`t${i}`, `t${(i + 1) % COUNT}`, i)]));
  const at = (declarations: Record<string, JsonValue>, ...args: JsonValue[]): string =>
    codeOf(() => readTypeSpec(spec({ ok: named("t0", ...args), declarations })));

  it("4,096 mutually recursive templates", () => {
    const declarations = ring((id, next, i) =>
      record(id, { a: list(named(next)), b: option(named(`t${(i * 7 + 3) % COUNT}`)), c: dict("Text", named(`t${(i * 31) % COUNT}`)) }),
    );
    expect(at(declarations)).toBe("valid");
  });

  it("4,096 templates in one strict chain, whichever end is read first", () => {
    const forth = ring((id, next, i) => record(id, i === COUNT - 1 ? {} : { next: named(next) }));
    expect(at(forth)).toBe("valid");
    const back = Object.fromEntries(Object.entries(forth).reverse());
    expect(at(back)).toBe("valid");
  });

  it("4,096 templates of which each needs the next", () => {
    expect(at(ring((id, next) => record(id, { next: named(next) })))).toBe("recursion");
  });

  it("4,096 generic templates that hand their arguments on in turn", () => {
    const turn = ring((id, next) =>
      record(id, { a: param(id, 0), b: option(named(next, param(id, 1), param(id, 2), param(id, 0))) }, { generic: ["A", "B", "C"] }),
    );
    expect(at(turn, "Int", "Text", "Bool")).toBe("valid");
  });

  it("4,096 generic templates of which one makes its argument grow", () => {
    const growing = ring((id, next, i) =>
      record(id, { b: option(named(next, i === 2_000 ? list(param(id, 0)) : param(id, 0))) }, { generic: ["A"] }),
    );
    expect(refusalOf(() => readTypeSpec(spec({ ok: named("t0", "Int"), declarations: growing })))).toMatchObject({
      code: "recursion",
      at: "/declarations/t2000",
    });
  });

  it("arguments that rotate in cycles of coprime lengths, past the budget", () => {
    const lengths = [2, 3, 5, 7, 11, 13, 17, 19, 23];
    const turned: number[] = [];
    const firsts = new Set<number>();
    for (const length of lengths) {
      const start = turned.length;
      firsts.add(start);
      for (let i = 0; i < length; i++) turned.push(start + ((i + 1) % length));
    }
    // One case for each state of all the cycles: 2 * 3 * 5 * ... * 23 of them.
    const d = record("D", { next: named("d", ...turned.map((i) => param("d", i))) }, { generic: turned.map((i) => `A${i}`) });
    const u = sum("U", { Go: [named("d", ...turned.map((_, i) => (firsts.has(i) ? named("u") : "Int")))] });
    expect(refusalOf(() => readTypeSpec(spec({ ok: named("u"), declarations: { u, d } })))).toMatchObject({
      code: "bounds",
      at: "/declarations",
    });
  });
});
