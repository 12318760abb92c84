/** Flow source from a grammar, much of it right, and the ways in which it is bent. */
import type { Random } from "../types/random.ts";
import { bounded, mutateText, pick } from "./text.ts";

const PRIMITIVES = ["Int", "Decimal", "Bool", "Text", "Bytes", "Duration", "Instant", "Unit", "Never", "json.Value"];
const TYPES = ["A", "B", "C", "D", "Page"];
const ALIASES = ["a", "b"];

/** What parts the files of one input. */
export const NEXT_FILE = "\n--- ";

export const FLOW_WORDS: readonly string[] = [
  ...'use|use "./a"|use "./b"|use "../x"|use "r/b"|type|pub|opaque|flow|@tool|@other|{|}|(|)|<|>|,|:|->|=|.|"'.split("|"),
  ...PRIMITIVES,
  ...TYPES,
  ..."List<|Set<|Option<|Task<|Dict<|Result<|T|U|x|y|a.A|b.B|json|json.|__proto__|constructor|_|9|\u00e9|\ud800|\0|\r|\r\n".split("|"),
  "/// doc\n",
  "// comment }\n",
  "type A { x: Int }\n",
  "type B { One, Two(A) }\n",
  "@tool flow f(x: A) -> Result<B, Text>\n",
  'flow g() = { "}" }\n',
  NEXT_FILE,
];

/** A program of one to three files. */
export function randomFlow(random: Random): string {
  const files = ["main.flow", "a.flow", "b.flow"].slice(0, 1 + random(3));
  return files.map((file) => `${NEXT_FILE.slice(1)}${file}\n${randomFile(random)}`).join("\n");
}

function randomFile(random: Random): string {
  const lines: string[] = [];
  for (let i = random(3); i > 0; i--) lines.push(`use "${pick(random, ["./a", "./b", "./main", "r/b", "r/sub/c", "../up"])}"`);
  for (let i = random(5); i > 0; i--) lines.push(declaration(random));
  for (let i = random(3); i > 0; i--) lines.push(tool(random));
  if (random(4) === 0) lines.push('flow helper(x: Int) -> Int = {\n  log("}")\n}');
  return `${lines.join("\n")}\n`;
}

function declaration(random: Random): string {
  const doc = random(4) === 0 ? "/// A doc.\n" : "";
  const isPublic = random(3) > 0 ? "pub " : "";
  const name = pick(random, TYPES);
  if (random(10) === 0) return `${doc}@tool ${isPublic}type ${name}`;
  const generic = random(4) === 0 ? pick(random, ["<T>", "<T, U>"]) : "";
  const opaque = random(10) === 0 ? "opaque " : "";
  const body = random(2) === 0 ? fields(random) : constructors(random);
  return `${doc}${isPublic}${opaque}type ${name}${generic} { ${body} }`;
}

function fields(random: Random): string {
  return Array.from({ length: random(4) }, (_, i) => `${random(5) === 0 ? "pub " : ""}f${i}: ${type(random, 3)}`).join(", ");
}

function constructors(random: Random): string {
  return Array.from({ length: 1 + random(3) }, (_, i) => {
    const kind = random(4);
    const parts = kind === 0 ? "" : kind === 1 ? ` { ${fields(random)} }` : `(${list(random, 2)})`;
    return `C${i}${parts}`;
  }).join(", ");
}

function tool(random: Random): string {
  const generic = random(5) === 0 ? "<T>" : "";
  const params = Array.from({ length: random(3) }, (_, i) => `p${i}: ${type(random, 3)}`).join(", ");
  return `@tool ${random(2) === 0 ? "pub " : ""}flow f${random(6)}${generic}(${params}) -> Result<${type(random, 3)}, ${type(random, 2)}>`;
}

function list(random: Random, depth: number): string {
  return Array.from({ length: random(3) }, () => type(random, depth)).join(", ");
}

function type(random: Random, depth: number): string {
  switch (depth === 0 ? random(4) : random(12)) {
    case 0:
    case 1:
      return pick(random, PRIMITIVES);
    case 2:
      return pick(random, TYPES);
    case 3:
      return random(3) === 0 ? `${pick(random, ALIASES)}.${pick(random, TYPES)}` : pick(random, ["T", "U", "Int", "A"]);
    case 4:
    case 5:
      return `${pick(random, ["List", "Set", "Option", "Option", "Task"])}<${type(random, depth - 1)}>`;
    case 6:
      return `Dict<${type(random, depth - 1)}, ${type(random, depth - 1)}>`;
    case 7:
      return `Result<${type(random, depth - 1)}, ${type(random, depth - 1)}>`;
    case 8:
      return `(${type(random, depth - 1)}, ${type(random, depth - 1)})`;
    case 9:
      return `(${list(random, depth - 1)}) -> ${type(random, depth - 1)}`;
    default:
      return `${pick(random, TYPES)}<${type(random, depth - 1)}>`;
  }
}

const TOKEN = /\/\/[^\n]*|"[^"\n]*"?|[A-Za-z_]\w*|->|\s+|[^\s\w]/g;

/** One change of a program, of its tokens or of its text. */
export function mutateFlow(text: string, random: Random, other: string): string {
  if (random(30) === 0) return randomFlow(random);
  if (random(3) === 0) return bounded(mutateText(text, random, FLOW_WORDS, other));
  const tokens = text.match(TOKEN) ?? [];
  const at = random(tokens.length + 1);
  switch (random(6)) {
    case 0:
      tokens.splice(at, 1 + random(3));
      break;
    case 1:
      tokens.splice(at, 0, pick(random, FLOW_WORDS));
      break;
    case 2:
      tokens.splice(at, 1, pick(random, FLOW_WORDS));
      break;
    case 3:
      tokens.splice(at, 0, ...tokens.slice(at, at + 1 + random(20)));
      break;
    case 4: {
      const donor = other.match(TOKEN) ?? [];
      const from = random(donor.length + 1);
      tokens.splice(at, random(4), ...donor.slice(from, from + 1 + random(20)));
      break;
    }
    default:
      tokens.splice(at, 1, type(random, 3));
  }
  return bounded(tokens.join(""));
}
