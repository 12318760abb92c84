/**
 * Programs of declarations against their `tools` output, letter by letter, or against every refusal's file and line.
 * What a refusal is about is for people and not compared.
 */
/** @type {import("./suites/suites.mjs").Run} */
export default async function flowtools(vector, { core, declarations }) {
  const read = await declarations.readProgram(vector.program);
  if (vector.tools !== undefined) {
    if (read.diagnostics !== undefined) return `refused: ${JSON.stringify(read.diagnostics)}`;
    const text = core.canonicalText(read.document, { depth: 1_000 });
    if (text !== vector.tools) return `wrote ${text} where ${vector.tools} was expected`;
    // What was written is read back, with fingerprints computed anew.
    const { tools } = await core.readTools(text);
    return tools.length === read.tools.length ? undefined : `read back ${tools.length} Tools of ${read.tools.length}`;
  }
  if (read.diagnostics === undefined) return "read without a refusal";
  const place = ({ file, line }) => `${file}:${line}`;
  const expected = vector.refused.map(place).sort().join(", ");
  const met = read.diagnostics.map(place).sort().join(", ");
  return met === expected ? undefined : `refused ${met} where ${expected} was expected`;
}
