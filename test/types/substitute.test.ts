/** Substitution, keys, display names and the way back to JSON. */
import { describe, expect, it } from "vitest";
import { canonicalText } from "../../src/json/write.ts";
import { displayName, displayTerm } from "../../src/types/display.ts";
import { readTypeSpec, readTypesView } from "../../src/types/spec.ts";
import { substitute, TermTable, termKey } from "../../src/types/substitute.ts";
import type { Term } from "../../src/types/terms.ts";
import { typeSpecJson, typesViewJson } from "../../src/types/write.ts";
import { everyShape, named, record, spec } from "./build.ts";
import { randomSpec } from "./random.ts";

const A: Term = { Param: { owner: "t", index: 0 } };
const B: Term = { Param: { owner: "t", index: 1 } };

describe("substitute", () => {
  it("reaches every position", () => {
    const term: Term = {
      Tuple: [
        { List: A },
        { Set: A },
        { Option: B },
        { Task: A },
        { Dict: [A, B] },
        { Function: { params: [A], result: B } },
        { Named: { declaration: "x", args: [A, "Int"] } },
      ],
    };
    expect(substitute(term, "t", ["Text", "Bool"])).toEqual({
      Tuple: [
        { List: "Text" },
        { Set: "Text" },
        { Option: "Bool" },
        { Task: "Text" },
        { Dict: ["Text", "Bool"] },
        { Function: { params: ["Text"], result: "Bool" } },
        { Named: { declaration: "x", args: ["Text", "Int"] } },
      ],
    });
  });

  it("leaves other owners' Params, in the term and in the arguments", () => {
    const other: Term = { Param: { owner: "tool", index: 0 } };
    expect(substitute({ Tuple: [A, other] }, "t", [{ List: B }])).toEqual({ Tuple: [{ List: B }, other] });
  });

  it("returns the very term where nothing changes, and shares arguments", () => {
    const term: Term = { Dict: ["Text", { List: { Named: { declaration: "x", args: ["Int"] } } }] };
    expect(substitute(term, "t", ["Int"])).toBe(term);
    const argument: Term = { List: "Int" };
    expect((substitute({ Set: A }, "t", [argument]) as { Set: Term }).Set).toBe(argument);
  });
});

describe("keys", () => {
  const terms: Term[] = [
    "Int",
    "Text",
    { List: "Int" },
    { Set: "Int" },
    { Option: "Int" },
    { Task: "Int" },
    { Dict: ["Int", "Int"] },
    { Tuple: ["Int", "Int"] },
    { Tuple: ["Int", "Int", "Int"] },
    { Tuple: ["Int", { Tuple: ["Int", "Int"] }] },
    { Tuple: [{ Tuple: ["Int", "Int"] }, "Int"] },
    { Function: { params: ["Int"], result: "Int" } },
    { Function: { params: [], result: "Int" } },
    { Function: { params: ["Int", "Int"], result: "Int" } },
    { Named: { declaration: "Int", args: [] } },
    { Named: { declaration: "a", args: [] } },
    { Named: { declaration: "a", args: ["Int"] } },
    { Named: { declaration: "a", args: ["Int", "Int"] } },
    { Named: { declaration: "a<Int>", args: [] } },
    { Named: { declaration: "a<", args: ["Int"] } },
    { Named: { declaration: "a", args: [{ Tuple: ["Int", "Int"] }] } },
    { Named: { declaration: "a", args: [{ Function: { params: ["Int", "Int"], result: "Int" } }] } },
    { Param: { owner: "a", index: 0 } },
    { Param: { owner: "a", index: 1 } },
    { Param: { owner: "a.1", index: 0 } },
    { Named: { declaration: "", args: [] } },
  ];

  it("are different for different terms and equal for equal ones", () => {
    expect(new Set(terms.map(termKey)).size).toBe(terms.length);
    for (const term of terms) expect(termKey(structuredClone(term))).toBe(termKey(term));
    const table = new TermTable();
    const numbers = terms.map((term) => table.number(term));
    expect(new Set(numbers).size).toBe(terms.length);
    expect(terms.map((term) => table.number(structuredClone(term)))).toEqual(numbers);
  });

  it("a table takes terms that share their parts, whatever size they come to", () => {
    const grown = (): Term => {
      let term: Term = "Int";
      for (let i = 0; i < 100; i++) term = { Tuple: [term, term] };
      return term;
    };
    const table = new TermTable();
    expect(table.number(grown())).toBe(table.number(grown()));
  });
});

describe("names for people", () => {
  it("are the file's base name and the declaration's", () => {
    const name = (identity: string, text: string): string => displayName({ identity, name: text });
    expect(name("github.com/acme/docs@1.2.0/document.flow.Document", "Document")).toBe("document.Document");
    expect(name("a/b/c.flow.T", "T")).toBe("c.T");
    expect(name("c.flow.T", "T")).toBe("c.T");
    expect(name("r@1/x.flow.dir/y.flow.T", "T")).toBe("y.T");
    expect(name("something else", "T")).toBe("T");
    expect(name(".flow.T", "T")).toBe("T");
    expect(name("a/.flow.T", "T")).toBe("T");
  });

  it("terms read as Flow writes them, cut where they are long", () => {
    const read = readTypeSpec(everyShape());
    const texts = [...read.params.map((p) => p.type), read.ok].map((term) => displayTerm(term, read.declarations, (i) => `T${i}`));
    expect(texts).toEqual([
      "(Int, Decimal, Bool, Text, Bytes, Duration, Instant, Unit, Never, json.Value)",
      "List<Set<Option<Dict<Text, (Int, T0)>>>>",
      "m.Ghost<(Int) -> Task<Text>>",
      "m.Page",
      "m.Box<m.Doc>",
    ]);
    let large: Term = "Int";
    for (let i = 0; i < 40; i++) large = { Tuple: [large, large] };
    expect(displayTerm(large, new Map()).length).toBe(120);
  });
});

describe("back to JSON", () => {
  it("gives what was read", () => {
    for (let seed = 0; seed < 40; seed++) {
      const json = randomSpec(seed);
      expect(canonicalText(typeSpecJson(readTypeSpec(json)))).toBe(canonicalText(json));
    }
    expect(canonicalText(typeSpecJson(readTypeSpec(everyShape())))).toBe(canonicalText(everyShape()));
  });

  it("of a view as well", () => {
    const { generic: _, ...rest } = spec({ ok: named("a"), declarations: { a: record("A", { x: "Int" }) } });
    const view = { ...rest, bindings: [{ name: "T", type: named("a") }] };
    expect(canonicalText(typesViewJson(readTypesView(view)))).toBe(canonicalText(view));
  });
});
