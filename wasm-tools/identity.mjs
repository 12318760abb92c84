/** Identities of declarations, `repository@version/file.name`, and what of them names the same declaration in every version. */

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
