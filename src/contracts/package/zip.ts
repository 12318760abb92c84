/**
 * Reading a package from a zip archive by its central directory, with the platform's own decompression: what a library
 * would add is mostly what a package must not use. Stored and deflated files only; no encryption, no ZIP64, no links.
 */
import { decodeUtf8 } from "../../json/text.ts";
import { ArchiveFiles, archiveFault, inflate } from "./archive.ts";
import type { PackageFiles } from "./package.ts";

const END_SIZE = 22;
const ENTRY_SIZE = 46;
const LOCAL_SIZE = 30;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** What the central directory says of a file. */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Reads the files of a zip archive.
 * @throws FlowError `PACKAGE_ARCHIVE_INVALID`, `PACKAGE_PATH_INVALID` or `PACKAGE_LIMIT_EXCEEDED`; `unsupported` for a
 *   deflated file on a platform without `DecompressionStream("deflate-raw")`, as Node is before 20.12.
 */
export async function readZip(archive: Uint8Array): Promise<PackageFiles> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const files = new ArchiveFiles();
  let freeFrom = 0;
  const entries = entriesOf(view, archive).sort((a, b) => a.offset - b.offset);
  for (const entry of entries) {
    files.announce(entry.name, entry.size);
    const start = contentOf(view, entry);
    // Entries that share bytes are how a small archive unpacks to a huge one.
    if (entry.offset < freeFrom) throw archiveFault("files one behind the other", "files that overlap");
    freeFrom = start + entry.packed;
    const packed = archive.subarray(start, freeFrom);
    const content = entry.method === 0 ? packed : await inflate(packed, "deflate-raw", entry.size);
    if (content.byteLength !== entry.size || crc32(content) !== entry.crc) {
      throw archiveFault("files of the size and checksum that the directory gives", JSON.stringify(entry.name));
    }
    files.add(entry.name, content);
  }
  return files.done();
}

function entriesOf(view: DataView, archive: Uint8Array): Entry[] {
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const first = view.getUint32(end + 16, true);
  if (count === 0xffff || first === 0xffffffff || view.getUint16(end + 4, true) !== 0)
    throw archiveFault("one plain zip archive", "ZIP64 or several parts");
  const entries: Entry[] = [];
  let at = first;
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_SIZE > end || view.getUint32(at, true) !== ENTRY)
      throw archiveFault("a zip directory of all its entries", "something else");
    const nameLength = view.getUint16(at + 28, true);
    const bytes = archive.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength);
    const name = decodeUtf8(bytes);
    if (name === undefined) throw archiveFault("names in UTF-8", "bytes that are not UTF-8");
    const entry = {
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
    // The upper half holds the file's Unix mode where the archive was made on such a system.
    const kind = (view.getUint32(at + 38, true) >>> 28) & 15;
    if (!name.endsWith("/")) {
      if (isEncrypted || (entry.method !== 0 && entry.method !== 8)) throw archiveFault("stored or deflated files", JSON.stringify(name));
      if (kind !== 0 && kind !== 8) throw archiveFault("regular files and directories only", JSON.stringify(name));
      entries.push(entry);
    }
    at += ENTRY_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The end record stands last, before a comment that it gives the length of. */
function findEnd(view: DataView): number {
  const last = view.byteLength - END_SIZE;
  for (let at = last; at >= Math.max(0, last - 0xffff); at--) {
    if (view.getUint32(at, true) === END && view.getUint16(at + 20, true) === last - at) return at;
  }
  throw archiveFault("a zip archive", "something else");
}

function contentOf(view: DataView, { offset, packed, name }: Entry): number {
  if (offset + LOCAL_SIZE <= view.byteLength && view.getUint32(offset, true) === LOCAL) {
    const start = offset + LOCAL_SIZE + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + packed <= view.byteLength) return start;
  }
  throw archiveFault("a file where the directory says", JSON.stringify(name));
}

let table: Uint32Array | undefined;

/** The CRC-32 of zip and gzip, by a table that is made at the first use. */
function crc32(bytes: Uint8Array): number {
  if (table === undefined) {
    table = new Uint32Array(256);
    for (let i = 0; i < 256; i++) {
      let remainder = i;
      for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
      table[i] = remainder;
    }
  }
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] as number);
  return (crc ^ 0xffffffff) >>> 0;
}
