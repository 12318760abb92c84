import { describe, expect, it } from "vitest";
import { isFlowError } from "../../src/json/errors.ts";
import { readFlowToml } from "../../src/node/flowtoml.ts";

it("reads what the specification shows", () => {
  const text = `
[tools."openai.flow"]
command = "acme-tools openai"     # a process

[tools."search.flow"]
mcp = "npx @acme/search-mcp"
`;
  expect([...readFlowToml(text, "flow.toml")]).toEqual([
    ["openai.flow", { kind: "command", command: "acme-tools openai", words: ["acme-tools", "openai"] }],
    ["search.flow", { kind: "mcp", command: "npx @acme/search-mcp", words: ["npx", "@acme/search-mcp"] }],
  ]);
});

it.each([
  'tools."a.flow".command = "x"',
  'tools = { "a.flow" = { command = "x" } }',
  '[tools]\n"a.flow".command = "x"',
  "[tools]\n'a.flow' = { command = 'x' }",
  '[ tools . "a\\u002eflow" ]\ncommand = """\nx"""',
])("reads TOML however it is written: %j", (text) => {
  expect(readFlowToml(text, "flow.toml").get("a.flow")).toMatchObject({ kind: "command", words: ["x"] });
});

it("an empty manifest binds nothing", () => {
  expect(readFlowToml("", "flow.toml").size).toBe(0);
});

describe("each fault with its line and column", () => {
  function faults(text: string): unknown[] {
    try {
      readFlowToml(text, "dir/flow.toml");
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const all = caught.errors.length > 0 ? caught.errors : [caught];
      for (const { message, at } of all) {
        const { file, line, column } = at as { file: string; line: number; column: number };
        expect(message.startsWith(`${file}:${line}:${column}: `)).toBe(true);
        expect(file).toBe("dir/flow.toml");
      }
      return all.map(({ code, at }) => [code, (at as { line: number }).line, (at as { column: number }).column]);
    }
    return [];
  }

  it.each<[string, unknown[][]]>([
    ['[tools."a.flow"\ncommand = "x"', [["toml", 1, 16]]],
    ['[tools."a.flow"]\ncommand = x', [["toml", 2, 11]]],
    ['[tools."a.flow"]\ncommand = "x"\ncommand = "y"', [["toml", 3, 1]]],
    ['# first\nversion = 1\n[tools."a.flow"]\ncommand = "x"', [["unknown-key", 2, 1]]],
    ['[tools."a.flow"]\ncommand = "x"\n  environment = { A = "b" }', [["unknown-key", 3, 3]]],
    ['[tools."a.flow"]\n', [["no-way", 1, 8]]],
    ['[tools."a.flow"]\ncommand = "x"\nmcp = "y"', [["several-ways", 3, 1]]],
    ['[tools."a.flow"]\ncommand = ["x"]', [["table", 2, 1]]],
    ['[tools."a.flow"]\nmcp = "x \'y"', [["command", 2, 1]]],
    ['[tools."a.flow"]\ncommand = ""', [["command", 2, 1]]],
    ["tools = 1", [["table", 1, 1]]],
    ['[tools]\n"a.flow" = "x"', [["table", 2, 1]]],
    ['[[tools."a.flow"]]\ncommand = "x"', [["table", 1, 9]]],
    [
      "tools = { 'a.flow' = { command = 'x', mcp = 'y' }, \"b\" = { } }",
      [
        ["several-ways", 1, 39],
        ["no-way", 1, 52],
      ],
    ],
    [
      'x = """\n[tools]\n""" # not a table\n[tools."a.flow"]\ny = [ 1, # one\n { z = "]" } ]\nmcp = "m"\n[tools."b.flow"]\nq = \'\'\'it\'s\'\'\'',
      [
        ["unknown-key", 1, 1],
        ["unknown-key", 5, 1],
        ["unknown-key", 9, 1],
        ["no-way", 8, 8],
      ],
    ],
  ])("%j", (text, expected) => {
    expect(faults(text)).toEqual(expected);
  });
});
