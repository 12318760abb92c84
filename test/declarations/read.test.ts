import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readProgram } from "../../src/declarations/read.ts";
import { readTools } from "../../src/signature/tools.ts";
import { accepted, diagnosticsOf, local, refusals, textOf } from "./programs.ts";

/** The example modules of *Sharing types between Tool modules*, as they stand there. */
const DOCS = {
  "document.flow": `// github.com/acme/docs/document.flow
pub type Document { pub id: Text, pub title: Text, pub body: Text }
`,
  "catalog.flow": `// github.com/acme/docs/catalog.flow
use "./document"
pub type CatalogError { NotFound(Text), Unavailable }
@tool pub flow read(id: Text) -> Result<document.Document, CatalogError>
`,
  "search.flow": `// github.com/acme/docs/search.flow
use "./document"
pub type SearchError { BadQuery(Text), Unavailable }
@tool pub flow find(query: Text) -> Result<List<document.Document>, SearchError>
`,
};
const REVIEW = {
  "review.flow": `// github.com/acme/review/review.flow
pub type Plan { pub steps: List<Text>, pub owner: Text }
pub opaque type Approved { Approved(Plan) }

pub flow approve(plan: Plan, verdict: Verdict) -> Option<Approved> = match verdict {
    Accepted => Some(Approved(plan)),
    Rejected(_) => None,
}
`,
};

const tool = "@tool flow f() -> Result<Unit, Never>";

describe("readProgram", () => {
  it("lists the specification's example modules, letter by letter", async () => {
    const expected = await readFile(new URL("./sharing-types.tools.txt", import.meta.url), "utf8");
    const docs = { repository: "github.com/acme/docs", version: "1.2.0", files: DOCS };
    const review = { repository: "github.com/acme/review", version: "0.1.0", files: REVIEW };
    expect(`${textOf(await accepted({ repositories: [docs] }))}\n`).toBe(expected);
    // The review module declares no Tool, so that it adds nothing; what it declares is there for Tools to use.
    expect(`${textOf(await accepted({ repositories: [review, docs] }))}\n`).toBe(expected);
    const publish = {
      "main.flow": 'use "github.com/acme/review/review"\n@tool flow publish(plan: review.Approved) -> Result<review.Plan, Never>',
    };
    const { types } = await accepted({ repositories: [docs, review], local: { files: publish } });
    expect([...types.values()].map(({ identity }) => identity)).toContain("github.com/acme/review@0.1.0/review.flow.Approved");
  });

  it("is read back by the reader of `tools` outputs, fingerprints computed anew", async () => {
    const read = await accepted({ repositories: [{ repository: "github.com/acme/docs", version: "1.2.0", files: DOCS }] });
    const back = await readTools(textOf(read));
    expect(back.tools).toEqual(read.tools);
    expect(new Map(back.types)).toEqual(read.types);
  });

  it("orders Tools by file in code points, then by source", async () => {
    const files = { "b.flow": `${tool}\n${tool.replace("f()", "a()")}`, "\u{1f600}.flow": tool, "\uff5e.flow": tool, "a.flow": tool };
    const { tools } = await accepted({ repositories: [{ repository: "a/b", version: "1", files: { "z.flow": tool } }], local: { files } });
    expect(tools.map((entry) => entry.tool)).toEqual([
      "a.flow.f",
      "a/b@1/z.flow.f",
      "b.flow.f",
      "b.flow.a",
      "\uff5e.flow.f",
      "\u{1f600}.flow.f",
    ]);
  });

  it("numbers types by first reach: params, ok, err; the declaration, its arguments, its members", async () => {
    const { types } = await accepted(
      "type X { n: Int }\ntype D<T> { x: X, t: Option<T> }\ntype E { m: Z }\ntype Z {}\ntype Y {}\ntype W {}\n@tool flow f(d: D<E>) -> Result<(Y, D<X>), Result<W, Int>>",
    );
    expect([...types].map(([id, { name }]) => `${id} ${name}`)).toEqual(["t1 D", "t2 E", "t3 Z", "t4 X", "t5 Y", "t6 Result", "t7 W"]);
  });

  it("gives its diagnostics by file and place, all of them", async () => {
    const met = await refusals(
      local({
        "b.flow": "type A { x: T { y",
        "a.flow": 'use "./gone"\ntype A { x: A, y: ?, z: Lost }\n@tool flow f() -> A',
        "c.flow": "type B { b: B }",
      }),
    );
    expect(met).toEqual([
      "a.flow unresolved-import 1:5 ./gone",
      "a.flow syntax 2:19 ?",
      "a.flow unknown-name 2:25 Lost",
      "a.flow return-type 3:19 f",
      "b.flow unclosed 1:8 {",
      "b.flow unknown-name 1:13 T",
      "b.flow syntax 1:15 {",
      "c.flow recursion 1:6 B",
    ]);
  });

  it("gives plain data with 1-based places and ends", async () => {
    const [diagnostic] = await diagnosticsOf("\n type A { x: Lost }");
    expect({ ...diagnostic }).toEqual({
      code: "unknown-name",
      file: "main.flow",
      line: 2,
      column: 14,
      endColumn: 18,
      message: "met `Lost`, which this file does not declare; declare it, or import its file and write `alias.Lost`",
      about: "Lost",
    });
  });

  it("refuses text that is no Unicode, and a Tool past the bounds of one description", async () => {
    expect(await refusals("// \ud800")).toEqual(["text 1:4 U+D800"]);
    const many = Array.from({ length: 4_097 }, (_, i) => `type T${i} { x: List<T${i + 1}> }`).join("\n");
    expect(
      await refusals(`${many}\ntype T4097 {}\n@tool flow f(t: T0) -> Result<Unit, Never>\n@tool flow g(t: T9) -> Result<Unit, Never>`),
    ).toEqual(["bounds 4099:12 f"]);
  });

  it("refuses types whose schemas double until no document holds them", async () => {
    const chain = Array.from({ length: 60 }, (_, i) => `type T${i}<A> { x: T${i + 1}<(A, A)> }`).join("\n");
    const met = await refusals(
      `${chain}\ntype T60<A> { a: A }\n@tool flow f(t: T0<Int>) -> Result<Unit, Never>\n@tool flow g(t: T60<Int>) -> Result<Unit, Never>`,
    );
    expect(met).toEqual(["bounds 62:12 f"]);
  });

  it("changes nothing of what it is given and shares nothing between readings", async () => {
    const program = Object.freeze(local(Object.freeze({ "main.flow": `type A { x: Int }\n${tool.replace("Unit", "A")}` })));
    const [a, b] = await Promise.all([readProgram(program), readProgram(program)]);
    expect(a).toEqual(b);
    expect(a.types?.get("t1")).not.toBe(b.types?.get("t1"));
  });
});
