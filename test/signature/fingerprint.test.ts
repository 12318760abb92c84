/** What moves a fingerprint and what does not: one row for each sentence of *Identity and fingerprints* and of R21. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { withoutDescriptions } from "../../src/schema/strip.ts";
import { canonicalSignature, describedSignature, fingerprintOf, signatureOf } from "../../src/signature/signature.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { func, host, list, named, option, param, record, refusalOf, type SpecParts, spec, sum, tuple } from "../types/build.ts";
import { randomFrom, randomSpec } from "../types/random.ts";

const of = (parts: SpecParts): Promise<string> => fingerprintOf(readTypeSpec(spec(parts)));

const doc = (
  changes: Record<string, JsonValue> = {},
  fields: Record<string, JsonValue> = { id: "Text", note: option("Text") },
): Record<string, JsonValue> => record("Doc", fields, { identity: "github.com/acme/docs@1.2.0/document.flow.Doc", ...changes });
const fault = (constructors: Record<string, JsonValue> = { Gone: null, Bad: ["Text"] }): JsonValue => sum("Fault", constructors);
const box = (changes: Record<string, JsonValue> = {}): Record<string, JsonValue> =>
  record("Box", { item: param("b", 0) }, { generic: ["A"], ...changes });

const base: SpecParts = {
  generic: ["T"],
  params: { items: list(param("tool", 0)), near: named("d"), count: "Int" },
  ok: option(named("b", named("d"))),
  err: named("f"),
  declarations: { d: doc(), b: box(), f: fault() },
};

const with_ = (changes: SpecParts): SpecParts => ({ ...base, ...changes });
const declared = (changes: Record<string, JsonValue>): SpecParts => ({ ...base, declarations: { ...base.declarations, ...changes } });
const { items, near, count } = base.params as Record<string, JsonValue>;
const params = (list: Record<string, JsonValue | undefined>): SpecParts => with_({ params: list as Record<string, JsonValue> });

const rows: [sentence: string, changed: SpecParts, verdict: "moves" | "stays"][] = [
  ["a parameter is added", params({ items, near, count, more: "Int" }), "moves"],
  ["a parameter is removed", params({ items, near }), "moves"],
  ["a parameter is renamed", params({ items, near, total: count }), "moves"],
  ["a parameter is retyped", params({ items, near, count: "Decimal" }), "moves"],
  ["parameters are reordered", params({ near, items, count }), "moves"],
  ["the success type changes", with_({ ok: list(named("b", named("d"))) }), "moves"],
  ["the success type's argument changes", with_({ ok: option(named("b", "Int")) }), "moves"],
  ["the error type changes", with_({ ...declared({}), err: tuple(named("f"), "Int") }), "moves"],
  ["a type parameter is renamed", with_({ generic: ["U"] }), "moves"],
  ["a type parameter is added", with_({ generic: ["T", "U"] }), "moves"],
  ["a field of a reached type is added", declared({ d: doc({}, { id: "Text", note: option("Text"), more: "Int" }) }), "moves"],
  ["a field of a reached type is renamed", declared({ d: doc({}, { key: "Text", note: option("Text") }) }), "moves"],
  ["a field of a reached type is retyped", declared({ d: doc({}, { id: "Int", note: option("Text") }) }), "moves"],
  ["a field of a reached type becomes required", declared({ d: doc({}, { id: "Text", note: "Text" }) }), "moves"],
  ["required fields of a reached type are reordered", declared({ d: doc({}, { note: "Text", id: "Text" }) }), "moves"],
  ["a constructor is added", declared({ f: fault({ Gone: null, Bad: ["Text"], Worse: null }) }), "moves"],
  ["constructors are reordered", declared({ f: fault({ Bad: ["Text"], Gone: null }) }), "moves"],
  ["a constructor gets a payload", declared({ f: fault({ Gone: ["Int"], Bad: ["Text"] }) }), "moves"],
  ["a reached type gets another name", declared({ d: doc({ identity: "github.com/acme/docs@1.2.0/document.flow.Page" }) }), "moves"],
  ["a reached type moves to another file", declared({ d: doc({ identity: "github.com/acme/docs@1.2.0/page.flow.Doc" }) }), "moves"],
  [
    "a reached type moves to another repository",
    declared({ d: doc({ identity: "github.com/other/docs@1.2.0/document.flow.Doc" }) }),
    "moves",
  ],
  ["a reached record becomes a host type", declared({ d: host("Doc", { identity: doc()["identity"] as string }) }), "moves"],
  ["a doc comment of a type changes", declared({ d: doc({ doc: "A document." }) }), "stays"],
  [
    "a field's doc comment changes",
    declared({
      d: doc({
        fields: [
          { name: "id", type: "Text", doc: "Its id." },
          { name: "note", type: option("Text"), doc: "" },
        ],
      }),
    }),
    "stays",
  ],
  ["a new version of the repository", declared({ d: doc({ identity: "github.com/acme/docs@2.0.0-rc.1/document.flow.Doc" }) }), "stays"],
  ["the version of a type inside an argument", declared({ d: doc({ identity: "github.com/acme/docs@7/document.flow.Doc" }) }), "stays"],
  ["the display name of a template", declared({ d: doc({ name: "Other" }) }), "stays"],
  ["the lexical ordinal of a type that is alone", declared({ d: doc({ lexical_ordinal: 4n }) }), "stays"],
  ["the name of a declaration's own type parameter", declared({ b: box({ generic: ["Z"] }) }), "stays"],
  ["an Option field moves around a required one", declared({ d: doc({}, { note: option("Text"), id: "Text" }) }), "stays"],
  ["a record of Text becomes opaque (in parameters)", { params: { d: named("d") }, declarations: { d: doc() } }, "stays"],
];

describe("a fingerprint", () => {
  it.each(rows)("%s: %s", async (sentence, changed, verdict) => {
    const opaque = sentence.includes("opaque");
    const before = opaque ? await of(changed) : await of(base);
    const after = opaque ? await of({ ...changed, declarations: { d: doc({ opaque: true }) } }) : await of(changed);
    expect(after === before ? "stays" : "moves").toBe(verdict);
  });

  it("is sha256: and 64 lowercase hex digits, of the canonical signature", async () => {
    const read = readTypeSpec(spec(base));
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalSignature(read)));
    expect(await fingerprintOf(read)).toBe(`sha256:${Buffer.from(digest).toString("hex")}`);
    expect(await of({})).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("of the smallest declaration is known", async () => {
    const read = readTypeSpec(spec());
    expect(canonicalSignature(read)).toBe('{"err":{"not":{}},"generic":[],"ok":{"maxItems":0,"type":"array"},"params":[]}');
    expect(await fingerprintOf(read)).toBe("sha256:22a02b12fc56c1158a8be6c0345e50ee3bde6a8f484c908241b7b95f7119208b");
  });

  it("a field, a type and a constructor named description count", async () => {
    const tricky = (name: string): SpecParts => ({
      ok: named("t"),
      declarations: {
        t: record("T", { [name]: named("e") }),
        e: sum("E", { [name === "description" ? "description" : "Other"]: ["Int"] }),
      },
    });
    expect(await of(tricky("description"))).not.toBe(await of(tricky("other")));
    expect(canonicalSignature(readTypeSpec(spec(tricky("description"))))).toContain('"properties":{"description":');
  });
});

describe("numbers of equal identities (R21)", () => {
  const p = (field: string, ordinal: bigint, identity: string): JsonValue =>
    record("P", { [field]: "Int" }, { identity, lexical_ordinal: ordinal });
  const two = (x: JsonValue, y: JsonValue): SpecParts => ({ ok: tuple(named("x"), named("y")), declarations: { x, y } });

  it("go by ordinal, whatever the ordinals are", async () => {
    const near = await of(two(p("a", 1n, "r@1/m.flow.P"), p("b", 2n, "r@1/m.flow.P")));
    expect(await of(two(p("a", 5n, "r@1/m.flow.P"), p("b", 9n, "r@1/m.flow.P")))).toBe(near);
    expect(await of(two(p("a", 2n, "r@1/m.flow.P"), p("b", 1n, "r@1/m.flow.P")))).not.toBe(near);
  });

  it("keep two versions of one type apart, in the order of their full identities", () => {
    const read = readTypeSpec(spec(two(p("a", 1n, "r@2/m.flow.P"), p("b", 1n, "r@10/m.flow.P"))));
    const signature = JSON.parse(canonicalSignature(read)) as { ok: { $defs: Record<string, { required: string[] }> } };
    expect(Object.entries(signature.ok.$defs).map(([key, body]) => [key, body.required])).toEqual([
      ["r/m.flow.P", ["b"]],
      ["r/m.flow.P#2", ["a"]],
    ]);
  });
});

describe("describe's signature", () => {
  it("has the canonical signature's members, with descriptions and versions", () => {
    const read = readTypeSpec(spec({ ...base, declarations: { ...base.declarations, d: doc({ doc: "A document." }) } }));
    const { described, canonical } = signatureOf(read);
    expect(Object.keys(described).sort()).toEqual(["err", "generic", "ok", "params"]);
    expect(canonicalText(described)).toContain('"description":"A document."');
    expect(canonicalText(described)).toContain("docs@1.2.0");
    expect(canonical).not.toContain("description");
    expect(canonical).not.toContain("@");
  });

  it("without versions to begin with, and stripped of descriptions, is the canonical one", () => {
    for (let seed = 0; seed < 60; seed++) {
      const text = canonicalText(randomSpec(seed)).replaceAll("@1.0.0", "");
      const read = readTypeSpec(JSON.parse(text, (_, value) => (typeof value === "number" ? BigInt(value) : value)) as JsonValue);
      const described = describedSignature(read);
      const strip = (value: JsonValue): JsonValue => withoutDescriptions(value);
      const stripped: JsonValue = {
        params: (described["params"] as readonly [string, JsonValue][]).map(([name, schema]) => [name, strip(schema)]),
        ok: strip(described["ok"] as JsonValue),
        err: strip(described["err"] as JsonValue),
        generic: described["generic"] as JsonValue,
      };
      expect(canonicalText(stripped, { depth: 1_000 })).toBe(canonicalSignature(read));
    }
  });

  it("is refused where it fits into no document", async () => {
    const declarations: Record<string, JsonValue> = {};
    for (let i = 0; i < 64; i++) {
      const id = `t${i}`;
      const x = i === 63 ? param(id, 0) : named(`t${i + 1}`, tuple(param(id, 0), param(id, 0)));
      declarations[id] = record(`T${i}`, { x }, { generic: ["A"] });
    }
    const read = readTypeSpec(spec({ params: { a: "Int", x: named("t0", "Int") }, declarations }));
    expect(refusalOf(() => signatureOf(read))).toMatchObject({ code: "bounds", at: "/params/1/type" });
    await expect(fingerprintOf(read)).rejects.toMatchObject({ code: "bounds" });
  });
});

describe("any description", () => {
  /** The same description with other local ids, docs, versions and member orders. */
  function disguised(json: JsonObject, seed: number): JsonValue {
    const random = randomFrom(seed);
    const ids = Object.keys(json["declarations"] as JsonObject);
    const renamed = new Map(ids.map((id, i) => [id, `x${ids.length - i}`]));
    const walk = (value: JsonValue, key: string, inTerm: boolean): JsonValue => {
      if (key === "doc") return random(2) === 0 ? null : `doc ${random(9)}`;
      if ((key === "declaration" || key === "owner") && typeof value === "string") return renamed.get(value) ?? value;
      if (key === "identity") return (value as string).replace("@1.0.0", "@9.9.9");
      if (Array.isArray(value)) return value.map((item) => walk(item, "", inTerm));
      if (typeof value !== "object" || value === null) return value;
      const entries = Object.entries(value as JsonObject).map(
        ([name, item]) => [key === "declarations" ? (renamed.get(name) ?? name) : name, walk(item, name, inTerm)] as const,
      );
      return Object.fromEntries(random(2) === 0 ? entries.reverse() : entries);
    };
    return walk(json, "", false);
  }

  const seeds = fc.integer({ min: 0, max: 2 ** 31 });

  it("keeps its fingerprint under other local ids, docs, versions and member orders", async () => {
    const property = fc.asyncProperty(seeds, seeds, async (seed, disguise) => {
      const json = randomSpec(seed);
      expect(await fingerprintOf(readTypeSpec(disguised(json, disguise)))).toBe(await fingerprintOf(readTypeSpec(json)));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it("changes it with its success type, its error type and its parameters' names", async () => {
    const property = fc.asyncProperty(seeds, async (seed) => {
      const json = randomSpec(seed);
      const before = await fingerprintOf(readTypeSpec(json));
      for (const root of ["ok", "err"]) {
        const changed = readTypeSpec({ ...json, [root]: { Tuple: [json[root] as JsonValue, "Int"] } });
        expect(await fingerprintOf(changed)).not.toBe(before);
      }
      const renamed = readTypeSpec({ ...json, params: (json["params"] as JsonObject[]).map((p, i) => ({ ...p, name: `q${i}` })) });
      expect(await fingerprintOf(renamed)).not.toBe(before);
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("with a phantom argument names it in the key, and moves when it changes", async () => {
    const ghost = record("Ghost", {}, { generic: ["A"] });
    const at = (argument: JsonValue): SpecParts => ({ ok: named("g", argument), declarations: { g: ghost } });
    expect(await of(at(func(["Int"], "Text")))).not.toBe(await of(at(func(["Int"], "Int"))));
  });
});
