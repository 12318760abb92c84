/** Declarations: identities, `repository@version/file.name`, and what a component's sources are told of its own. */

/**
 * Splits an identity around its version.
 * @param {string} identity
 * @returns {[before: string, after: string]} what stands before the `@` and from the next `/` on; all of it and nothing if it has no version
 */
export function splitIdentity(identity) {
  const found = /^([^@]*)@[^/]*(\/.*)$/su.exec(identity);
  return found ? [found[1] ?? "", found[2] ?? ""] : [identity, ""];
}

/**
 * The identity without its version.
 * @param {string} identity
 * @returns {string}
 */
export function withoutVersion(identity) {
  return splitIdentity(identity).join("");
}

/**
 * The source of a component's `constants.ts` (see `assembly/constants.d.ts`).
 * @param {{ tool: string, fingerprint: string, signature: string }} declaration
 * @returns {string}
 */
export function constantsOf({ tool, fingerprint, signature }) {
  const [before, after] = splitIdentity(tool);
  const values = { TOOL: tool, TOOL_BEFORE_VERSION: before, TOOL_AFTER_VERSION: after, FINGERPRINT: fingerprint, SIGNATURE: signature };
  return Object.entries(values)
    .map(([name, value]) => `export const ${name}: string = ${JSON.stringify(value)};\n`)
    .join("");
}

/**
 * Canonical text of what JSON.parse made of a signature, in which all numbers are small and all text is Unicode.
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalText(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(",")}}`;
}
