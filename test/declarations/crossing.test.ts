import { describe, expect, it } from "vitest";
import { accepted, local, refusals, sentence } from "./programs.ts";

const tool = (params: string, ok = "Unit", err = "Never"): string => `@tool flow f(${params}) -> Result<${ok}, ${err}>`;
const OPAQUE = "opaque type O { O(Int) }\ntype W { w: Option<(Int, O)> }\ntype V { A, B(W) }\n";

describe("opaque types in replies (R15)", () => {
  it("are refused in success and error types, wherever a value could hold one", async () => {
    expect(await refusals(OPAQUE + tool("", "List<O>", "V"))).toEqual(["crossing 4:31 O", "crossing 4:35 V"]);
    expect(await sentence(OPAQUE + tool("", "V"))).toContain("met `V.B → W.w → O`, which is opaque");
    expect(await refusals(`${OPAQUE}type Box<T> { x: T }\n${tool("", "Box<(Int, O)>", "Result<Int, W>")}`)).toEqual([
      "crossing 5:36 O",
      "crossing 5:53 W",
    ]);
  });

  it("are fine in parameters, in phantom arguments and in types that no reply reaches", async () => {
    await accepted(`${OPAQUE}type Ph<T> { n: Int }\n${tool("a: O, b: V", "Ph<O>", "Ph<List<V>>")}`);
  });

  it("are found across files", async () => {
    const met = await refusals(
      local({
        "main.flow": `use "./o"\n${tool("", "o.W")}`,
        "o.flow": OPAQUE.replaceAll("type", "pub type").replace("opaque pub", "pub opaque"),
      }),
    );
    expect(met).toEqual(["crossing 2:28 W"]);
  });
});

describe("functions and Tasks (R15)", () => {
  it.each([
    [tool("g: (Int) -> Int"), "crossing 1:17 a function", "met a function; only values cross"],
    [tool("g: List<Task<Int>>"), "crossing 1:22 a Task", "expected data in a parameter, met a Task"],
    [tool("", "() -> Int"), "crossing 1:26 a function", "the success type"],
    [tool("", "Unit", "Option<Task<Int>>"), "crossing 1:39 a Task", "the error type"],
    [`type A { f: Option<(Int) -> Int> }\n${tool("a: A")}`, "crossing 2:17 A", "met `A.f`, which holds a function or a Task"],
    [`type A<T> { t: T }\n${tool("a: A<Task<Int>>")}`, "crossing 2:19 a Task", "met a Task"],
    [
      `type A { x: B }\ntype B { x: C }\ntype C { x: D }\ntype D { x: E }\ntype E { x: Task<Int> }\n${tool("a: A")}`,
      "crossing 6:17 A",
      "`A.x → B.x → … → E.x`",
    ],
  ])("%s", async (text, place, says) => {
    expect(await refusals(text)).toEqual([place]);
    expect(await sentence(text)).toContain(says);
  });

  it("are fine in types that no Tool reaches", async () => {
    await accepted("type A { f: (Int) -> Int, t: Task<Int> }");
  });
});

describe("order (R12)", () => {
  it.each([
    [tool("s: Set<(Int) -> Int>"), "order 1:21"],
    ["type A { s: Set<Task<Int>> }", "order 1:17"],
    ["@tool type Page\ntype A { s: Set<Page> }", "order 2:17 Page"],
    ["@tool type Page\ntype A { d: Dict<Page, Int> }", "order 2:18 Page"],
    ["@tool type Page\ntype B { p: List<Page> }\ntype A { s: Option<Set<(Int, B)>> }", "order 3:30 B"],
    [`@tool type Page\ntype S<T> { s: Set<T> }\n${tool("s: S<List<Page>>")}`, "order 3:24 Page"],
    ["@tool type Page\ntype S<T> { s: Set<T> }\ntype R<T> { s: S<T> }\ntype A { r: R<Page> }", "order 4:15 Page"],
  ])("%s", async (text, place) => {
    expect((await refusals(text)).map((met) => met.replace(/ $/, ""))).toEqual([place]);
    expect(await sentence(text)).toContain("a Set item or Dict key that has an order");
  });

  it("is not asked of values, of phantom arguments, of a Tool's type parameters", async () => {
    await accepted(
      `@tool type Page\ntype Ph<T> { n: Int }\ntype A { d: Dict<Text, Page>, p: Ph<Set<Page>>, s: Set<Ph<Page>>, f: (Set<Page>) -> Int }\n@tool flow f<T>(s: Set<T>, d: Dict<(T, Int), Page>) -> Result<Unit, Never>`,
    );
  });
});
