/** What the readers of archives share: the bounds, which hold before anything is unpacked, and the set of files. */
import { FlowError } from "../../json/errors.ts";
import type { PackageFiles } from "./package.ts";
import { faultOfPath } from "./path.ts";

/** What an archive may hold, inclusive. A package is instructions and descriptors, and far from these. */
export const ARCHIVE_LIMITS: Readonly<{ archiveBytes: number; files: number; fileBytes: number; totalBytes: number }> = Object.freeze({
  /** Bytes of an archive, of a gzipped one after unpacking. */
  archiveBytes: 134_217_728,
  files: 10_000,
  fileBytes: 16_777_216,
  totalBytes: 67_108_864,
});

export function archiveFault(expected: string, met: string, cause?: unknown): FlowError {
  return new FlowError("PACKAGE_ARCHIVE_INVALID", `expected ${expected}, met ${met}`, cause === undefined ? {} : { cause });
}

function tooMany(expected: string): FlowError {
  return new FlowError("PACKAGE_LIMIT_EXCEEDED", `expected ${expected}`);
}

/** Files under way. Each path once, canonical, and inside the package. */
export class ArchiveFiles {
  readonly limits: typeof ARCHIVE_LIMITS = ARCHIVE_LIMITS;
  private readonly files = new Map<string, Uint8Array>();
  private total = 0;

  /** Judges a file by what the archive says of it, before it is unpacked. */
  announce(path: string, size: number): void {
    const { files, fileBytes, totalBytes } = this.limits;
    const expected = faultOfPath(path);
    if (expected !== undefined)
      throw new FlowError("PACKAGE_PATH_INVALID", `expected ${expected}, met ${JSON.stringify(path.slice(0, 100))}`);
    if (this.files.has(path)) throw archiveFault("every file once", `${JSON.stringify(path)} again`);
    if (this.files.size === files) throw tooMany(`an archive of at most ${files} files`);
    if (size > fileBytes) throw tooMany(`files of at most ${fileBytes} bytes`);
    if (this.total + size > totalBytes) throw tooMany(`a package of at most ${totalBytes} bytes`);
  }

  /** Takes a file. A leading `./`, as tar writes for an archive of the current directory, is taken off. */
  add(name: string, content: Uint8Array): void {
    const path = name.startsWith("./") ? name.slice(2) : name;
    this.announce(path, content.byteLength);
    this.total += content.byteLength;
    // A copy: a small file shall not keep a whole archive in memory, nor change with it.
    this.files.set(path, content.slice());
  }

  done(): PackageFiles {
    return this.files;
  }
}

/**
 * Unpacks a stream by the platform's own decompression, and stops where it gives more than it may.
 * @throws FlowError `unsupported` where the platform has no such decompression: Node before 20.12 cannot unpack zip.
 */
export async function inflate(packed: Uint8Array, format: "gzip" | "deflate-raw", most: number): Promise<Uint8Array> {
  const stream = decompression(format);
  const writer = stream.writable.getWriter();
  // What is wrong with the input shows where the output is read.
  writer.write(packed as Uint8Array<ArrayBuffer>).catch(() => undefined);
  writer.close().catch(() => undefined);
  const reader = stream.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw archiveFault("compressed data", "something else", cause);
    });
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      await reader.cancel().catch(() => undefined);
      throw tooMany(`at most ${most} bytes of unpacked data`);
    }
    chunks.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function decompression(format: "gzip" | "deflate-raw"): DecompressionStream {
  try {
    return new DecompressionStream(format);
  } catch (cause) {
    throw new FlowError("unsupported", `this platform cannot unpack ${format} data; Node can from 20.12 on`, { cause });
  }
}
