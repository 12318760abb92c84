/** What a method gets beside its arguments: ids, a signal, and in a generic call the caller's types. */
import { beforeAll, describe, expect, it } from "vitest";
import { bindToolset } from "../../src/bindings/toolset.ts";
import { createHost } from "../../src/host/host.ts";
import type { Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import { parseJson } from "../../src/json/read.ts";
import { jsonObject } from "../../src/json/value.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { schemaOf } from "../../src/schema/schema.ts";
import { type GenericTypes, writeCallViews } from "../../src/signature/writeview.ts";
import { implement } from "../../src/toolkit/implement.ts";
import { err, type GenericToolContext, type JsonValue, ok, type ToolContext } from "../../src/toolkit/index.ts";
import type { Toolkit } from "../../src/toolkit/toolkit.ts";
import { readTypesView } from "../../src/types/spec.ts";
import type { Term } from "../../src/types/terms.ts";
import { FlowDict } from "../../src/values/dict.ts";
import { Instant } from "../../src/values/instant.ts";
import { FlowSet } from "../../src/values/set.ts";
import { deferred } from "../host/support.ts";
import { option, record, task } from "../types/build.ts";
import { authoredToolkit, identityOf, type Methods, methods } from "./authored.ts";

let toolkit: Toolkit<Methods, unknown>;
beforeAll(async () => {
  toolkit = await authoredToolkit();
});

const ITEM = { id: "a", n: 1n, price: Decimal.from("0.1") };

/** Runs a program against methods, some of which are a test's own. */
async function running<T>(own: Partial<Methods>, work: (run: Run) => Promise<T>): Promise<T> {
  await using host = createHost({ bindings: bindings({ ...methods(), ...own }), graceMs: 10_000 });
  const tools = await toolkit.document();
  const { result } = await host.start({ program: { tools, run: (run) => work(run) } });
  return (await result) as T;
}

function bindings(all: Methods) {
  const binding = bindToolset(implement(toolkit, all));
  return new Map(toolkit.tools.map(({ tool }) => [tool, binding]));
}

const act = (run: Run, order: string, options = {}): Promise<Outcome> => run.call(identityOf("act"), { order, item: ITEM }, options);

describe("every context", () => {
  it("carries the run's id and the call's", async () => {
    const seen: ToolContext[] = [];
    const id = await running({ act: (_, ctx) => (seen.push(ctx) > 0 ? err({ tag: "Empty" }) : ok(1)) }, async (run) => {
      await act(run, "");
      await act(run, "");
      return run.id;
    });
    expect(seen.map(({ run, call }) => [run, call])).toEqual([
      [id, "1"],
      [id, "2"],
    ]);
  });

  it("has a signal that fires when the call is cancelled; what is returned in time counts", async () => {
    const out = deferred();
    const outcome = await running({}, async (run) => {
      const controller = new AbortController();
      const call = act(run, "until stopped", { signal: controller.signal });
      void out.promise.then(() => controller.abort());
      out.resolve();
      return call;
    });
    expect(outcome).toEqual({ tag: "Failed", value: { tag: "Empty" } });
  });

  it("has a signal that has fired where it is first asked for after the cancel", async () => {
    const outcome = await running({}, (run) => act(run, "stopped before it looks", { timeoutMs: 20 }));
    expect(outcome).toMatchObject({ tag: "Ok", value: { id: "true" } });
  });

  it("has a signal of its own, and no signal fires for a neighbour", async () => {
    const signals: AbortSignal[] = [];
    await running(
      {
        act: async ({ order }, { signal }) => {
          signals.push(signal);
          if (order === "stop") await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return err({ tag: "Empty" });
        },
      },
      async (run) => {
        const controller = new AbortController();
        const call = act(run, "stop", { signal: controller.signal });
        await act(run, "go");
        controller.abort();
        await call;
      },
    );
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(signals[0]?.reason).toBeInstanceOf(Error);
  });

  it("hears that the binding is closed", async () => {
    const started = deferred<AbortSignal>();
    const binding = bindToolset(
      implement(toolkit, {
        ...methods(),
        act: (_, { signal }) => {
          started.resolve(signal);
          return new Promise(() => {});
        },
      }),
    );
    const values = { order: "", item: ITEM };
    void binding.call({ run: "r", call: "1", tool: identityOf("act"), fingerprint: "", values, args: "{}" });
    const signal = await started.promise;
    await binding[Symbol.asyncDispose]();
    expect(signal.aborted).toBe(true);
  });
});

type Ctx = GenericToolContext<"T">;

/** A caller's record whose first field is `y`: as JSON objects go, `x` comes first. */
const POINT = readTypesView({
  bindings: [{ name: "p", type: { Named: { declaration: "p", args: [] } } }],
  params: [],
  ok: "Unit",
  err: "Never",
  declarations: { p: record("Point", { y: "Int", x: option("Int") }, { identity: "c.flow.Point" }) },
}).declarations;
const point: GenericTypes = { bindings: { T: { Named: { declaration: "p", args: [] } } }, declarations: POINT };
const bound = (T: Term): GenericTypes => ({ bindings: { T } });
const json = (text: string): JsonValue => parseJson(text);

describe("the context of a generic call", () => {
  /** What a method sees of a call with these arguments. */
  async function seen<T>(
    types: GenericTypes,
    args: Record<string, unknown>,
    look: (args: Parameters<Methods["gather"]>[0], ctx: Ctx) => T,
  ): Promise<T> {
    let result: { readonly value: T } | undefined;
    const outcome = await running(
      {
        gather(given, ctx) {
          result = { value: look(given, ctx) };
          return ok([]);
        },
      },
      (run) => run.call(identityOf("gather"), args, { types }),
    );
    if (result === undefined) throw new Error(JSON.stringify(outcome));
    expect(outcome).toEqual({ tag: "Ok", value: [] });
    return result.value;
  }

  const none = (T: unknown[] = []) => ({ items: FlowSet.from(T), box: { item: 1n, more: [] } });

  it("retains the validated view and the success type's schema", async () => {
    const { view, schema } = await seen(bound("Int"), none(), (_, { view, schema }) => ({ view, schema }));
    expect(view.bindings).toEqual([{ name: "T", type: "Int" }]);
    expect(view.params.map(({ name }) => name)).toEqual(["items", "box"]);
    expect(view.ok).toEqual({ List: "Int" });
    expect([...view.declarations.values()].map(({ name }) => name).sort()).toEqual(["Box", "Choice"]);
    expect(schema).toEqual(schemaOf(view.ok, view.declarations));
  });

  it("values of a type parameter are JSON, exact to the last digit", async () => {
    const at = Instant.parse("2026-01-01T00:00:00.5Z");
    const args = { items: FlowSet.from([at]), box: { item: at, more: [at] } };
    const box = await seen(bound("Instant"), args, ({ box }) => box);
    expect(box).toEqual({ item: "2026-01-01T00:00:00.5Z", more: ["2026-01-01T00:00:00.5Z"] });
    const price = Decimal.from("0.1000000000000000000000000001");
    expect(await seen(bound("Decimal"), { items: FlowSet.from([price]), box: { item: price, more: [] } }, ({ box }) => box.item)).toEqual(
      price,
    );
  });

  it("sets of them are in the order of the bound type, not of JSON", async () => {
    const values = [{ y: 2n, x: 1n }, { y: 1n, x: 9n }, { y: 1n }];
    const order = (a: { y: bigint; x?: bigint }, b: { y: bigint; x?: bigint }) => Number(a.y - b.y || (a.x ?? -1n) - (b.x ?? -1n));
    const args = { items: FlowSet.from(values, order), box: { item: { y: 0n }, more: [] } };
    await seen(point, args, ({ items }, ctx) => {
      expect([...items].map((item) => JSON.stringify(item, (_, part) => (typeof part === "bigint" ? Number(part) : part)))).toEqual([
        '{"y":1}',
        '{"x":9,"y":1}',
        '{"x":1,"y":2}',
      ]);
      // Found whatever order its members are in; an Option field that is None is left out, not null.
      expect(items.has(jsonObject({ y: 1n, x: 9n }))).toBe(true);
      expect(items.has(jsonObject({ x: 9n, y: 2n }))).toBe(false);
      const made = ctx.set("T", [json('{"y":2}'), json('{"x":1,"y":1}'), json('{"y":1,"x":1}'), json('{"y":1}')]);
      expect(made.size).toBe(3);
      expect([...made]).toEqual([json('{"y":1}'), json('{"x":1,"y":1}'), json('{"y":2}')]);
      expect(ctx.compare("T", json('{"x":9,"y":1}'), json('{"x":1,"y":2}'))).toBeLessThan(0);
      expect(ctx.equals("T", json('{"x":1,"y":1}'), json('{"y":1,"x":1}'))).toBe(true);
      expect(ctx.equals("T", json('{"y":1,"x":null}'), json('{"y":1}'))).toBe(true);
    });
  });

  it("dictionaries of them are as well, and their values are anything", async () => {
    await seen(bound("Decimal"), { ...none(), box: { item: Decimal.from("1"), more: [] } }, (_, ctx) => {
      const dict = ctx.dict("T", [
        [10n, "ten"],
        [Decimal.from("9.5"), "less"],
        [10n, "ten again"],
      ]);
      expect([...dict]).toEqual([
        [Decimal.from("9.5"), "less"],
        [10n, "ten again"],
      ]);
      expect(dict).toBeInstanceOf(FlowDict);
      expect(dict.get(Decimal.from("9.50"))).toBe("less");
    });
    const outcome = await running({}, (run) =>
      run.call(
        identityOf("swap"),
        {
          in: FlowDict.from([
            ["b", 10n],
            ["a", 9n],
          ] as const),
        },
        { types: { bindings: { K: "Text", V: "Int" } } },
      ),
    );
    // By number: as JSON texts go, "10" would come before "9".
    expect(outcome).toEqual({
      tag: "Ok",
      value: [
        [9n, "a"],
        [10n, "b"],
      ],
    });
  });

  it("a field of a type parameter follows the rule of Option fields after substitution (R4)", async () => {
    const optional = bound({ Option: "Int" });
    const args = (box: unknown) => ({ items: FlowSet.from([], () => 0), box });
    expect(await seen(optional, args({ more: [{ tag: "None" }, { tag: "Some", value: 2n }] }), ({ box }) => box)).toEqual({
      more: ["None", jsonObject({ Some: 2n })],
    });
    expect(await seen(optional, args({ item: 1n, more: [] }), ({ box }) => box)).toEqual({ item: 1n, more: [] });
    // A named part of a payload as well, on the way back.
    const named = (value: unknown) =>
      running({ gather: () => err({ tag: "Named", value } as never) }, (run) =>
        run.call(identityOf("gather"), args({ more: [] }), { types: optional }),
      );
    expect(await named({})).toEqual({ tag: "Failed", value: { tag: "Named", value: {} } });
    expect(await named({ it: 5n })).toEqual({ tag: "Failed", value: { tag: "Named", value: { it: 5n } } });
    expect(await named({ it: jsonObject({ Some: 5n }) })).toMatchObject({ tag: "Unknown" });
  });

  it("supplies codecs for the concrete roots, in which values of a type parameter are JSON", async () => {
    await seen(point, { items: FlowSet.from([], () => 0), box: { item: { y: 1n }, more: [] } }, (_, ctx) => {
      expect(ctx.ok.encode([json('{"y":1,"x":2}')])).toBe('[{"x":2,"y":1}]');
      expect(ctx.err.encode({ tag: "One", value: json('{"y":1}') })).toBe('{"One":{"y":1}}');
      expect(ctx.argument("box").decode('{"item":{"y":1},"more":[]}')).toEqual({ item: json('{"y":1}'), more: [] });
      expect(() => ctx.ok.encode([json('{"x":1}')])).toThrow(expect.objectContaining({ code: "missing-member", at: "/0" }));
      expect(() => ctx.argument("other")).toThrow(expect.objectContaining({ code: "usage" }));
    });
  });

  it("gives what a type parameter is bound to a codec with values of its own", async () => {
    await seen(point, { items: FlowSet.from([], () => 0), box: { item: { y: 1n }, more: [] } }, (_, ctx) => {
      expect(ctx.codec("T")?.decode('{"y":1}')).toEqual({ y: 1n });
      expect(ctx.codec("T")).toBe(ctx.codec("T"));
      expect(ctx.fromJson("T", json('{"y":1,"x":2}'))).toEqual({ y: 1n, x: 2n });
      expect(ctx.toJson("T", { y: 1n })).toEqual(json('{"y":1}'));
      expect(() => ctx.codec("U" as "T")).toThrow(expect.objectContaining({ code: "usage" }));
      expect(() => ctx.compare("U" as "T", null, null)).toThrow(expect.objectContaining({ code: "usage" }));
    });
    // A JSON string is a value to them, not a text to read.
    await seen(bound("Text"), { items: FlowSet.from(["1"]), box: { item: "1", more: [] } }, (_, ctx) => {
      expect(ctx.fromJson("T", "1")).toBe("1");
      expect(ctx.toJson("T", '"')).toBe('"');
    });
    await seen(bound("Instant"), { items: FlowSet.from([]), box: { item: Instant.parse("2026-01-01T00:00:00Z"), more: [] } }, (_, ctx) => {
      expect(ctx.fromJson("T", "2026-01-01T00:00:00Z")).toEqual(Instant.parse("2026-01-01T00:00:00Z"));
      expect(() => ctx.fromJson("T", 1n)).toThrow(expect.objectContaining({ code: "kind" }));
    });
  });

  it("judges what the author returns of a type parameter by the bound type", async () => {
    const returning = (value: JsonValue, types: GenericTypes) =>
      running({ gather: () => ok([value]) }, (run) =>
        run.call(
          identityOf("gather"),
          { items: FlowSet.from([], () => 0), box: { item: types === point ? { y: 1n } : 1n, more: [] } },
          { types },
        ),
      );
    expect(await returning(json('{"y":1}'), point)).toEqual({ tag: "Ok", value: [{ y: 1n }] });
    expect(await returning(json('{"y":"1"}'), point)).toMatchObject({ tag: "Unknown", value: expect.stringContaining("kind") });
    expect(await returning("1", bound("Int"))).toMatchObject({ tag: "Unknown" });
  });

  it("has no codec for what has none, and the call is answered all the same", async () => {
    const ghost = (P: Term) => running({}, (run) => run.call(identityOf("ghost"), { n: 1n }, { types: { bindings: { P } } }));
    expect(await ghost({ Function: { params: ["Int"], result: { Task: "Int" } } })).toEqual({ tag: "Ok", value: "no codec" });
    expect(await ghost({ List: { Task: "Int" } })).toEqual({ tag: "Ok", value: "no codec" });
    expect(await ghost({ List: "Int" })).toEqual({ tag: "Ok", value: "List<Int>" });
    expect(
      await running({}, (run) => run.call(identityOf("ghost"), { n: -1n }, { types: { bindings: { P: task("Int") as Term } } })),
    ).toEqual({
      tag: "Failed",
      value: "negative",
    });
    const asked = await running(
      {
        ghost(_, ctx) {
          const codes = [() => ctx.fromJson("P", 1n), () => ctx.toJson("P", 1n), () => ctx.compare("P", 1n, 2n)].map((ask) => {
            try {
              ask();
              return "nothing";
            } catch (caught) {
              return (caught as { code: string }).code;
            }
          });
          return ok(codes.join());
        },
      },
      (run) => run.call(identityOf("ghost"), { n: 1n }, { types: { bindings: { P: { Task: "Int" } } } }),
    );
    expect(asked.value).toBe("not-decodable,not-decodable,not-decodable");
  });

  it("is of its own call: calls of one Tool with other bindings, at once, do not mix", async () => {
    const kinds: readonly (readonly [GenericTypes, (i: number) => unknown])[] = [
      [bound("Int"), (i) => BigInt(i)],
      [bound("Text"), (i) => `${i}`],
      [bound({ List: "Int" }), (i) => [BigInt(i)]],
      [point, (i) => ({ y: BigInt(i) })],
    ];
    const outcomes = await running({}, (run) =>
      Promise.all(
        Array.from({ length: 80 }, (_, i) => {
          const [types, value] = kinds[i % kinds.length] as (typeof kinds)[number];
          return run.call(
            identityOf("gather"),
            { items: FlowSet.from([], () => 0), box: { item: value(i), more: [value(i + 1)] } },
            { types },
          );
        }),
      ),
    );
    for (const [i, outcome] of outcomes.entries()) {
      const value = kinds[i % kinds.length]?.[1] as (i: number) => unknown;
      const expected = [value(i), value(i + 1)];
      // Texts are in an order of their own.
      expect(outcome).toEqual({ tag: "Ok", value: i % kinds.length === 1 ? expected.sort() : expected });
    }
  });
});

describe("writing views", () => {
  it("gives equal texts for equal types, which is what they are kept by", () => {
    const spec = toolkit.tools.find(({ method }) => method === "gather")?.spec;
    if (spec === undefined) throw new Error("no gather");
    expect(writeCallViews(spec, point)).toEqual(writeCallViews(spec, { ...point, declarations: new Map(POINT) }));
  });
});
