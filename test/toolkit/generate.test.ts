import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/json/read.ts";
import { canonicalText } from "../../src/json/write.ts";
import { writeTools } from "../../src/signature/tools.ts";
import { generateToolkit } from "../../src/toolkit/generate/generate.ts";
import { readTypeSpec } from "../../src/types/spec.ts";
import { DOCS, documentOf, generatedFrom, SHAPES } from "./programs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What the formatter makes of a text. */
function formatted(text: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [biome, "format", "--stdin-file-path=generated.ts"], {
    cwd: root,
    input: text,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const field = (length: number): string => `field${"x".repeat(length)}`;

describe("generateToolkit", () => {
  it("writes what the golden files hold", async () => {
    await expect(await generatedFrom(DOCS)).toMatchFileSnapshot("./generated/docs.ts");
    await expect(await generatedFrom(SHAPES)).toMatchFileSnapshot("./generated/shapes.ts");
  });

  it("writes what the formatter would", async () => {
    const long = Array.from({ length: 40 }, (_, i) => {
      const name = `T${i}${"y".repeat(i)}`;
      return [
        `type ${name}<A> { ${field(i * 3)}: A, b: Dict<Text, List<(Int, T0<A>, Option<List<A>>)>>, c: Option<T0<T0<Set<Text>>>> }`,
        `type E${i}${"z".repeat(i)} { One(${name}<Int>, ${name}<Text>), Two(T0<(Int, Text, ${name}<Int>)>), Three { a: Int } }`,
        `@tool flow f${"w".repeat(i)}(a: ${name}<Int>) -> Result<${name}<List<Int>>, (E${i}${"z".repeat(i)}, Dict<Text, ${name}<Int>>)>`,
        `@tool flow g${"w".repeat(i)}<A>(a: Option<${name}<A>>) -> Result<${name}<A>, E${i}${"z".repeat(i)}>`,
      ].join("\n");
    }).join("\n");
    for (const program of [DOCS, SHAPES, long, "type A {}\n"]) {
      const text = await generatedFrom(program);
      expect(formatted(text)).toBe(text);
    }
  });

  it("depends on nothing but the document's content", async () => {
    const text = await documentOf(SHAPES);
    const source = await generateToolkit(text);
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, reversed(inner)]),
      );
    };
    expect(await generateToolkit(JSON.stringify(reversed(JSON.parse(text)), null, 2))).toBe(source);
    expect(await generateToolkit(new TextEncoder().encode(text))).toBe(source);
    expect(await generateToolkit(parseJson(text, { depth: 1_000 }))).toBe(source);
  });

  it("imports the toolkit and nothing else", async () => {
    for (const program of [DOCS, SHAPES]) {
      const imports = (await generatedFrom(program)).match(/^import .*$/gm);
      expect(imports).toEqual(['import * as flow from "flow-host/toolkit";']);
    }
  });

  it("takes some of the Tools, with the types that these reach", async () => {
    const text = await documentOf(DOCS);
    const source = await generateToolkit(text, { select: ["github.com/acme/docs@1.2.0/search.flow.find"] });
    expect(source).toContain("interface FindArgs");
    expect(source).not.toContain("CatalogError");
    await expect(generateToolkit(text, { select: ["x.flow.f"] })).rejects.toMatchObject({ code: "unknown-tool" });
  });

  it("refuses a document before it writes anything", async () => {
    const text = await documentOf(DOCS);
    const changed = (from: string, to: string): string => canonicalText(parseJson(text.replace(from, to)), { depth: 1_000 });
    for (const [source, code] of [
      ["", "syntax"],
      ["[]", "shape"],
      [changed('"kind":"record"', '"kind":"reckord"'), "shape"],
      [changed('"ok":{"Named":{"args":[],"declaration":"t1"}}', '"ok":{"Named":{"args":[],"declaration":"t9"}}'), "unresolved"],
      [changed("sha256:f9", "sha256:e9"), "mismatch"],
      [changed('"data":"0.1"', '"data":"1.0"'), "version"],
    ] as const) {
      await expect(generateToolkit(source)).rejects.toMatchObject({ code });
    }
  });

  it("tells names that collide apart by file, folder, repository, and last by number", async () => {
    const type = "pub type Item {}\n@tool flow get(i: Item) -> Result<Item, Never>";
    const source = await generatedFrom({
      repositories: [
        { repository: "r.x/a", version: "1", files: { "item.flow": type } },
        { repository: "r.x/b", version: "1", files: { "item.flow": type } },
      ],
      local: { files: { "deep/my-item.flow": type, "deep/my_item.flow": type, "other.flow": `${type}\ntype Own {}` } },
    });
    const names = [...source.matchAll(/export type (\w+) = flow.Empty/g)].map((match) => match[1]);
    expect(names).toEqual(["DeepMyItemItem", "DeepMyItemItem2", "OtherItem", "AItemItem", "BItemItem"]);
    expect([...source.matchAll(/^ {2}(\w+)\(args/gm)].map((match) => match[1]).slice(0, 5)).toEqual([
      "deepMyItemGet",
      "deepMyItemGet2",
      "otherGet",
      "aItemGet",
      "bItemGet",
    ]);
  });

  it("keeps type parameters, declarations and names of TypeScript out of each other's way", async () => {
    const source = await generatedFrom(
      "type T { n: Int }\ntype Box<T, Promise> { t: T, p: Promise }\ntype Tools {}\ntype Uint8Array { b: Bytes }\n@tool flow f<T, Tools>(a: Box<T, Tools>, b: Uint8Array) -> Result<Tools, Never>",
    );
    expect(source).toContain("export type Box<T, Promise2> = ");
    expect(source).toContain("export interface MainUint8Array {\n  readonly b: Uint8Array;\n}");
    expect(source).toContain("f<T, Tools2>(args: FArgs<T, Tools2>");
  });

  it("writes hostile names and docs as what they are: text", async () => {
    const evil = "*/ process.exit() /* \u2028 ` \\ ' \u0000";
    const template = (name: string): object => ({
      name,
      identity: `x.flow.${name}`,
      lexical_ordinal: 1,
      generic: ["a b", "a_b", "1"],
      opaque: false,
      doc: evil,
      kind: "record",
      fields: [
        { name: "__proto__", type: "Int", doc: evil },
        { name: evil, type: { Param: { owner: "t1", index: 0 } }, doc: null },
      ],
    });
    const spec = {
      generic: [],
      params: [{ name: evil, type: { Named: { declaration: "t1", args: ["Int", "Int", "Int"] } } }],
      ok: "Unit",
      err: "Never",
    };
    const read = readTypeSpec(parseJson(JSON.stringify({ ...spec, declarations: { t1: template("A B-\u{1f600}") } })));
    const document = await writeTools([{ tool: "x.flow.f", doc: evil, spec: read }]);
    const source = await generateToolkit(document);
    expect(formatted(source)).toBe(source);
    expect(source).toContain("export type A_B___<a_b, _a_b, __1> = flow.Fields<");
    const words: string[] = [];
    const walk = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) words.push(node.text);
      node.forEachChild(walk);
    };
    walk(ts.createSourceFile("generated.ts", source, ts.ScriptTarget.ES2022));
    expect(words).toContain("A_B___");
    expect(words).not.toContain("process");
  });
});
