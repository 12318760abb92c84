/** `flow-host check`: a value against a declared type. */
import { codecFor } from "../codec/codec.ts";
import { FlowError, isFlowError } from "../json/errors.ts";
import { parseJson } from "../json/read.ts";
import { decodeUtf8 } from "../json/text.ts";
import { canonicalText } from "../json/write.ts";
import { withoutVersion } from "../signature/identity.ts";
import type { ToolsDocument } from "../signature/tools.ts";
import { displayName } from "../types/display.ts";
import { PRIMITIVES, type Primitive, type Term } from "../types/terms.ts";
import { reachableDeclarations } from "../types/walk.ts";
import { declarationsJson } from "../types/write.ts";
import { type Command, errorJson, misuse, OK, REFUSED } from "./command.ts";
import { readBytes, readToolsFile } from "./files.ts";
import { locate } from "./locate.ts";

export const checkCommand: Command = {
  summary: "decode a value at a declared type",
  help: `
Usage: flow-host check TOOLS --type TYPE VALUE [options]

Decodes a JSON value at a type and prints its canonical text, or says what is wrong and where.

  TOOLS        a "tools" output, or - for standard input
  --type TYPE  a declaration by its identity (its version may be left out) or its short name (document.Document), a
               primitive type (Int), or a term as JSON ({"List":"Int"})
  VALUE        the JSON text; @FILE reads it from a file, - from standard input
  --strict     refuse members that a record does not declare, as a run's input does
  --tokens     let host tokens be made, as a Tool's reply may
  --json       print {"canonical"} or {"error"} as JSON
`,
  options: { type: { type: "string" }, strict: { type: "boolean" }, tokens: { type: "boolean" } },
  async run({ values, positionals }, io) {
    const [path, word, ...rest] = positionals;
    const name = values["type"];
    if (path === undefined || word === undefined || rest.length > 0 || typeof name !== "string")
      throw misuse("name a tools output, a --type and one value");
    const document = await readToolsFile(path, [], io);
    const term = termOf(name, document);
    const needed = reachableDeclarations([term], document.types);
    // Read again as a description of its own, so that a term of the command line is judged as every other is.
    const codec = codecFor(term, declarationsJson(needed));
    const bytes = word === "-" ? await io.readInput() : word.startsWith("@") ? await readBytes(word.slice(1), io) : word;
    const json = values["json"] === true;
    try {
      const value = codec.decode(bytes, {
        mode: values["strict"] === true ? "strict" : "lenient",
        grant: values["tokens"] === true ? "tokens" : "none",
      });
      const canonical = codec.encode(value);
      io.out(json ? `${JSON.stringify({ canonical })}\n` : `${canonical}\n`);
      return OK;
    } catch (caught) {
      if (!isFlowError(caught)) throw caught;
      const text = typeof bytes === "string" ? bytes : (decodeUtf8(bytes) ?? "");
      io.err(json ? `${JSON.stringify({ error: errorJson(caught) })}\n` : `${caught.message} [${caught.code}]\n${locate(text, caught)}`);
      return REFUSED;
    }
  },
};

/** The term a word stands for. @throws FlowError `usage` */
function termOf(word: string, { types }: ToolsDocument): Term {
  if ((PRIMITIVES as readonly string[]).includes(word)) return word as Primitive;
  if (word.startsWith("{")) return jsonTerm(word);
  const matching = [...types].filter(([, template]) => {
    return template.identity === word || withoutVersion(template.identity) === word || displayName(template) === word;
  });
  const [found, ...more] = matching;
  if (found === undefined) {
    const known = [...types.values()].map(({ identity }) => `\n  ${identity}`).join("");
    throw misuse(`there is no type ${word}; there are the primitive types${known === "" ? "" : ` and:${known}`}`);
  }
  if (more.length > 0) throw misuse(`${word} is the name of several types: ${matching.map(([, { identity }]) => identity).join(", ")}`);
  const [id, template] = found;
  if (template.generic.length > 0) throw misuse(`${word} is generic; give a term as JSON: {"Named":{"declaration":"${id}","args":[...]}}`);
  return { Named: { declaration: id, args: [] } };
}

function jsonTerm(word: string): Term {
  try {
    // Canonical text has no escapes and spaces that could be read in two ways; the reader of types judges the rest.
    return JSON.parse(canonicalText(parseJson(word))) as Term;
  } catch (cause) {
    throw new FlowError("usage", `the type is no JSON: ${(cause as Error).message}`, { cause });
  }
}
