import { describe, expect, it } from "vitest";
import { accepted, local, refusals, sentence } from "./programs.ts";

describe("names", () => {
  it("mean a type parameter before a type of the file", async () => {
    const { types } = await accepted("type A<B> { x: B }\ntype B {}\n@tool flow f(a: A<B>) -> Result<Unit, Never>");
    const a = types.get("t1");
    expect(a?.kind === "record" && a.fields[0]?.type).toEqual({ Param: { owner: "t1", index: 0 } });
  });

  it.each([
    ["type A { x: Lost }", "unknown-name 1:13 Lost", "declare it, or import its file"],
    ["type A { x: lost.B }", "unknown-name 1:13 lost", 'add a line like `use "./lost"`'],
    ["type A { x: json.Text }", "unknown-name 1:18 Text", "`json` holds one type"],
    ["type A { x: Value }", "unknown-name 1:13 Value", "met `Value`"],
    ["type A<T> { x: T<Int> }", "arity 1:16 T", "expected no type arguments for `T`, met 1"],
    ["type A { x: Int<Int> }", "arity 1:13 Int", "expected no type arguments for `Int`, met 1"],
    ["type A { x: json.Value<Int> }", "arity 1:18 Value", "met 1"],
    ["type A { x: List }", "arity 1:13 List", "expected 1 type argument for `List`, met none"],
    ["type A { x: Dict<Int> }", "arity 1:13 Dict", "expected 2 type arguments for `Dict`, met 1"],
    ["type A<T, U> {}\ntype B { x: A<Int> }", "arity 2:13 A", "expected 2 type arguments for `A`, met 1"],
    ["type A { x: Result<Int> }", "arity 1:13 Result", "met 1"],
    ["@tool flow f() -> Result<Int>", "arity 1:19 Result", "met 1"],
    ["type A {}\ntype A {}", "duplicate 2:6 A", "the type `A` a second time"],
    ["type A { X, Y, X(Int) }", "duplicate 1:16 X", "the constructor `X`"],
    ["type A { X { a: Int, a: Int } }", "duplicate 1:22 a", "the field `a`"],
    ["type A<T, T> {}", "duplicate 1:11 T", "the type parameter `T`"],
    ["@tool flow f<T, T>() -> Result<Unit, Never>", "duplicate 1:17 T", "the type parameter `T`"],
    ["@tool flow f() -> Result<Unit, Never>\n@tool flow f() -> Result<Unit, Never>", "duplicate 2:12 f", "the Tool `f` a second time"],
    ["type Text {}", "reserved 1:6 Text", "which is a built-in type"],
    ["type Result { A }", "reserved 1:6 Result", "which is a built-in type"],
    ["type A<Int> { x: Int }", "reserved 1:8 Int", "a type parameter named `Int`"],
    ["@tool flow f() -> Int", "return-type 1:19 f", "met `Int`"],
    ["@tool flow f() -> (Int, Text)", "return-type 1:19 f", "met `(Int, Text)`"],
    ["@tool flow f() -> Task<Result<Int, Text>>", "return-type 1:19 f", "to return `Result<T, E>`"],
    ["@tool flow f<T>() -> T", "return-type 1:22 f", "met `T`"],
  ])("%s", async (text, place, says) => {
    expect(await refusals(text)).toEqual([place]);
    expect(await sentence(text)).toContain(says);
  });

  it("are used with equal names where they are in no danger of each other", async () => {
    await accepted("type A { A(Int), B { a: Int }, C { a: Int } }\ntype C<A> { a: A }\n@tool flow a(a: A) -> Result<A, C<A>>");
  });

  it("say which alias a type stands behind", async () => {
    const files = { "main.flow": 'use "./other"\ntype A { x: B }', "other.flow": "pub type B {}" };
    expect(await sentence(local(files))).toContain("write `other.B` for the type of other.flow");
  });

  it("are cut where they are long, however often a sentence says them", async () => {
    const long = "Long".repeat(1_000);
    for (const main of [`type A { x: ${long} }`, `type A { x: ${long.toLowerCase()}.B }`, `use "./other"\ntype A { x: ${long} }`]) {
      expect(
        (await sentence(local({ "main.flow": main, "other.flow": `pub type ${main.startsWith("use") ? long : "B"} {}` }))).length,
      ).toBeLessThan(300);
    }
  });

  it("of private types are seen in their own file only, through an alias of it too", async () => {
    const files = {
      "main.flow": 'use "./other"\ntype A { x: other.B, y: other.Page, z: other.C }',
      "other.flow": 'use "./other"\ntype B { x: List<other.C> }\n@tool type Page\npub type C { x: B, y: Page }',
    };
    expect(await refusals(local(files))).toEqual(["private 2:19 B", "private 2:31 Page"]);
    expect(await sentence(local({ ...files, "main.flow": 'use "./other"\ntype A { x: other.B }' }))).toContain(
      "private to other.flow; mark it `pub` there",
    );
  });
});
