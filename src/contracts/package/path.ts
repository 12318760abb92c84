/** References of an author to a file of the package (*Package declarations and loading*). */

const LIMITS = { segments: 64, bytes: 1_024, segmentBytes: 255 };

const encoder = new TextEncoder();

/**
 * The logical path that a reference names: `./` is taken off once, and nothing else is changed, decoded or folded.
 * @returns The path, or what the reference lacks as it reads after "expected ".
 */
export function readReference(reference: string): { readonly path: string } | { readonly expected: string } {
  if (!reference.startsWith("./")) return { expected: 'a path that begins with "./"' };
  const path = reference.slice(2);
  const expected = faultOfPath(path);
  if (expected !== undefined) return { expected };
  return encoder.encode(reference).byteLength > LIMITS.bytes ? { expected: `a path of at most ${LIMITS.bytes} bytes` } : { path };
}

/** What a logical path of a package lacks, as it reads after "expected "; `undefined` for a canonical one. */
export function faultOfPath(path: string): string | undefined {
  if (path.length > LIMITS.bytes) return `a path of at most ${LIMITS.bytes} bytes`;
  if (path.includes("\\") || path.includes("\0")) return "a path without backslash and NUL";
  if (path.normalize("NFC") !== path) return "a path in Unicode normalization form C";
  const segments = path.split("/");
  if (segments.length > LIMITS.segments) return `a path of at most ${LIMITS.segments} segments`;
  for (const segment of segments) {
    if (segment === "") return "no empty segment";
    if (segment === "." || segment === "..") return 'no "." or ".." segment';
    if (encoder.encode(segment).byteLength > LIMITS.segmentBytes) return `segments of at most ${LIMITS.segmentBytes} bytes`;
  }
  return undefined;
}
