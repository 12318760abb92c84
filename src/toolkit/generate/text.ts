/** Pieces of TypeScript text, laid out as biome lays them out. */

/** Columns of a line. */
export const WIDTH = 140;

/** A doc comment at an indentation, with the line that ends it; nothing for no doc. */
export function docComment(lines: readonly string[], indent: string): string {
  // A comment ends at the first `*/`, wherever it stands, and no line keeps space at its end.
  const clean = lines
    .flatMap((line) => line.split("\n"))
    .map((line) =>
      line
        .replace(/\*\//g, "*\\/")
        .replace(/[\r\u2028\u2029]/g, " ")
        .trimEnd(),
    );
  while (clean.length > 0 && clean[0]?.trim() === "") clean.shift();
  while (clean.at(-1)?.trim() === "") clean.pop();
  const [first] = clean;
  if (first === undefined) return "";
  if (clean.length === 1 && indent.length + first.length + 7 <= WIDTH) return `${indent}/** ${first.trim()} */\n`;
  return `${indent}/**\n${clean.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A member's name, in quotes where it is no identifier. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name);
}

/**
 * A string literal in ASCII, in the quotes that need fewer escapes; double ones where both need as many.
 */
export function stringLiteral(text: string): string {
  let doubles = 0;
  let singles = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) doubles++;
    else if (code === 39) singles++;
  }
  const quote = doubles > singles ? "'" : '"';
  const body = text.replace(/[^ !#-&(-[\]-~]/g, (character) => {
    if (character === '"' || character === "'") return character === quote ? `\\${character}` : character;
    if (character === "\\") return "\\\\";
    if (character === "\n") return "\\n";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${quote}${body}${quote}`;
}

/** `name: value,` on one line, or on two where it does not fit. */
export function property(name: string, value: string, indent: string): string {
  const line = `${indent}${name}: ${value},\n`;
  return line.length - 1 <= WIDTH ? line : `${indent}${name}:\n${indent}  ${value},\n`;
}
