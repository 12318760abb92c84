import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitWords } from "../../src/node/words.ts";

it.each([
  ["acme-tools openai", ["acme-tools", "openai"]],
  ["  a\t b \n", ["a", "b"]],
  [`a 'b c' "d e"f\\ g`, ["a", "b c", "d ef g"]],
  [`a "" ''`, ["a", "", ""]],
  ['a "\\$x \\` \\" \\\\ \\n"', ["a", '$x ` " \\ \\n']],
  ["a 'b\\' c", ["a", "b\\", "c"]],
  ['a\\\nb "c\\\nd"', ["ab", "cd"]],
  ["a $HOME | b > c; d && e # f *", ["a", "$HOME", "|", "b", ">", "c;", "d", "&&", "e", "#", "f", "*"]],
])("R31: %j", (command, words) => {
  expect(splitWords(command)).toEqual(words);
});

it.each(["", "  ", "''", "a 'b", 'a "b', "a \\"])("R31: %j is no command", (command) => {
  expect(() => splitWords(command)).toThrow(expect.objectContaining({ code: "command" }));
});

it("R31: a shell splits alike what holds no operator and nothing to expand", () => {
  const piece = fc.constantFrom("a", "b", " ", "  ", "'", '"', "\\", "x y", "\u00e9");
  const commands = fc
    .sample(fc.array(piece, { maxLength: 8 }), { numRuns: 300, seed: 1 })
    .map((pieces) => `p${pieces.join("")}`)
    .filter((command) => {
      try {
        return splitWords(command).length > 0;
      } catch {
        return false;
      }
    });
  const script = commands.map((command) => `printf '%s\\0' ${command}; printf '\\n\\0'`).join("\n");
  const printed = execFileSync("sh", ["-c", script], { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } });
  const lists = printed.split("\n\0").slice(0, -1);
  expect(lists.map((list) => list.split("\0").slice(0, -1))).toEqual(commands.map(splitWords));
});
