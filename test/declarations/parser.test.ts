import { describe, expect, it } from "vitest";
import { tokenize } from "../../src/declarations/lexer.ts";
import { parseFile } from "../../src/declarations/parser.ts";
import { accepted, refusals, sentence, textOf } from "./programs.ts";

/** The names of what a file declares, as far as it could be read. */
function names(text: string): (string | undefined)[] {
  return parseFile(tokenize(text)).items.map((item) => (item.kind === "use" ? item.path : item.name?.text));
}

describe("parseFile", () => {
  it("tells a record from an enum by how its body starts", async () => {
    const { types } = await accepted("type A {}\ntype B { x: A }\ntype C { X }\n@tool flow f(a: A, b: B, c: C) -> Result<Unit, Never>");
    expect([...types.values()].map(({ name, kind }) => [name, kind])).toEqual([
      ["A", "record"],
      ["B", "record"],
      ["C", "enum"],
    ]);
  });

  it("takes trailing commas, `pub` fields and payloads of every shape", async () => {
    const { types } = await accepted(
      "type A<T,> { pub a: (Int, T,), b: Dict<Int, T,>, }\ntype E { P, Q(Int), R(Int, Text,), S(), T {}, U { a: Int, }, }\n@tool flow f<T,>(a: A<T>, e: E,) -> Result<Unit, Never,>",
    );
    const payloads = types.get("t2");
    expect(payloads?.kind === "enum" && payloads.constructors.map((made) => made.payload)).toEqual([
      null,
      { positional: ["Int"] },
      { positional: ["Int", "Text"] },
      { positional: [] },
      { named: [] },
      { named: [{ name: "a", type: "Int", doc: null }] },
    ]);
  });

  it("lets keywords be names of fields and parameters", async () => {
    const text =
      "type A {\n  type: Int,\n  pub: Int,\n  pub use: Text,\n  flow: Text,\n  opaque: Int,\n}\n@tool flow f(type: A, pub: Int) -> Result<Unit, Never>";
    const { tools } = await accepted(text);
    expect(tools[0]?.spec.params.map((param) => param.name)).toEqual(["type", "pub"]);
  });

  it("reads declarations wherever they stand on their lines", async () => {
    const { tools } = await accepted(
      "  type A {} type B {}\n@tool\n  pub\n flow\nf(\na\n:\nA, b: B) ->\nResult<Unit, Never> @tool flow g() -> Result<Unit, Never>",
    );
    expect(tools.map((tool) => tool.tool)).toEqual(["main.flow.f", "main.flow.g"]);
  });

  it("gathers docs over comments and blank lines, and knows nothing else of them", async () => {
    const { types, tools } = await accepted(
      "///  two spaces\n// no doc\n\n///\n////four\n@tool\n///after\npub flow f(/// of nothing\n a: A) -> Result<Unit, Never>\ntype A { x: Int, /// of y\n y: Int } /// of nothing",
    );
    expect(tools[0]?.doc).toBe(" two spaces\n\n/four\nafter");
    const a = types.get("t1");
    expect(a?.kind === "record" && a.fields.map((field) => field.doc)).toEqual([null, " of y".slice(1)]);
  });

  it("drops the carriage return of a doc line and keeps other space", async () => {
    const { tools } = await accepted("/// a \t\r\n///\tb\r\n@tool flow f() -> Result<Unit, Never>\r\n");
    expect(tools[0]?.doc).toBe("a \t\n\tb");
  });

  it("skips a flow by brackets, strings and comments to the next line that starts something", async () => {
    const { tools } = await accepted(
      [
        'flow a() = { "}" // }',
        "  type X",
        "}",
        'pub flow b(x: Nothing) -> (y) = [ "\\"]" ] ++',
        "  b type Y use",
        "/// doc",
        "@tool flow f() -> Result<Unit, Never>",
        "flow c<T>() = match x { y => 'z' } ) ] }",
      ].join("\n"),
    );
    expect(tools.map(({ tool, doc }) => [tool, doc])).toEqual([["main.flow.f", "doc"]]);
  });

  it("reads what follows a flow whose bracket is never closed", async () => {
    expect(await refusals("flow a() = {\n  if x {\n}\ntype B { x: Int }\n@tool flow f(b: B, c: C) -> Result<Unit, Never>")).toEqual([
      "unclosed 1:12 {",
      "unknown-name 5:23 C",
    ]);
  });

  it("keeps what it knows of a broken declaration", () => {
    expect(names('use "./a"\ntype A { x: ? }\ntype B<1> {}\n@tool flow f(?) -> Result<A, B>\nflow g() = 1\ntype C {')).toEqual([
      "./a",
      "A",
      "B",
      "f",
      "g",
      "C",
    ]);
  });
});

describe("recovery", () => {
  it("reports each broken member and each broken declaration", async () => {
    const text = [
      "type A {",
      "  x: Dict<?, Int>,",
      "  y: (Int, ?, Text) -> Int,",
      "  z: Missing,",
      "  1: Int,",
      "}",
      "type B x",
      "@tool flow f(a: A, b, c: Missing) -> Result<A, A>",
      "type C { X, y, Z( }",
      "@tool flow g() -> Result<A, Gone>",
    ].join("\n");
    expect(await refusals(text)).toEqual([
      "syntax 2:11 ?",
      "syntax 3:12 ?",
      "unknown-name 4:6 Missing",
      "syntax 5:3 1",
      "syntax 7:8 x",
      "syntax 8:21 ,",
      "unknown-name 8:26 Missing",
      "name-case 9:13 y",
      "unclosed 9:17 (",
      "unknown-name 10:29 Gone",
    ]);
  });

  it("goes on after a missing comma, and says so once", async () => {
    expect(await refusals("type A {\n  x: Int\n  y: Int\n}\ntype E { A B, C }")).toEqual(["syntax 3:3 y", "syntax 5:12 B"]);
    expect(await refusals("@tool flow f(a: Int b: Lost) -> Result<Unit, Never>")).toEqual(["syntax 1:21 b", "unknown-name 1:24 Lost"]);
  });

  it("reads the next declaration after a body or a parameter list without its end", async () => {
    expect(await refusals("type A { x: Int,\ntype B { y: Lost }\n@tool flow f(a: B,\n@tool flow g() -> Lost")).toEqual([
      "unclosed 1:8 {",
      "unknown-name 2:13 Lost",
      "unclosed 3:13 (",
      "unknown-name 4:19 Lost",
    ]);
  });

  it("finds its way out of a `<` without its `>`", async () => {
    expect(await refusals("type A {\n  x: List<Int,\n  y: Lost,\n  z: Gone }")).toEqual([
      "syntax 3:3 y",
      "unknown-name 3:6 Lost",
      "unknown-name 4:6 Gone",
    ]);
  });

  it("does not refuse what uses a broken declaration", async () => {
    expect(await refusals("type A { x: ? }\ntype B { a: A }\n@tool flow f(b: B, s: Set<A>) -> Result<A, Never>")).toEqual([
      "syntax 1:13 ?",
    ]);
  });

  it("stops listing in a file of nothing but faults", async () => {
    const met = await refusals(`type A { ${",".repeat(5_000)} }`);
    expect(met).toHaveLength(1_001);
    expect(met.at(-1)).toContain("too-many");
  });
});

describe("what the grammar refuses", () => {
  it.each([
    ["let x = 1", "syntax 1:1 let", "outside of its declarations"],
    ["pub @tool flow f() -> Result<Unit, Never>", "syntax 1:5 @", "write `@tool` first"],
    ["opaque pub type A {}", "syntax 1:8 pub", "write `pub opaque type`"],
    ["@tool opaque type A", "syntax 1:7 opaque", "leave it out"],
    ["@tool type A {}", "syntax 1:14 {", "without a body"],
    ["@tool type A<T>", "syntax 1:13 <", "without type parameters"],
    ["@test flow f()", "annotation 1:1 test", "no other annotation"],
    ["@ tool type A\n@1", "syntax 2:2 1", "`tool` after `@`"],
    ["opaque flow f()", "syntax 1:8 flow", "a flow cannot be opaque"],
    ["use ./a", "syntax 1:5 .", 'write `use "./file"`'],
    ["type A", "syntax 1:7 ", "`type Name {}`"],
    ["type A { x }", "name-case 1:10 x", "start it with an upper-case letter: `X`"],
    ["type A { X: Int }", "name-case 1:10 X", "start it with a lower-case letter: `x`"],
    ["type A { C { pub x: Int } }", "syntax 1:14 pub", "leave out `pub`"],
    ["type A { C, pub D }", "syntax 1:13 pub", "leave out `pub`"],
    ["type A { x: (Int) }", "syntax 1:13 (", "without parentheses"],
    ["type A { x: () }", "syntax 1:13 (", "write `Unit`"],
    ["type A { x: List<> }", "syntax 1:18 >", "expected a type"],
    ["type A<> {}", "syntax 1:8 >", "a type parameter's name"],
    ["type A<t> {}", "name-case 1:8 t", "`T`"],
    ["type A { x: int }", "name-case 1:13 int", "`Int`"],
    ["type A { x_y: Int, _z: Int }", "syntax 1:20 _", "a field's name"],
    ["type A { \u00e9: Int }", "syntax 1:10 \u00e9", "met `\u00e9`"],
    ["type A\u00a0{}", "syntax 1:7 \u00a0", "the character U+00A0"],
    ["@tool flow f() -> Result<Unit, Never> = 1", "syntax 1:39 =", "a Tool has no body"],
    ["@tool flow f() -> Result<Unit, Never>\n{ x }", "syntax 2:1 {", "a Tool has no body"],
    ["@tool flow f() -> Result<Unit, Never> x", "syntax 1:39 x", "the end of the declaration"],
    ["@tool flow f -> Result<Unit, Never>", "syntax 1:14 ->", "`name()`"],
    ["@tool flow f() Result<Unit, Never>", "syntax 1:16 Result", "`->`"],
    ["@tool flow f()\ntype A {}", "return-type 1:14 f", "say what the Tool returns"],
    ["@tool flow Find() -> Result<Unit, Never>", "name-case 1:12 Find", "`find`"],
    ["type A { x: Int } }", "syntax 1:19 }", "met `}`"],
    ['flow f() = "a', 'unclosed 1:12 "a', "close it on its line"],
  ])("%s", async (text, place, says) => {
    const [first, ...others] = await refusals(text);
    expect(first).toBe(place);
    // A lower-case word in a body is read as a constructor, so its name is all that is wrong.
    expect(others).toEqual([]);
    expect(await sentence(text)).toContain(says);
  });

  it("refuses nesting past a description's depth once, and reads on", async () => {
    const deep = (depth: number): string => `${"List<".repeat(depth - 1)}Int${">".repeat(depth - 1)}`;
    expect(await refusals(`type A { x: ${deep(128)} }\n@tool flow f() -> Result<${deep(128)}, ${deep(128)}>`)).toEqual([]);
    expect(await refusals(`type A { x: ${deep(129)} }`)).toEqual(["bounds 1:653 "]);
    const [first, second] = await refusals(`type A { x: ${"(".repeat(10_000)}${")".repeat(10_000)} }\ntype B { x: Lost }`);
    expect(first).toMatch(/^bounds 1:/);
    expect(second).toBe("unknown-name 2:13 Lost");
  });

  it("knows `__proto__` and its like as nothing but names", async () => {
    expect(await refusals("type A { __proto__: Int }")).toEqual(["syntax 1:10 _", "syntax 1:18 _"].slice(0, 1));
    const read = await accepted(
      "type A { constructor: Int, toString: Text, hasOwnProperty: Option<A> }\n@tool flow valueOf(constructor: A) -> Result<Unit, Never>",
    );
    expect(textOf(read)).toContain('"constructor":{"type":"integer"}');
    const { tools } = await accepted({
      repositories: [],
      local: { files: JSON.parse('{"__proto__":"?","__proto__.flow":"@tool flow f() -> Result<Unit, Never>"}') },
    });
    expect(tools[0]?.tool).toBe("__proto__.flow.f");
  });
});
