/** Splitting a command into words as a POSIX shell does (R31): quotes and backslashes, nothing else. */
import { FlowError } from "../json/errors.ts";

/**
 * The words of a command. Nothing is expanded and there are no operators: `$HOME`, `*`, `|` and `#` are those characters.
 * @throws FlowError `command` for a quote that is not closed, a backslash at the end, or a command that names no program
 */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (char === " " || char === "\t" || char === "\n") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'") {
      const end = command.indexOf("'", at + 1);
      if (end < 0) throw refused(command, `the quote ' in column ${at + 1} is not closed`);
      word = (word ?? "") + command.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      const quoted = doubleQuoted(command, at);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (char === "\\") {
      if (++at === command.length) throw refused(command, "a backslash with nothing after it");
      // A backslash before a line feed continues the line and leaves nothing.
      if (command.charAt(at) !== "\n") word = (word ?? "") + command.charAt(at);
    } else {
      word = (word ?? "") + char;
    }
  }
  if (word !== undefined) words.push(word);
  if ((words[0] ?? "") === "") throw refused(command, "it names no program");
  return words;
}

/** Inside double quotes a backslash stands for itself but before `$`, a backtick, `"`, `\` and a line feed. */
function doubleQuoted(command: string, start: number): { readonly text: string; readonly end: number } {
  let text = "";
  for (let at = start + 1; at < command.length; at++) {
    const char = command.charAt(at);
    if (char === '"') return { text, end: at };
    const next = command.charAt(at + 1);
    if (char !== "\\" || next === "" || !'$`"\\\n'.includes(next)) {
      text += char;
      continue;
    }
    if (next !== "\n") text += next;
    at++;
  }
  throw refused(command, `the quote " in column ${start + 1} is not closed`);
}

function refused(command: string, why: string): FlowError {
  return new FlowError("command", `the command ${JSON.stringify(command)} cannot be split into words: ${why}`);
}
