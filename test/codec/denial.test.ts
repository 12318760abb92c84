/**
 * Texts, values and types that are made to cost more than they should. Each of them is to be finished with, and refused
 * for the right reason where it is to be refused. How work grows is the benchmarks' question: no clock decides here.
 */
import { describe, expect, it } from "vitest";
import { codecFor } from "../../src/codec/codec.ts";
import { DEFAULT_LIMITS } from "../../src/json/limits.ts";
import { parseJson } from "../../src/json/read.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import type { Term } from "../../src/types/terms.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { FlowSet } from "../../src/values/set.ts";
import { codecOf, refusal, refusedText } from "../support/codecs.ts";
import { dict, list, named, option, param, record, set, spec, tuple } from "../types/build.ts";

const MOST = DEFAULT_LIMITS.bytes;
const raw = codecOf("json.Value");
const tree = codecOf<unknown>(named("t"), { t: record("T", { items: list(named("t")) }) });

const pointer = (segment: string, times: number) => segment.repeat(times);

describe("texts", () => {
  it("nested as deep as they are long", () => {
    for (const codec of [raw, tree, codecOf(list("Int"))]) {
      expect(refusedText(codec, "[".repeat(MOST))).toBe(`limit ${pointer("/0", 128)}`);
      expect(refusedText(codec, '{"items":['.repeat(MOST / 10))).toBe(`limit ${pointer("/items/0", 64)}`);
      expect(refusedText(codec, `${"[".repeat(100_000)}${"]".repeat(100_000)}`)).toBe(`limit ${pointer("/0", 128)}`);
      expect(refusedText(codec, "]".repeat(1_000_000) + "[".repeat(1_000_000))).toBe("syntax ");
    }
  });

  it("as deep as the deepest limit, through every kind of container", () => {
    const depth = 1_000;
    const limits = { depth };
    const mixed = codecOf<unknown>(named("m"), { m: record("M", { a: option(tuple("Int", list(option(dict("Text", named("m")))))) }) });
    let text = "{}";
    for (let i = 0; i < depth / 6 - 1; i++) text = `{"a":[1,[{"Some":{"k":${text}}}]]}`;
    expect(mixed.encode(mixed.decode(text, { limits }), limits)).toBe(text);
    const arrays = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(raw.encode(raw.decode(arrays, { limits }), limits)).toBe(arrays);
    expect(refusedText(raw, `[${arrays}]`, { limits })).toMatch(/^limit/);
  });

  it("of digits", () => {
    const digits = "9".repeat(MOST - 20);
    for (const text of [digits, `-${digits}`, `0.${digits}`, `${digits}e1`, `1e${digits}`, `1e-${digits}`]) {
      expect(refusedText(codecFor("Int"), text)).toBe("limit ");
    }
    const zeros = "0".repeat(MOST - 20);
    expect(codecFor("Int").decode(`1.${zeros}`)).toBe(1n);
    expect(codecFor("Int").decode(`0e${digits}`)).toBe(0n);
    expect(codecFor("Int").decode(`0.${zeros}1e${MOST - 19}`)).toBe(1n);
    expect(refusedText(codecFor("Decimal"), digits)).toBe("limit ");
    expect(refusedText(codecFor("Int"), "1e999999999")).toBe("limit ");
    expect(refusedText(codecFor("Int"), `1e${"9".repeat(40)}`)).toBe("limit ");
    expect(refusedText(codecOf(list("Int")), `[${"9".repeat(4096)},${"9".repeat(4097)}]`)).toBe("limit /1");
    const many = `[${Array.from({ length: 2_000 }, () => "9".repeat(4096)).join(",")}]`;
    expect(codecOf(list("Int")).decode(many)).toHaveLength(2_000);
  });

  it("with a million members, and a million of one name", () => {
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"m${i}":${i % 10}`).join(",");
    const codec = codecOf<FlowDict<string, bigint>>(dict("Text", "Int"));
    expect(codec.decode(`{${members(1_000_000)}}`).size).toBe(1_000_000);
    expect(refusedText(codec, `{${members(200_000)},"m7":1}`)).toBe("duplicate-member /m7");
    expect(refusedText(codecOf(named("e"), { e: record("E", {}) }), `{${members(200_000)}}`, { mode: "strict" })).toBe(
      "undeclared-member /m0",
    );
    expect(codecOf(named("e"), { e: record("E", {}) }).decode(`{${members(200_000)}}`)).toEqual({});
    expect(refusedText(codec, `{${Array.from({ length: 1_000_000 }, () => '"a":1').join(",")}}`)).toBe("duplicate-member /a");
    expect(refusedText(codec, `{${Array.from({ length: 200_000 }, (_, i) => `"${i}":1`).join(",")},"0":1}`)).toBe("duplicate-member /0");
  });

  it("with more values than a document may have", () => {
    expect(refusedText(raw, `[${"[],".repeat(2_000_000)}[]]`)).toBe("limit /1048575");
    expect(refusedText(raw, `[${"1,".repeat(1_048_576)}1]`)).toBe("limit /1048575");
    expect(codecOf<bigint[]>(list("Int")).decode(`[${"1,".repeat(1_048_574)}1]`)).toHaveLength(1_048_575);
  });

  it("of one long string, good and bad", () => {
    const long = "A".repeat(8_388_608);
    expect(codecFor<Uint8Array>("Bytes").decode(`"${long}"`)).toHaveLength(6_291_456);
    expect(refusedText(codecFor("Bytes"), `"${long.slice(1)}="`)).toBe("none");
    expect(refusedText(codecFor("Bytes"), `"${long.slice(1)}-"`)).toBe("spelling ");
    expect(refusedText(codecFor("Text"), `"${long}A"`)).toBe("limit ");
    expect(refusedText(codecFor("Text"), `"${"\\u0041".repeat(2_000_000)}`)).toBe("syntax ");
    expect(codecFor("Text").decode(`"${"\\u0041".repeat(2_000_000)}"`)).toBe("A".repeat(2_000_000));
    expect(refusedText(codecFor("Text"), `"${"\\".repeat(4_000_001)}"`)).toBe("syntax ");
    expect(refusedText(codecFor("Instant"), `"+${"9".repeat(8_000_000)}-01-01T00:00:00Z"`)).toBe("limit ");
    expect(refusedText(codecFor("Duration"), `"PT${"9".repeat(8_000_000)}S"`)).toBe("limit ");
    expect(refusedText(codecFor("Duration"), `"PT0.${"0".repeat(8_000_000)}1S"`)).toBe("spelling ");
  });

  it("of sets of 200,000 records, sorted, unsorted and nearly sorted", () => {
    const codec = codecOf<FlowSet<{ a: string; b: bigint }>>(set(named("r")), { r: record("R", { a: "Text", b: "Int" }) });
    const items = Array.from({ length: 200_000 }, (_, i) => `{"a":"${"x".repeat(20)}","b":${i}}`);
    const sorted = codec.decode(`[${items.join(",")}]`);
    expect(sorted.size).toBe(200_000);
    expect(codec.encode(sorted)).toHaveLength(items.join(",").length + 2);
    expect(codec.encode(FlowSet.from([...sorted].reverse(), (x, y) => Number(y.b - x.b)))).toMatch(/^\[\{"a":"x+","b":0\},/);
    expect(refusedText(codec, `[${items.toReversed().join(",")}]`)).toBe("order /1");
    expect(refusedText(codec, `[${[...items.slice(1), items[0]].join(",")}]`)).toBe("order /199999");
  });
});

describe("values", () => {
  it("that hold themselves, in every way a value can", () => {
    const items: unknown[] = [];
    items.push({ items });
    expect(refusal(() => tree.encode({ items }))).toMatch(/^limit (\/items\/0)+/);
    const loop = codecOf<unknown>(named("d"), { d: record("D", { in: dict("Text", named("d")), many: list(named("d")) }) });
    const value: Record<string, unknown> = { in: FlowDict.from([]), many: [] };
    value["in"] = FlowDict.from([["k", value]]);
    expect(refusal(() => loop.encode(value))).toMatch(/^limit (\/in\/k)+/);
  });

  it("of which many share one part", () => {
    let shared: unknown = { items: [] };
    for (let i = 0; i < 60; i++) shared = { items: [shared, shared] };
    expect(refusal(() => tree.encode(shared))).toMatch(/^limit/);
    const megabytes = "x".repeat(4_000_000);
    expect(refusal(() => codecOf(list("Text")).encode(Array.from({ length: 500_000 }, () => megabytes)))).toBe("limit ");
    const bytes = new Uint8Array(6_000_000);
    expect(refusal(() => codecOf(list("Bytes")).encode(Array.from({ length: 500_000 }, () => bytes)))).toBe("limit ");
  });
});

describe("types", () => {
  it("of 2^30 terms, written out, are thirty declarations", () => {
    const count = 30;
    const declarations = Object.fromEntries(
      Array.from({ length: count }, (_, i) => {
        const next = i + 1 < count ? named(`d${i + 1}`, tuple(param(`d${i}`, 0), param(`d${i}`, 0))) : param(`d${i}`, 0);
        return [`d${i}`, record(`D${i}`, { it: option(next) }, { generic: ["A"] })];
      }),
    );
    const codec = codecOf<unknown>(named("d0", "Int"), declarations);
    expect(codec.title.length).toBeLessThan(200);
    expect(codec.encode(codec.decode('{"it":{"it":{}}}'))).toBe('{"it":{"it":{}}}');
    expect(refusedText(codec, '{"it":{"it":{"it":1}}}')).toBe("kind /it/it/it");
  });

  it("made by sharing terms, written out, are as small as their parts", () => {
    const { declarations } = readTypeSpec(spec({}));
    let term: Term = "Int";
    for (let i = 0; i < 60; i++) term = { Tuple: [term, term] };
    expect(codecFor(term, declarations)).toBe(codecFor(term, declarations));
    expect(refusedText(codecFor(term, declarations), "[1]")).toBe("kind ");
  });

  it("whose arguments rotate stand for more types than there may be", () => {
    // Cycles of 2, 3, 5, 7, 11, 13 and 17 places come back to where they began after 510,510 turns.
    const cycles = [2, 3, 5, 7, 11, 13, 17];
    const arity = cycles.reduce((sum, length) => sum + length, 0);
    const generic = Array.from({ length: arity }, (_, i) => `A${i}`);
    let start = 0;
    const turned = cycles.flatMap((length) => {
      const places = Array.from({ length }, (_, i) => param("r", start + ((i + 1) % length)));
      start += length;
      return places;
    });
    const args = cycles.flatMap((length) => Array.from({ length }, (_, i) => (i === 0 ? "Text" : "Int")));
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, option(named("r", ...turned))]));
    for (const count of [1, 300]) {
      expect(refusal(() => codecOf(named("r", ...args), { r: record("R", fields(count), { generic }) }))).toBe("bounds ");
    }
    // The graph is refused again, not half compiled, when it is asked for a second time.
    const read = readTypeSpec(spec({ ok: named("r", ...args), declarations: { r: record("R", fields(1), { generic }) } }));
    for (let i = 0; i < 2; i++) expect(refusal(() => codecFor(read.ok, read.declarations))).toBe("bounds ");
  });
});

it("parseJson alone finishes with the same texts", () => {
  expect(refusal(() => parseJson("[".repeat(MOST)))).toBe(`limit ${pointer("/0", 128)}`);
  expect(refusal(() => parseJson("9".repeat(MOST)))).toBe("limit ");
  expect(refusal(() => parseJson(`"${"a".repeat(MOST)}"`))).toBe("limit ");
});
