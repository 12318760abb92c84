import { describe, expect, it } from "vitest";
import { accepted, refusals, sentence } from "./programs.ts";

describe("finite values (R22)", () => {
  it.each([
    ["type T { x: T }", ["recursion 1:6 T"]],
    ["type A { b: B }\ntype B { a: A }", ["recursion 1:6 A", "recursion 2:6 B"]],
    ["type A { b: B }\ntype B { b: B }\ntype C { a: List<A> }", ["recursion 1:6 A", "recursion 2:6 B"]],
    ["type T { x: (Int, T) }", ["recursion 1:6 T"]],
    ["type T { x: Box<T> }\ntype Box<A> { item: A }", ["recursion 1:6 T"]],
    ["type T { A(T), B(T, Int), C { x: T } }", ["recursion 1:6 T"]],
    ["type T<A> { x: T<A>, y: A }", ["recursion 1:6 T"]],
    ["type E<X, Y> { L(X), R(Y) }\ntype T { x: E<T, T> }\ntype U { x: E<U, Int> }", ["recursion 2:6 T"]],
    ["type T { x: Result<T, T> }", ["recursion 1:6 T"]],
    [
      "type A { x: Box<A> }\ntype B { x: Box<B> }\ntype Box<T> { x: T, y: Box<T> }",
      ["recursion 1:6 A", "recursion 2:6 B", "recursion 3:6 Box"],
    ],
  ])("%s", async (text, expected) => {
    expect(await refusals(text)).toEqual(expected);
  });

  it.each([
    "type T { x: Option<T>, y: List<T>, z: Set<T>, d: Dict<Text, T> }",
    "type T { A(T), B }",
    "type T { x: Result<Int, T> }",
    "type Ph<A> { n: Int }\ntype T { x: Ph<T> }",
    "type T { x: (T) -> T, y: Task<T> }",
    "type T { x: Never }\ntype U { x: T }",
    "@tool type Page\ntype T { x: Page }",
  ])("%s is fine", async (text) => {
    await accepted(text);
  });

  it("say which member is in the way", async () => {
    expect(await sentence("type Box<A> { item: A }\ntype T { n: Int, next: Box<T> }")).toContain(
      "its field `next` needs a value of `T` first",
    );
    expect(await sentence("type T { A(T) }")).toContain("add a constructor that does not");
  });

  it("are not asked of a declaration that could not be read", async () => {
    expect(await refusals("type T { A(T), B(?) }")).toEqual(["syntax 1:18 ?"]);
  });

  it("stay cheap for many types and long chains", async () => {
    const chain = Array.from({ length: 3_000 }, (_, i) => `type T${i} { x: T${(i + 1) % 3_000} }`).join("\n");
    const met = await refusals(chain);
    expect(met).toHaveLength(1_000);
    expect(new Set(met.map((text) => text.split(" ")[0]))).toEqual(new Set(["recursion"]));
  });
});

describe("growing arguments (R22)", () => {
  it.each([
    ["type T<A> { x: Option<T<List<A>>> }", ["recursion 1:6 T"]],
    [
      "type T<A> { x: Option<U<A>> }\ntype U<A> { x: List<T<(A, A)>> }\ntype V<A> { x: List<V<V<A>>> }",
      ["recursion 2:6 U", "recursion 3:6 V"],
    ],
    ["type Ph<A> { n: Int }\ntype T<A> { x: Ph<T<List<A>>> }", ["recursion 2:6 T"]],
    ["type T<A> { f: (T<Option<A>>) -> Int }", ["recursion 1:6 T"]],
  ])("%s", async (text, expected) => {
    expect(await refusals(text)).toEqual(expected);
  });

  it.each([
    "type T<A> { x: Option<T<A>>, y: A }",
    "type T<A, B> { x: Option<T<B, A>>, y: A }",
    "type T<A> { x: Option<T<List<Int>>>, y: A }",
    "type A<T> { b: List<B<List<T>>> }\ntype B<T> { t: T }",
  ])("%s is fine", async (text) => {
    await accepted(text);
  });

  it("say what to hold instead", async () => {
    expect(await sentence("type T<A, B> { x: Option<T<List<A>, B>> }")).toContain("hold `T<A, B>` itself");
  });
});
