/** A type as a person names it: in Flow's notation over the sample's declarations and their own, or as the JSON of a term. */
import { type ConcreteType, isFlowError, type JsonObject, type JsonValue, parseJson, readConcreteType } from "flow-host";
import { readProgram } from "flow-host/declarations";
import { SAMPLE_SOURCE } from "../../sample/sources.ts";

/** A type that was read, or why it cannot be. */
export type TypeReading =
  | { readonly type: ConcreteType }
  /** `field` tells in which of the two texts the fault lies. */
  | {
      readonly code: string;
      readonly sentence: string;
      readonly field: "type" | "declarations";
      readonly place: string;
      readonly start: number;
      readonly end: number;
    };

const FILE = "values.flow";
/** What the sample declares can be named without importing it. */
const USES = ["github.com/acme/docs/document", "github.com/acme/docs/catalog", "github.com/acme/docs/search", "./ledger"]
  .map((path) => `use "${path}"\n`)
  .join("");
const BEFORE = "@tool flow playground(value: ";
const AFTER = ") -> Result<Unit, Unit>\n";

export async function readType(text: string, declarations: string): Promise<TypeReading> {
  const isTerm = /^\s*[{"]/.test(text);
  // A term has no tool of its own to be reached from, so every declared type is named by one.
  const types = isTerm ? [...declarations.matchAll(/\btype\s+([A-Z]\w*)(?!\s*<)/g)].map(([, name]) => name as string) : [];
  const all = ["ledger.Posting", "document.Document", ...types];
  const param = isTerm ? `(${all.join(", ")})` : text.trim() === "" ? " " : text.replace(/\n/g, " ");
  const source = `${USES}${declarations}\n${BEFORE}${param}${AFTER}`;
  const read = await readProgram({
    repositories: SAMPLE_SOURCE.repositories,
    local: { files: { ...SAMPLE_SOURCE.local?.files, [FILE]: source } },
  });
  if (read.diagnostics !== undefined) return faultOf(read.diagnostics, text, declarations);
  if (isTerm) return readTerm(text, read.document["types"] as JsonObject);
  const entry = read.tools.find(({ tool }) => tool.endsWith(`${FILE}.playground`));
  const { params, declarations: reached } = (entry as NonNullable<typeof entry>).spec;
  return { type: { type: (params[0] as (typeof params)[number]).type, declarations: reached } };
}

function faultOf(
  diagnostics: readonly {
    readonly code: string;
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly endColumn?: number;
    readonly message: string;
  }[],
  text: string,
  declarations: string,
): TypeReading {
  const own = diagnostics.find(({ file }) => file === FILE) ?? diagnostics[0];
  const { code, message, line, column, endColumn } = own as (typeof diagnostics)[number];
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const used = USES.split("\n").length - 1;
  const lines = declarations.split("\n");
  const at = line - 1 - used;
  if (at >= lines.length || at < 0) {
    const start = Math.min(Math.max(column - 1 - BEFORE.length, 0), text.length);
    const end = Math.min(endColumn === undefined ? text.length : Math.max(start, endColumn - 1 - BEFORE.length), text.length);
    return { code, sentence, field: "type", place: `column ${start + 1}`, start, end };
  }
  const offset = lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0);
  const start = offset + column - 1;
  const end = endColumn === undefined ? offset + (lines[at] as string).length : offset + endColumn - 1;
  return { code, sentence, field: "declarations", place: `line ${at + 1}, column ${column}`, start, end };
}

function readTerm(text: string, types: JsonObject): TypeReading {
  try {
    const json = parseJson(text);
    return { type: readConcreteType(json, reachedOf(json, types)) };
  } catch (caught) {
    if (!isFlowError(caught)) throw caught;
    const sentence = `${caught.message.charAt(0).toUpperCase()}${caught.message.slice(1)}.`;
    const start = caught.offset ?? 0;
    return { code: caught.code, sentence, field: "type", place: `column ${start + 1}`, start, end: text.length };
  }
}

/** The templates that a term names, and those that they name: a reader takes exactly these. */
function reachedOf(term: JsonValue, types: JsonObject): JsonObject {
  const reached: Record<string, JsonValue> = Object.create(null);
  const open: JsonValue[] = [term];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    for (const [name, value] of Object.entries(next)) {
      if (name === "declaration" && typeof value === "string" && types[value] !== undefined && reached[value] === undefined) {
        reached[value] = types[value];
        open.push(types[value]);
      }
      open.push(value as JsonValue);
    }
  }
  return reached;
}
