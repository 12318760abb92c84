import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outlineFile } from "../../src/declarations/outline.ts";

const TEXT = `use "./document"
/// A hit.
pub type Hit<T> {
  /// Its score.
  pub score: Decimal, // not a doc
  where: document.Place<T>,
}
pub opaque type Kind { Good, Bad(Text) }
@tool type Page
flow helper(x: Int) -> Int = x + 1
/// Finds.
@tool pub flow find(q: Text) -> Result<List<Hit<Page>>, Kind>
`;

describe("outlineFile", () => {
  it("gives every token its kind", () => {
    const { tokens } = outlineFile(TEXT);
    const shown = tokens.filter(({ kind }) => kind !== "punctuation").map(({ kind, start, end }) => `${kind} ${TEXT.slice(start, end)}`);
    expect(shown).toEqual([
      "keyword use",
      'string "./document"',
      "doc /// A hit.",
      "keyword pub",
      "keyword type",
      "type Hit",
      "type-parameter T",
      "doc /// Its score.",
      "keyword pub",
      "field score",
      "type Decimal",
      "comment // not a doc",
      "field where",
      "alias document",
      "type Place",
      "type T",
      "keyword pub",
      "keyword opaque",
      "keyword type",
      "type Kind",
      "constructor Good",
      "constructor Bad",
      "type Text",
      "annotation @",
      "annotation tool",
      "keyword type",
      "type Page",
      "keyword flow",
      "flow helper",
      "text x",
      "text Int",
      "text Int",
      "text x",
      "text +",
      "number 1",
      "doc /// Finds.",
      "annotation @",
      "annotation tool",
      "keyword pub",
      "keyword flow",
      "flow find",
      "parameter q",
      "type Text",
      "type Result",
      "type List",
      "type Hit",
      "type Page",
      "type Kind",
    ]);
  });

  it("gives every declaration its place, its doc and its members", () => {
    const { declarations, diagnostics } = outlineFile(TEXT, "m.flow");
    expect(diagnostics).toEqual([]);
    const shown = declarations.map(({ kind, name, doc, isPublic, isOpaque, members }) => [
      kind,
      name,
      doc,
      isPublic,
      isOpaque,
      members.map((member) => `${member.kind} ${member.name} ${TEXT.slice(member.nameRange.start, member.nameRange.end)} ${member.doc}`),
    ]);
    expect(shown).toEqual([
      ["use", "document", null, false, false, []],
      ["record", "Hit", "A hit.", true, false, ["field score score Its score.", "field where where null"]],
      ["enum", "Kind", null, true, true, ["constructor Good Good null", "constructor Bad Bad null"]],
      ["host", "Page", null, false, false, []],
      ["flow", "helper", null, false, false, []],
      ["tool", "find", "Finds.", true, false, ["parameter q q null"]],
    ]);
    expect(declarations.map(({ range }) => TEXT.slice(range.start, range.end).split("\n")[0])).toEqual([
      'use "./document"',
      "pub type Hit<T> {",
      "pub opaque type Kind { Good, Bad(Text) }",
      "@tool type Page",
      "flow helper(x: Int) -> Int = x + 1",
      "@tool pub flow find(q: Text) -> Result<List<Hit<Page>>, Kind>",
    ]);
    expect(declarations[0]?.path).toBe("./document");
    expect(declarations.map(({ name, nameRange }) => TEXT.slice(nameRange.start, nameRange.end) === name)).not.toContain(false);
  });

  it("says what is wrong with the file alone", () => {
    const { diagnostics, declarations } = outlineFile("type A { x: ?, y: Lost }\ntype B {", "m.flow");
    expect(diagnostics.map(({ code, file, line, column }) => `${code} ${file} ${line}:${column}`)).toEqual([
      "syntax m.flow 1:13",
      "unclosed m.flow 2:8",
    ]);
    expect(declarations.map((declared) => declared.members.map((member) => member.name))).toEqual([["y"], []]);
  });

  it("covers every text in order, and leaves out nothing but space", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aA@{}()<>,:/"\n ->1é'.split("")), maxLength: 80 }), (text) => {
        let rest = "";
        let last = 0;
        for (const { start, end } of outlineFile(text).tokens) {
          expect(start).toBeGreaterThanOrEqual(last);
          rest += text.slice(last, start);
          last = end;
        }
        expect((rest + text.slice(last)).trim()).toBe("");
      }),
    );
  });
});
