/** The text of identities (R19). An identity names a declaration; nothing here or anywhere else looks it up. */
import { compareCodePoints } from "../json/text.ts";
import { quoted, refusal } from "../types/refuse.ts";

/** The parts of an identity: `repository@version/file.Name`, or `file.Name` outside a repository. */
export interface Identity {
  /** The repository's name; absent for a local declaration. */
  readonly repository: string | undefined;
  /** The repository's version; absent for a local declaration. */
  readonly version: string | undefined;
  /** With its `.flow` ending. */
  readonly file: string;
  /** The declared name. */
  readonly name: string;
}

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const FILE_ENDING = ".flow";

/**
 * Takes an identity apart.
 * @param at The place of the text, for the error.
 * @throws FlowError `shape` for a text that is no identity.
 */
export function parseIdentity(text: string, at = ""): Identity {
  const end = text.lastIndexOf(`${FILE_ENDING}.`);
  const path = text.slice(0, end + FILE_ENDING.length);
  const name = text.slice(end + FILE_ENDING.length + 1);
  const version = versionSpan(text);
  const file = version === undefined ? path : path.slice(version.end + 1);
  const empty = file.length === FILE_ENDING.length || file.endsWith(`/${FILE_ENDING}`);
  if (end < 0 || !NAME.test(name) || empty || (version !== undefined && (version.end >= end || version.end === version.start + 1))) {
    throw refusal("shape", at, "an identity, repository@version/file.flow.name or file.flow.name", quoted(text));
  }
  if (version === undefined) return { repository: undefined, version: undefined, file, name };
  return { repository: path.slice(0, version.start), version: path.slice(version.start + 1, version.end), file, name };
}

/**
 * The identity without its version: the first `@` that follows a character other than `/` goes, with everything up to
 * the next `/`. A scope (`@acme/docs`) and an `@` in a file's path stay. Never fails: what has no version is returned as it is.
 */
export function withoutVersion(identity: string): string {
  const version = versionSpan(identity);
  return version === undefined ? identity : identity.slice(0, version.start) + identity.slice(version.end);
}

/** Whether two identities name one declaration, whatever their versions (R36). */
export function sameDeclaration(a: string, b: string): boolean {
  return a === b || withoutVersion(a) === withoutVersion(b);
}

/** Orders identities by code points: negative, zero or positive. */
export function compareIdentities(a: string, b: string): number {
  return compareCodePoints(a, b);
}

/** From the `@` to the `/` after the version. Without that `/` there is no version, since a file follows each. */
function versionSpan(identity: string): { readonly start: number; readonly end: number } | undefined {
  let start = identity.indexOf("@", 1);
  while (start > 0 && identity[start - 1] === "/") start = identity.indexOf("@", start + 1);
  if (start < 0) return undefined;
  const end = identity.indexOf("/", start);
  return end < 0 ? undefined : { start, end };
}
