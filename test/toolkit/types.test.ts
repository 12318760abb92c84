/** Type tests: what authors and programs may write against generated source, and what they may not. */
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "./compile.ts";
import { DOCS, generatedFrom, SHAPES } from "./programs.ts";

const HEAD = `import * as flow from "flow-host/toolkit";
import { err, ok } from "flow-host/toolkit";
import type * as docs from "./generated/docs.ts";
import type * as shapes from "./generated/shapes.ts";
`;
const HEAD_LINES = HEAD.split("\n").length - 1;

/** Each compiles. */
const RIGHT: Readonly<Record<string, string>> = {
  "an implementation, typed by its interface alone": `
export const tools: docs.Tools = {
  read(args) {
    if (args.id === "") return err({ tag: "NotFound", value: args.id });
    return ok({ id: args.id, title: "a", body: "b" });
  },
  async find({ query }, ctx) {
    if (ctx.signal.aborted) return err({ tag: "Unavailable" });
    return ok([{ id: query, title: ctx.run, body: ctx.call }]);
  },
};`,
  "values of every shape": `
export const scalars: shapes.Scalars = {
  int: 1n, decimal: flow.Decimal.from("1.5"), bool: true, text: "", bytes: new Uint8Array(0), duration: flow.Duration.parse("PT1S"),
  instant: flow.Instant.parse("2020-01-01T00:00:00Z"), unit: undefined, json: { a: [null, 1n, "b"] },
};
export const collections: shapes.Collections = {
  list: [1n], lists: [[1n]], set: flow.FlowSet.from(["a"]), dict: flow.FlowDict.from([["a", 1n]]), other: flow.FlowDict.from([[1n, "a"]]), pair: [1n, "a"],
};
export const optional: shapes.Optional[] = [{ inside: [] }, { one: 1n, two: flow.None, inside: [flow.Some(1n), { tag: "None" }] }];
export const shape: shapes.Shape[] = [
  { tag: "Nothing" }, { tag: "Name", value: "a" }, { tag: "Pair", value: [1n, flow.None] }, { tag: "Empty", value: [] },
  { tag: "Named", value: { from: 1n } }, { tag: "Named", value: { from: 1n, to: 2n } },
];
export const page: shapes.Page = new flow.HostToken(null);
export const nothing: shapes.Nothing = {};
export const items: [shapes.ShapesItem, shapes.MoreShapesItem] = [{ n: 1n }, { m: "a" }];`,
  "fields of a type parameter, optional exactly where it is an Option": `
export const plain: shapes.Box<bigint> = { item: 1n, rest: [] };
export const optional: shapes.Box<flow.Option<bigint>>[] = [{ rest: [flow.None] }, { item: 1n, maybe: flow.Some(1n), rest: [] }];
export const two: shapes.Box<flow.Option<flow.Option<bigint>>> = { item: flow.Some(1n), rest: [] };
export const enums: shapes.Box<shapes.Color> = { item: { tag: "Red" }, rest: [] };
export const tree: shapes.Tree<string> = { value: "a", children: [{ value: "b", children: [] }] };
export function sum(box: shapes.Box<bigint>): bigint { return box.item + (box.maybe ?? 0n); }
export function read(choice: shapes.Choice<bigint, flow.Option<string>>): string | undefined {
  return choice.tag === "Right" ? choice.value.b : String(choice.value);
}`,
  "calls of a program": `
export async function program(run: flow.ToolCaller, calls: docs.Calls): Promise<string> {
  const outcome = await calls.find({ query: "a" }, { timeoutMs: 1 });
  if (outcome.tag === "Ok") return outcome.value.map((document) => document.title).join();
  if (outcome.tag === "Failed") return outcome.value.tag === "BadQuery" ? outcome.value.value : "unavailable";
  return outcome.value + String(run);
}
export async function generic(calls: shapes.Calls, k: shapes.Box<bigint>, d: flow.FlowDict<bigint, string>, s: flow.FlowSet<bigint>) {
  const outcome = await calls.pair<bigint, string, boolean>({ k, v: "a", d, s }, { types: { bindings: { K: "Int", V: "Text", W: "Bool" } } });
  if (outcome.tag !== "Ok" || outcome.value.tag !== "Left") return undefined;
  const left: bigint = outcome.value.value;
  return left;
}
export const none = (calls: shapes.Calls) => calls.shapesNothing({});`,
  "the runtime's contexts for those of the methods": `
import type { Context, GenericContext } from "../../src/toolkit/context.ts";
export const plain = (ctx: Context): flow.ToolContext => ctx;
export const generic = (ctx: GenericContext): flow.GenericToolContext<"K" | "V"> => ctx;`,
  "values of a type parameter as JSON": `
export const pair: Pick<shapes.Tools, "pair"> = {
  pair({ k, v, d }, ctx) {
    const item: flow.JsonValue | undefined = k.item;
    const found: flow.JsonValue | undefined = d.get(v);
    ctx.codec("K")?.encode(item);
    if (ctx.compare("K", v, v) !== 0 || ctx.set("K", [v]).has(null) || ctx.dict("V", [[v, 1n]]).size > 1) return err({ n: 2n });
    return found === undefined ? err({ n: 1n }) : ok({ tag: "Right", value: { n: 1n } });
  },
};`,
};

/** Each is refused, on the line and with the words given. */
const WRONG: Readonly<Record<string, readonly [text: string, line: number, says: string]>> = {
  "a missing Tool": [`export const tools: docs.Tools = { read: () => err({ tag: "Unavailable" }) };`, 1, "Property 'find' is missing"],
  "a method that is no Tool": [
    `export const tools: docs.Tools = {\n  read: () => err({ tag: "Unavailable" }),\n  find: () => ok([]),\n  lose: () => ok([]),\n};`,
    4,
    "'lose' does not exist",
  ],
  "a number for an Int": [`export const item: shapes.ShapesItem = { n: 1 };`, 1, "'number' is not assignable to type 'bigint'"],
  "a number for a Decimal": [
    `export const scalars: Pick<shapes.Scalars, "decimal"> = { decimal: 1.5 };`,
    1,
    "'number' is not assignable to type 'Decimal'",
  ],
  "a result that is no outcome": [`export const tools: Pick<docs.Tools, "find"> = { find: () => [] };`, 1, "is not assignable to type"],
  "a value of another type": [`export const tools: Pick<docs.Tools, "find"> = { find: () => ok("a") };`, 1, "is not assignable to type"],
  "an error of another type": [
    `export const tools: Pick<docs.Tools, "find"> = { find: () => err({ tag: "NotFound", value: "a" }) };`,
    1,
    "is not assignable to type",
  ],
  "a parameter of another name": [
    `export const tools: Pick<docs.Tools, "find"> = { find: ({ text }) => err({ tag: "BadQuery", value: text }) };`,
    1,
    "Property 'text' does not exist",
  ],
  "an argument of another type": [`export const call = (calls: docs.Calls) => calls.find({ query: 1n });`, 1, "'bigint' is not assignable"],
  "an argument too many": [`export const call = (calls: docs.Calls) => calls.find({ query: "", limit: 1n });`, 1, "'limit' does not exist"],
  "arguments for a Tool without parameters": [
    `export const call = (calls: shapes.Calls) => calls.shapesNothing({ a: 1n });`,
    1,
    "is not assignable to type 'never'",
  ],
  "a write": [`export const write = (document: docs.Document): void => { document.title = ""; };`, 1, "read-only property"],
  "undefined for an optional field that is left out": [
    `export const optional: shapes.Optional = { one: undefined, inside: [] };`,
    1,
    "exactOptionalPropertyTypes",
  ],
  "a field of a type parameter left out where the argument is no Option": [
    `export const box: shapes.Box<bigint> = { rest: [] };`,
    1,
    "Property 'item' is missing",
  ],
  "an Option's own shape in a field of a type parameter": [
    `export const box: shapes.Box<flow.Option<bigint>> = { item: flow.None, rest: [] };`,
    1,
    "is not assignable to type 'bigint'",
  ],
  "an optional field read as if it were there": [
    `export const sum = (box: shapes.Box<flow.Option<bigint>>): bigint => box.item + 1n;`,
    1,
    "is possibly 'undefined'",
  ],
  "an Int used as a number": [`export const index = (item: shapes.ShapesItem, list: string[]) => list[item.n];`, 1, "bigint"],
  "a type parameter that the Tool does not have": [
    `export const pair = (ctx: flow.GenericToolContext<"K">) => ctx.codec("X");`,
    1,
    "not assignable to parameter of type '\"K\"'",
  ],
  "a generic call without its types": [
    `export const call = (calls: shapes.Calls, args: shapes.PairArgs<bigint, string>) => calls.pair(args);`,
    1,
    "Expected 2 arguments",
  ],
  "a generic call that forgets a type parameter": [
    `export const call = (calls: shapes.Calls, args: shapes.PairArgs<bigint, string>) =>\n  calls.pair(args, { types: { bindings: { K: "Int", V: "Text" } } });`,
    2,
    "Property 'W' is missing",
  ],
  "a constructor that is none": [`export const color: shapes.Color = { tag: "Blue" };`, 1, "is not assignable to type"],
  "a payload where there is none": [`export const color: shapes.Color = { tag: "Red", value: 1n };`, 1, "'value' does not exist"],
};

let met: Record<string, string[]>;

beforeAll(async () => {
  const files: Record<string, string> = {
    "generated/docs.ts": await generatedFrom(DOCS),
    "generated/shapes.ts": await generatedFrom(SHAPES),
  };
  for (const [name, text] of Object.entries(RIGHT)) files[`right ${name}.ts`] = HEAD + text;
  for (const [name, [text]] of Object.entries(WRONG)) files[`wrong ${name}.ts`] = HEAD + text;
  met = compile(files);
});

/** What is said beside names of the head that a text has no use for. */
const said = (path: string): string[] => (met[path] ?? []).filter((text) => Number(text.split(" ")[0]) > HEAD_LINES);

describe("generated source", () => {
  it("compiles under the strictest options", () => {
    expect(met["generated/docs.ts"]).toEqual([]);
    expect(met["generated/shapes.ts"]).toEqual([]);
  });

  it.each(Object.keys(RIGHT))("takes %s", (name) => {
    expect(said(`right ${name}.ts`)).toEqual([]);
  });

  it.each(Object.entries(WRONG))("refuses %s", (name, [, line, says]) => {
    const [first, ...others] = said(`wrong ${name}.ts`);
    expect(first).toContain(says);
    expect(first?.split(" ")[0]).toBe(String(HEAD_LINES + line));
    expect(others).toEqual([]);
  });
});
