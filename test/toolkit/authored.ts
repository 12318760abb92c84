/** Declarations, and an author's methods that do what their arguments say: the same for every way of serving them. */

import { jsonObject } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import { err, type GenericToolContext, type JsonValue, ok, type ToolContext, type ToolResult } from "../../src/toolkit/index.ts";
import { defineToolkit, type EmbeddedTool, type Toolkit } from "../../src/toolkit/toolkit.ts";
import { declarationsJson, parametersJson, termJson } from "../../src/types/write.ts";
import type { FlowDict } from "../../src/values/dict.ts";
import type { FlowSet } from "../../src/values/set.ts";
import { accepted } from "../declarations/programs.ts";

export const SOURCE = `
type Item { id: Text, price: Decimal, at: Option<Instant>, n: Int }
type Fault { Empty, Bad { why: Text, code: Option<Int> } }
type Box<A> { item: A, more: List<A> }
type Choice<A> { Nothing, One(A), Named { it: A } }
@tool type Page
opaque type Approved { Approved(Int) }
@tool flow act(order: Text, item: Item) -> Result<Item, Fault>
@tool flow turn(page: Page, secret: Approved) -> Result<Page, Never>
@tool flow gather<T>(items: Set<T>, box: Box<T>) -> Result<List<T>, Choice<T>>
@tool flow swap<K, V>(in: Dict<K, V>) -> Result<List<(V, K)>, Text>
@tool flow ghost<P>(n: Int) -> Result<Text, Text>
`;

export const VERSION = "1.2.0";
/** The identity of a Tool by its method. */
export const identityOf = (method: string, version = VERSION): string => `r.x/a@${version}/main.flow.${method}`;

export interface Item {
  readonly id: string;
  readonly price: unknown;
  readonly at?: unknown;
  readonly n: bigint;
}

export interface Methods {
  act(args: { order: string; item: Item }, ctx: ToolContext): ToolResult<unknown, unknown>;
  turn(args: { page: unknown; secret: unknown }, ctx: ToolContext): ToolResult<unknown, never>;
  gather(
    args: { items: FlowSet<JsonValue>; box: { item?: JsonValue; more: readonly JsonValue[] } },
    ctx: GenericToolContext<"T">,
  ): ToolResult<unknown, unknown>;
  swap(args: { in: FlowDict<JsonValue, JsonValue> }, ctx: GenericToolContext<"K" | "V">): ToolResult<unknown, string>;
  ghost(args: { n: bigint }, ctx: GenericToolContext<"P">): ToolResult<string, string>;
}

/** The toolkit that generated source would define. */
export async function authoredToolkit(version = VERSION): Promise<Toolkit<Methods, unknown>> {
  const program = { repositories: [{ repository: "r.x/a", version, files: { "main.flow": SOURCE } }] };
  const { tools, types } = await accepted(program);
  const embedded: Record<string, EmbeddedTool> = {};
  for (const { tool, doc, fingerprint, spec } of tools) {
    const { generic, params, ok: success, err: error } = spec;
    const roots = jsonObject({ generic, params: parametersJson(params), ok: termJson(success), err: termJson(error) });
    embedded[tool.slice(tool.lastIndexOf(".") + 1)] = { tool, doc, fingerprint, roots: canonicalText(roots) };
  }
  return defineToolkit({ data: "0.1", tools: embedded, types: canonicalText(declarationsJson(types)) });
}

/** Everything that can be wrong with what a method does, by name. */
const ENDINGS: Readonly<Record<string, () => unknown>> = {
  throw: () => {
    throw new Error("the code broke off");
  },
  reject: () => Promise.reject(new TypeError("later")),
  "throw nothing": () => {
    throw undefined;
  },
  "throw what throws": () => {
    throw new Proxy(new Error("x"), {
      get() {
        throw new Error("again");
      },
    });
  },
  "throw half a character": () => {
    throw new Error("\ud83d");
  },
  "return nothing": () => undefined,
  "return a bare value": () => ({ id: "x" }),
  "return another outcome": () => ({ tag: "NotRun", value: "not today" }),
  "return what throws": () => ({
    tag: "Ok",
    get value(): never {
      throw new Error("not yet");
    },
  }),
  "wrong value": () => ok({ id: 7 }),
  "a number for an Int": () => ok({ id: "x", price: 1n, n: 1 }),
  "wrong error": () => err({ tag: "Worse" }),
  "deep value": () => {
    const item: Record<string, unknown> = { id: "x", n: 1n };
    item["price"] = item;
    return ok(item);
  },
};

export const ENDING_NAMES: readonly string[] = Object.keys(ENDINGS);

/** @param ran Told the order of every call that reached the author's code. */
export function methods(ran: (order: string) => void = () => {}): Methods {
  return {
    act({ order, item }, ctx) {
      ran(order);
      switch (order) {
        case "ok":
          return ok(item);
        case "fail":
          return err({ tag: "Bad", value: { why: item.id, code: item.n } });
        case "empty":
          return err({ tag: "Empty" });
        case "ids":
          return ok({ ...item, id: `${ctx.run.length > 0} ${ctx.call}` });
        case "print":
          console.log("a line");
          console.info({ an: "object" });
          process.stdout.write("no line feed");
          return ok(item);
        case "until stopped":
          return new Promise((resolve) => ctx.signal.addEventListener("abort", () => resolve(err({ tag: "Empty" }))));
        case "stopped before it looks":
          return new Promise((resolve) => setTimeout(() => resolve(ok({ ...item, id: String(ctx.signal.aborted) })), 200));
        default:
          return (ENDINGS[order] as () => never)();
      }
    },
    turn: ({ page, secret }) => {
      ran((secret as { tag: string }).tag);
      return ok(page);
    },
    async gather({ items, box }, ctx) {
      ran("gather");
      // Two of these run at once: nothing of the one may be in the other after the pause.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const all = ctx.set("T", [...box.more, ...(box.item === undefined ? [] : [box.item]), ...items]);
      if (all.size === 0) return err({ tag: "Nothing" });
      const [first] = all;
      if (all.size === 1) return err({ tag: "One", value: first });
      return ok([...all]);
    },
    swap({ in: dict }, ctx) {
      ran("swap");
      return ok([
        ...ctx.dict(
          "V",
          [...dict].map(([key, value]) => [value, key]),
        ),
      ]);
    },
    ghost({ n }, ctx) {
      ran("ghost");
      return n < 0n ? err("negative") : ok(`${ctx.codec("P")?.title ?? "no codec"}`);
    },
  };
}
