import { describe, expect, it } from "vitest";
import { DECLARATION_CODES } from "../../src/declarations/codes.ts";
import { type Diagnostic, renderDiagnostic } from "../../src/declarations/diagnostic.ts";
import { diagnosticsOf } from "./programs.ts";

async function rendered(text: string): Promise<string[]> {
  return (await diagnosticsOf(text)).map((diagnostic) => renderDiagnostic(diagnostic, text));
}

const at = (line: number, column: number, endColumn: number): Diagnostic => ({
  code: "syntax",
  file: "m.flow",
  line,
  column,
  endColumn,
  message: "no",
  about: "",
});

describe("renderDiagnostic", () => {
  it("shows the line with a caret under what was refused", async () => {
    expect(await rendered("type A { x: Missing }\n")).toEqual([
      [
        "error[unknown-name]: met `Missing`, which this file does not declare; declare it, or import its file and write `alias.Missing`",
        " --> main.flow:1:13",
        "  |",
        "1 | type A { x: Missing }",
        "  |             ^^^^^^^",
      ].join("\n"),
    ]);
  });

  it("makes room for long line numbers and keeps tabs under tabs", () => {
    const text = `${"\n".repeat(9)}\tx\ty\r\n`;
    expect(renderDiagnostic(at(10, 4, 5), text)).toBe("error[syntax]: no\n  --> m.flow:10:4\n   |\n10 | \tx\ty\n   | \t \t^");
  });

  it("counts columns in code units and carets in code points", () => {
    expect(renderDiagnostic(at(1, 4, 6), "\u{1f600} \u{1f600}")).toContain("\n  |   ^");
    expect(renderDiagnostic(at(1, 4, 6), "\u{1f600} \u{1f600}").endsWith("^^")).toBe(false);
  });

  it("shows a part of a long line, and no control characters", () => {
    const text = `${"a".repeat(500)}\u001b[2J${"b".repeat(500)}`;
    const shown = renderDiagnostic(at(1, 501, 502), text).split("\n");
    expect(shown[3]).toContain("\u00b7[2J");
    expect(shown[3]?.length).toBeLessThan(130);
    expect(shown[3]?.[shown[4]?.indexOf("^") ?? -1]).toBe("\u00b7");
  });

  it("points past the end of a file", async () => {
    const [text] = await rendered("@tool");
    expect(text?.split("\n").slice(-2)).toEqual(["1 | @tool", "  |      ^"]);
  });

  it("has a caret for what spans lines, and none for the program as a whole", async () => {
    const [text] = await rendered("@tool flow f(g: (Int,\n  Int) -> Int) -> Result<Unit, Never>");
    expect(text?.split("\n").slice(-2)).toEqual(["1 | @tool flow f(g: (Int,", "  |                 ^^^^^"]);
    expect(renderDiagnostic({ code: "two-versions", file: "", line: 0, column: 0, message: "no", about: "" })).toBe(
      "error[two-versions]: no",
    );
  });

  it("gives the place alone without the text", () => {
    expect(renderDiagnostic(at(3, 2, 3))).toBe("error[syntax]: no\n --> m.flow:3:2");
    expect(renderDiagnostic(at(3, 2, 3), "one line")).toBe("error[syntax]: no\n --> m.flow:3:2");
  });
});

describe("DECLARATION_CODES", () => {
  it("says of each code what it means, in one line", () => {
    for (const [code, meaning] of Object.entries(DECLARATION_CODES)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(meaning).toMatch(/^[^\n]{10,}$/);
    }
  });
});
