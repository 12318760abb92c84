/** The author's runtime as *Toolkits* has it, asked directly: texts in, texts out; values in, values out. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Decimal } from "../../src/json/decimal.ts";
import { parseJson } from "../../src/json/read.ts";
import { readDescription } from "../../src/protocol/description.ts";
import type { Toolset } from "../../src/protocol/toolset.ts";
import { writeCallViews } from "../../src/signature/writeview.ts";
import { ok } from "../../src/toolkit/author.ts";
import { implement } from "../../src/toolkit/implement.ts";
import type { Toolkit } from "../../src/toolkit/toolkit.ts";
import type { TypeSpec } from "../../src/types/terms.ts";
import { HostToken } from "../../src/values/shapes.ts";
import { authoredToolkit, ENDING_NAMES, identityOf, type Methods, methods } from "./authored.ts";

const ITEM = '{"id":"a","n":1,"price":0.1}';
const never = new AbortController().signal;

let toolkit: Toolkit<Methods, unknown>;
let toolset: Toolset;
const ran: string[] = [];

beforeAll(async () => {
  toolkit = await authoredToolkit();
  toolset = implement(
    toolkit,
    methods((order) => ran.push(order)),
  );
});

beforeEach(() => {
  ran.length = 0;
});

interface Parts {
  readonly tool?: string;
  readonly schema?: string;
  readonly types?: string;
}

/** The outcome as JSON. */
async function answer(args: string, { tool = identityOf("act"), ...views }: Parts = {}, by = toolset): Promise<Record<string, unknown>> {
  return JSON.parse(await by.answer({ run: "r", call: "1", tool, args, ...views }, never)) as Record<string, unknown>;
}

const act = (order: string, item = ITEM) => answer(`{"order":${JSON.stringify(order)},"item":${item}}`);

function specOf(method: string): TypeSpec {
  const found = toolkit.tools.find((tool) => tool.method === method);
  if (found === undefined) throw new Error(`no ${method}`);
  return found.spec;
}

describe("describe", () => {
  it("answers from the declarations, so its fingerprints are the declarations' own", async () => {
    const { data, tools } = readDescription(parseJson(await toolset.describe("0.1"), { depth: 1_000 }));
    const document = await toolkit.document();
    expect(data).toBe("0.1");
    expect(tools).toEqual(document.tools.map(({ tool, fingerprint, signature }) => ({ tool, fingerprint, signature })));
    expect(tools).toHaveLength(5);
  });
});

describe("a call that cannot be made is NotRun, and the code never ran", () => {
  it.each([
    ["of another kind", `{"order":7,"item":${ITEM}}`, 'kind: .*in "order"'],
    ["whose part is of another kind", '{"order":"ok","item":{"id":"a","n":"1","price":1}}', 'kind: .*/n.*in "item"'],
    ["not whole", '{"order":"ok","item":{"id":"a","n":1.5,"price":1}}', "not-whole"],
    ["with a member missing", '{"order":"ok","item":{"id":"a","n":1}}', "missing-member"],
    ["with a member that is not declared (R5)", '{"order":"ok","item":{"id":"a","n":1,"price":1,"x":1}}', "undeclared-member"],
    ["spelled differently", '{"order":"ok","item":{"id":"a","n":1,"price":1,"at":"yesterday"}}', "spelling"],
    ["with the same member twice", `{"order":"ok","order":"ok","item":${ITEM}}`, "duplicate-member"],
    ["past a limit", '{"order":"ok","item":{"id":"a","n":1e5000,"price":1}}', "limit"],
    ["one too few", `{"item":${ITEM}}`, 'missing-member: .*"order"'],
    ["one too many", `{"order":"ok","item":${ITEM},"more":1}`, 'undeclared-member: .*"more"'],
    ["called as every object's members are", `{"order":"ok","item":${ITEM},"toString":1}`, "undeclared-member"],
    ["no object", "[]", "kind: .*an array"],
    ["no JSON", "{", "syntax"],
    ["half a character", '{"order":"\\ud800","item":{}}', "lone-surrogate"],
  ])("arguments %s", async (_, args, reason) => {
    expect(await answer(args)).toEqual({ NotRun: expect.stringMatching(new RegExp(reason)) });
    expect(ran).toEqual([]);
  });

  it.each([identityOf("other"), "main.flow.act", "r.x/b@1.2.0/main.flow.act", "", "toString", "r.x/a@1.2.0/main.flow.act.act"])(
    "a declaration it does not serve: %j",
    async (tool) => {
      expect(await answer(`{"order":"ok","item":${ITEM}}`, { tool })).toEqual({ NotRun: expect.stringContaining("not-served") });
      expect(await toolset.answerValues?.({ run: "r", call: "1", tool, values: {} }, { signal: never })).toMatchObject({ tag: "NotRun" });
      expect(ran).toEqual([]);
    },
  );

  it("a declaration of another version is the same one (R36)", async () => {
    for (const version of ["9.0.0", "1.2.0-rc.1"]) {
      expect(await answer(`{"order":"ok","item":${ITEM}}`, { tool: identityOf("act", version) })).toHaveProperty("Ok");
    }
    expect(await answer(`{"order":"ok","item":${ITEM}}`, { tool: "r.x/a/main.flow.act" })).toHaveProperty("Ok");
  });

  it("views on a call that is not generic", async () => {
    const args = `{"order":"ok","item":${ITEM}}`;
    for (const views of [{ schema: "{}" }, { types: "{}" }, { schema: "null", types: "null" }]) {
      expect(await answer(args, views)).toEqual({ NotRun: expect.stringContaining("member") });
    }
    expect(ran).toEqual([]);
  });

  describe("a generic call", () => {
    const args = '{"box":{"item":1,"more":[2]},"items":[3]}';
    const tool = identityOf("gather");
    const views = (type: unknown = "Int") => writeCallViews(specOf("gather"), { bindings: { T: type as never } });

    it("without its views, or with another's", async () => {
      const { schema, types } = views();
      const text = views("Text");
      for (const [given, reason] of [
        [{}, "member"],
        [{ schema }, "member"],
        [{ types }, "member"],
        [{ schema: "null", types }, "shape"],
        [{ schema, types: "null" }, "shape"],
        [{ schema: text.schema, types }, "mismatch"],
        [{ schema, types: text.types }, "mismatch"],
        [{ schema, types: "{" }, "syntax"],
        [{ schema, types: types.replace('"Int"', '"Txt"') }, "unknown-term"],
        [{ schema, types: types.replace("Box", "Bag") }, "conflict|mismatch"],
        [writeCallViews(specOf("ghost"), { bindings: { P: "Int" } }), "mismatch"],
      ] as const) {
        expect(await answer(args, { tool, ...given }), JSON.stringify(given)).toEqual({ NotRun: expect.stringMatching(reason) });
      }
      expect(ran).toEqual([]);
      expect(await answer(args, { tool, ...views() })).toEqual({ Ok: [1, 2, 3] });
      // What was read of good views is not taken for bad ones, nor for good ones that say something else.
      expect(await answer(args, { tool, schema: text.schema, types })).toHaveProperty("NotRun");
      expect(await answer(args, { tool, ...text })).toEqual({ NotRun: expect.stringContaining("kind") });
    });

    it("whose roots need a codec that there is none of", async () => {
      const { schema, types } = views();
      const task = types.replaceAll('"Int"', '{"Task":"Int"}');
      expect(await answer(args, { tool, schema, types: task })).toEqual({ NotRun: expect.stringMatching("crossing") });
      expect(ran).toEqual([]);
    });

    it("whose arguments are none of the bound types", async () => {
      for (const [given, reason] of [
        ['{"box":{"item":"1","more":[]},"items":[]}', "kind"],
        ['{"box":{"item":1,"more":[]},"items":[2,1]}', "order"],
        ['{"box":{"more":[]},"items":[]}', "missing-member"],
      ] as const) {
        expect(await answer(given, { tool, ...views() })).toEqual({ NotRun: expect.stringContaining(reason) });
      }
      expect(ran).toEqual([]);
    });
  });
});

describe("what the author's code does", () => {
  it("ok and err are the declared success and the declared error, exactly", async () => {
    const exact =
      '{"at":"2026-01-01T00:00:00.5Z","id":"é\u{1f600}","n":340282366920938463463374607431768211457,"price":0.1000000000000000000000000001}';
    expect(await toolset.answer({ run: "r", call: "1", tool: identityOf("act"), args: `{"order":"ok","item":${exact}}` }, never)).toBe(
      `{"Ok":${exact}}`,
    );
    expect(await act("fail")).toEqual({ Failed: { Bad: { code: 1, why: "a" } } });
    expect(await act("empty")).toEqual({ Failed: "Empty" });
  });

  it.each(ENDING_NAMES)("%s: Unknown, since what it did before is not known", async (order) => {
    expect(await act(order)).toEqual({ Unknown: expect.any(String) });
    expect(ran).toEqual([order]);
    const item = { id: "a", n: 1n, price: Decimal.from("0.1") };
    const call = { run: "r", call: "1", tool: identityOf("act"), values: { order, item } };
    expect(await toolset.answerValues?.(call, { signal: never })).toEqual({ tag: "Unknown", reason: expect.any(String), from: "tool" });
  });

  it("says why, with the code of what does not encode and its place", async () => {
    expect(await act("throw")).toEqual({ Unknown: expect.stringContaining("the code broke off") });
    expect(await act("reject")).toEqual({ Unknown: expect.stringContaining("TypeError: later") });
    expect(await act("a number for an Int")).toEqual({ Unknown: expect.stringMatching(/kind: .*bigint.* at \/n/) });
    expect(await act("return another outcome")).toEqual({ Unknown: expect.stringContaining("neither ok(value) nor err(error)") });
  });

  it("gets host tokens and opaque values, and gives tokens back as they were (R14)", async () => {
    const page = '{"a":[1,2.50,null]}';
    expect(await answer(`{"page":${page},"secret":{"Approved":5}}`, { tool: identityOf("turn") })).toEqual({ Ok: { a: [1, 2.5, null] } });
    const made = implement(toolkit, { ...methods(), turn: ({ page }) => ok(page instanceof HostToken ? page : undefined) });
    expect(await answer(`{"page":${page},"secret":{"Approved":5}}`, { tool: identityOf("turn") }, made)).toHaveProperty("Ok");
  });

  it("is handed values in process, and what it returns goes out as it is", async () => {
    const item = { id: "a", n: 1n, price: Decimal.from("0.1") };
    const reply = await toolset.answerValues?.(
      { run: "r", call: "1", tool: identityOf("act"), values: { order: "ok", item } },
      { signal: never },
    );
    expect(reply).toEqual({ tag: "Ok", value: item });
    expect((reply as { value: unknown }).value).toBe(item);
    const generic = { run: "r", call: "1", tool: identityOf("ghost"), values: { n: 1n } };
    expect(await toolset.answerValues?.(generic, { signal: never })).toBeUndefined();
  });

  it("has its methods called as methods", async () => {
    class Author {
      readonly name = "of the author";
      act(): unknown {
        return ok({ id: this.name, price: Decimal.from("1"), n: 1n });
      }
      turn(): unknown {
        return undefined;
      }
      gather(): unknown {
        return undefined;
      }
      swap(): unknown {
        return undefined;
      }
      ghost(): unknown {
        return undefined;
      }
    }
    const made = implement(toolkit, new Author() as unknown as Methods);
    expect(await answer(`{"order":"ok","item":${ITEM}}`, {}, made)).toMatchObject({ Ok: { id: "of the author" } });
  });
});

describe("implement", () => {
  it("wants a method for each Tool", () => {
    const { ghost, ...others } = methods();
    expect(() => implement(toolkit, others as Methods)).toThrow(expect.objectContaining({ code: "usage", tool: identityOf("ghost") }));
    expect(() => implement(toolkit, { ...others, ghost: "no function" } as never)).toThrow(expect.objectContaining({ code: "usage" }));
    expect(ghost).toBeTypeOf("function");
  });

  it("wants limits that are some", () => {
    expect(() => implement(toolkit, methods(), { limits: { depth: 0 } })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("has limits of its own: arguments past them are NotRun and a result past them Unknown, in process too", async () => {
    const seen: string[] = [];
    const low = implement(
      toolkit,
      methods((order) => seen.push(order)),
      { limits: { digits: 3 } },
    );
    const values = (n: bigint) => ({ order: "ok", item: { id: "a", n, price: Decimal.from("1") } });
    const inProcess = (n: bigint) =>
      low.answerValues?.({ run: "r", call: "1", tool: identityOf("act"), values: values(n) }, { signal: never });
    expect(await answer('{"order":"ok","item":{"id":"a","n":1000,"price":1}}', {}, low)).toEqual({
      NotRun: expect.stringContaining("limit"),
    });
    expect(await inProcess(1000n)).toEqual({ tag: "NotRun", reason: expect.stringMatching(/limit: .*in "item"/), from: "tool" });
    expect(seen).toEqual([]);
    expect(await answer('{"order":"ok","item":{"id":"a","n":999,"price":1}}', {}, low)).toHaveProperty("Ok");
    expect(await inProcess(999n)).toHaveProperty("value");
    const many = implement(toolkit, { ...methods(), act: ({ item }) => ok({ ...item, n: 10n ** 9n }) }, { limits: { digits: 3 } });
    expect(await answer('{"order":"ok","item":{"id":"a","n":1,"price":1}}', {}, many)).toEqual({
      Unknown: expect.stringContaining("limit"),
    });
  });

  it("reads each set of views once, however many calls bring it, and keeps only so many", async () => {
    const spec = specOf("ghost");
    const seen = new Set<unknown>();
    const made = implement(toolkit, { ...methods(), ghost: (_, { view }) => ok(String(seen.add(view).size)) });
    const call = (type: unknown) =>
      answer('{"n":1}', { tool: identityOf("ghost"), ...writeCallViews(spec, { bindings: { P: type as never } }) }, made);
    for (let i = 0; i < 3; i++) for (const type of ["Int", "Text", { List: "Int" }]) await call(type);
    expect(seen.size).toBe(3);
    const tuple = (i: number) => ({
      Tuple: Array.from({ length: 2 + (i % 20) }, (_, part) => (((i * 7) >> part) & 1 ? "Int" : { List: "Text" })),
    });
    const types = Array.from({ length: 400 }, (_, i) => ({ List: { Tuple: [tuple(i), { Dict: [tuple(i + 1), tuple(i * 3)] }] } }));
    for (const type of types) expect(await call(type)).toHaveProperty("Ok");
    // The first ones went, and are read again.
    const before = seen.size;
    await call("Int");
    expect(seen.size).toBe(before + 1);
  });
});
