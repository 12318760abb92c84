/** Programs whose toolkits are kept as golden files, and what tests do with generated source. */
import ts from "typescript";
import { canonicalText } from "../../src/json/write.ts";
import * as flow from "../../src/toolkit/index.ts";
import { generateToolkit } from "../../src/toolkit/index.ts";
import { accepted, local } from "../declarations/programs.ts";

export const DOCS = {
  repositories: [
    {
      repository: "github.com/acme/docs",
      version: "1.2.0",
      files: {
        "document.flow": "/// A document.\npub type Document { pub id: Text, pub title: Text, pub body: Text }\n",
        "catalog.flow":
          'use "./document"\n/// Why nothing was read.\npub type CatalogError {\n  /// There is none.\n  NotFound(Text),\n  Unavailable,\n}\n/// Reads one document.\n@tool pub flow read(id: Text) -> Result<document.Document, CatalogError>\n',
        "search.flow":
          'use "./document"\npub type SearchError { BadQuery(Text), Unavailable }\n@tool pub flow find(query: Text) -> Result<List<document.Document>, SearchError>\n',
      },
    },
  ],
};

/** Every shape there is, names that collide, docs that could end a comment. */
export const SHAPES = local({
  "shapes.flow": `use "./more/shapes"
/// Every primitive. */ No comment ends here.
///
///   Nor here.
type Scalars {
  int: Int,
  decimal: Decimal,
  bool: Bool,
  text: Text,
  bytes: Bytes,
  duration: Duration,
  instant: Instant,
  unit: Unit,
  /// Any JSON.
  json: json.Value,
}
type Collections {
  list: List<Int>, lists: List<List<Int>>, set: Set<Text>, dict: Dict<Text, Int>, other: Dict<Int, Text>, pair: (Int, Text),
}
type Optional { one: Option<Int>, two: Option<Option<Int>>, inside: List<Option<Int>> }
type Shape {
  Nothing,
  /// Its name.
  Name(Text),
  Pair(Int, Option<Int>),
  Empty(),
  Named { from: Int, /// The end.
    to: Option<Int> },
}
@tool type Page
type Color { Red, Green }
type Nothing {}
type Box<A> { item: A, maybe: Option<A>, rest: List<A> }
type Choice<A, B> { Left(A), Right { b: B, n: Int } }
type Tree<A> { value: A, children: List<Tree<A>> }
type Phantom<A> { n: Int }
type Promise { Kept }
type Item { n: Int }
opaque type Approved { Approved(Item) }
/// Says \`what\` it is.
@tool flow what(s: Scalars, c: Collections, o: Optional, shape: Shape, page: Page, color: Color, n: Nothing, p: Promise, a: Approved, i: Item, j: shapes.Item) -> Result<Page, Never>
@tool flow nothing() -> Result<Unit, Unit>
@tool flow boxes(a: Box<Int>, b: Box<Option<Int>>, t: Tree<Text>, f: Phantom<List<(Int) -> Task<Int>>>, o: Option<Int>) -> Result<Result<Choice<Int, Option<Text>>, Text>, Text>
@tool flow pair<K, V, W>(k: Box<K>, v: V, d: Dict<K, V>, s: Set<K>) -> Result<Choice<K, Option<V>>, Phantom<W>>
`,
  "more/shapes.flow": "pub type Item { m: Text }\n@tool flow nothing() -> Result<Item, Never>\n",
});

export async function documentOf(program: Parameters<typeof accepted>[0]): Promise<string> {
  return canonicalText((await accepted(program)).document, { depth: 1_000 });
}

export async function generatedFrom(program: Parameters<typeof accepted>[0]): Promise<string> {
  return generateToolkit(await documentOf(program));
}

/** What a generated module exports, run in this process. */
// biome-ignore lint/suspicious/noExplicitAny: what it exports depends on the source
export function run(source: string): any {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } });
  const body = outputText.replace(/^import .*$/m, "").replace(/^export /gm, "");
  return new Function("flow", `${body}\nreturn { tools, calls };`)(flow);
}
