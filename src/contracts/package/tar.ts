/**
 * Reading a package from a tar archive (POSIX ustar and pax, GNU long names), gzipped or not. Directories and global
 * headers are passed over; links, devices and everything else that is no regular file are refused.
 */
import { decodeUtf8 } from "../../json/text.ts";
import { ArchiveFiles, archiveFault, inflate } from "./archive.ts";
import type { PackageFiles } from "./package.ts";

const BLOCK = 512;

/**
 * Reads the files of a tar archive, or of a gzipped one.
 * @throws FlowError `PACKAGE_ARCHIVE_INVALID`, `PACKAGE_PATH_INVALID` or `PACKAGE_LIMIT_EXCEEDED`.
 */
export async function readTar(archive: Uint8Array): Promise<PackageFiles> {
  const files = new ArchiveFiles();
  const gzipped = archive[0] === 0x1f && archive[1] === 0x8b;
  const bytes = gzipped ? await inflate(archive, "gzip", files.limits.archiveBytes) : archive;
  let nextName: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.byteLength; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files.done();
    requireChecksum(header);
    const size = octal(header.subarray(124, 136));
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (content.byteLength !== size) throw archiveFault("a whole file behind its header", "the end of the archive");
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    switch (String.fromCharCode(header[156] as number)) {
      case "g":
        break;
      case "x":
        nextName = paxPath(content) ?? nextName;
        break;
      case "L":
        nextName = textOf(content);
        break;
      case "5":
        nextName = undefined;
        break;
      case "0":
      case "\0":
        files.add(nextName ?? ustarName(header), content);
        nextName = undefined;
        break;
      default:
        throw archiveFault(
          "regular files and directories only",
          `an entry of type ${JSON.stringify(String.fromCharCode(header[156] as number))}`,
        );
    }
  }
  return files.done();
}

/** The sum of the header's bytes, its own field taken as spaces: what tells an archive from something else. */
function requireChecksum(header: Uint8Array): void {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : (header[i] as number);
  if (sum !== octal(header.subarray(148, 156))) throw archiveFault("a tar header with its checksum", "something else");
}

/** An octal number, padded with spaces or NULs. The base-256 form is for sizes that no package has. */
function octal(field: Uint8Array): number {
  const digits = /^ *([0-7]{1,11})[ \0]*$/.exec(String.fromCharCode(...field))?.[1];
  if (digits === undefined) throw archiveFault("an octal number in a tar header", "something else");
  return Number.parseInt(digits, 8);
}

function ustarName(header: Uint8Array): string {
  const name = textOf(header.subarray(0, 100));
  const isUstar = textOf(header.subarray(257, 263)) === "ustar" && header[263] === 48;
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Text up to the first NUL. */
function textOf(field: Uint8Array): string {
  const end = field.indexOf(0);
  const text = decodeUtf8(end < 0 ? field : field.subarray(0, end));
  if (text === undefined) throw archiveFault("names in UTF-8", "bytes that are not UTF-8");
  return text;
}

/** The `path` record of a pax header, whose records are `<length> <key>=<value>\n`, the length counting all of it. */
function paxPath(records: Uint8Array): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < records.byteLength; ) {
    const space = records.indexOf(32, at);
    const length = space < 0 ? Number.NaN : Number(textOf(records.subarray(at, space)));
    if (!Number.isInteger(length) || length <= space - at + 1 || at + length > records.byteLength) {
      throw archiveFault("records of a pax header", "something else");
    }
    const record = textOf(records.subarray(space + 1, at + length - 1));
    if (record.startsWith("path=")) path = record.slice(5);
    at += length;
  }
  return path;
}
