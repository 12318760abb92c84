/** The grammars of names and identities (*Contract identity and version syntax*). All compare as exact strings. */

const LOCAL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const DEFINITION_NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const SEGMENT = /^[a-z0-9._~-]+$/;
const VERSION = /^(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const OPERATION_ID = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
const IPV4 = /^[0-9]+(?:\.[0-9]+){3}$/;
const SCHEME = "https://";

/** A 1 to 64 character slug: slots, methods, errors, outcomes and packages are named so. */
export function isLocalName(value: unknown): value is string {
  return typeof value === "string" && value.length <= 64 && LOCAL_NAME.test(value);
}

/** The name of a definition in `$defs`. */
export function isDefinitionName(value: string): boolean {
  return DEFINITION_NAME.test(value);
}

/** What a Contract ID lacks, as it reads after "expected "; `undefined` for a right one. */
export function faultOfContractId(id: string): string | undefined {
  if (!id.startsWith(SCHEME)) return "a lower-case https:// URI";
  const [host, ...segments] = id.slice(SCHEME.length).split("/");
  const labels = (host as string).split(".");
  if (labels.length < 2) return "a DNS name of at least two labels";
  // Four labels of digits alone would match the label grammar, and are an IP literal.
  if (IPV4.test(host as string)) return "a DNS name, no IP address";
  if (!labels.every((label) => LABEL.test(label))) return "a DNS name in lower-case ASCII, without user, port or IP literal";
  if (segments.length === 0) return "at least one path segment after the DNS name";
  for (const segment of segments) {
    if (segment === "") return "no empty path segment";
    if (segment === "." || segment === "..") return 'no "." or ".." segment';
    if (!SEGMENT.test(segment)) return "path segments of a-z, 0-9 and . _ ~ - only, without query, fragment or percent-encoding";
  }
  return undefined;
}

/** Whether a text is one canonical Contract ID. */
export function isContractId(value: unknown): value is string {
  return typeof value === "string" && faultOfContractId(value) === undefined;
}

/** Whether a text is a Contract Version: the stable SemVer core, three decimal components and nothing else. */
export function isContractVersion(value: unknown): value is string {
  return typeof value === "string" && VERSION.test(value);
}

/** Whether a text has the form of a contract digest. Only computing it tells whether it is one. */
export function isContractDigest(value: unknown): value is string {
  return typeof value === "string" && DIGEST.test(value);
}

/** Whether a text may name an operation of a caller. */
export function isOperationId(value: unknown): value is string {
  return typeof value === "string" && OPERATION_ID.test(value);
}

/** The exact identity that public compatibility goes by (*Exact identity and digest*). */
export interface ContractTriple {
  /** The URI, a name that is never fetched. */
  readonly id: string;
  /** The exact version. */
  readonly version: string;
  /** `sha256:` and 64 hexadecimal digits, over the whole descriptor. */
  readonly digest: string;
}

/** Whether two identities are the same in all three parts. */
export function sameContract(a: ContractTriple, b: ContractTriple): boolean {
  return a.id === b.id && a.version === b.version && a.digest === b.digest;
}
