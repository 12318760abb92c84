/** Packages out of archives, as common programs write them and as hostile ones would. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readPackage, readTar, readZip, sessionStoreDescriptor } from "../../src/contracts/index.ts";
import { runPython } from "../support/python.ts";

const LONG = `${"long/".repeat(30)}${"n".repeat(80)}.txt`;
const FILES: Readonly<Record<string, string>> = {
  "FLOW.md": "---\nname: reader\ndescription: d\nuses: {s: {contract: ./c/session-store.json}}\n---\n",
  "c/session-store.json": JSON.stringify(sessionStoreDescriptor),
  "é😀.txt": "x",
  "empty.txt": "",
  [LONG]: "far down".repeat(200),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "flow-host-archive-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, "package", path, ".."), { recursive: true });
    writeFileSync(join(folder, "package", path), text);
  }
  pack("packed", [...TARS, ...ZIPS]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function texts(files: ReadonlyMap<string, Uint8Array>): Record<string, string> {
  return Object.fromEntries([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}

/** Made by Python, whose archives are the common ones: tar of three kinds, and zip. */
const TARS = ["ustar", "pax", "gnu", "pax+gz"];
const ZIPS = ["zip", "zip-stored"];

function pack(into: string, kinds: readonly string[]): void {
  const program = fileURLToPath(new URL("./archive.py", import.meta.url));
  mkdirSync(join(folder, into));
  expect(runPython(program, [join(folder, "package"), join(folder, into), ...kinds])).toEqual({ status: 0, output: "", errors: "" });
}

function archive(kind: string, from = "packed"): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, from, kind)));
}

it.each(TARS)("tar of the kind %s", async (kind) => {
  const files = await readTar(archive(kind));
  expect(texts(files)).toEqual(FILES);
  expect(Object.keys((await readPackage(files)).uses)).toEqual(["s"]);
});

it("says so where the platform cannot unpack zip, and reads what is stored all the same", async () => {
  class Older extends DecompressionStream {
    constructor(format: CompressionFormat) {
      if (format === "deflate-raw") throw new TypeError("The argument 'format' is invalid");
      super(format);
    }
  }
  vi.stubGlobal("DecompressionStream", Older);
  try {
    await expect(readZip(archive("zip"))).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("20.12"),
    });
    expect(texts(await readZip(archive("zip-stored")))).toEqual(FILES);
    expect(texts(await readTar(archive("pax+gz")))).toEqual(FILES);
  } finally {
    vi.unstubAllGlobals();
  }
});

it.each(ZIPS)("%s", async (kind) => {
  expect(texts(await readZip(archive(kind)))).toEqual(FILES);
});

/** One tar entry. */
function tarEntry(name: string, type: string, content = "", declared = content.length): Uint8Array {
  const block = new Uint8Array(512 + Math.ceil(content.length / 512) * 512);
  const put = (text: string, at: number): void => block.set(new TextEncoder().encode(text), at);
  put(name, 0);
  put(`${declared.toString(8).padStart(11, "0")} `, 124);
  put("        ", 148);
  put(type, 156);
  put("ustar\u000000", 257);
  put(content, 512);
  const sum = block.subarray(0, 512).reduce((a, b) => a + b, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

describe("a hostile tar", () => {
  it.each<[string, Uint8Array, string]>([
    ["a path out of the package", tarEntry("../evil", "0", "x"), "PACKAGE_PATH_INVALID"],
    ["an absolute path", tarEntry("/etc/passwd", "0", "x"), "PACKAGE_PATH_INVALID"],
    [
      "a path out of it in a pax header",
      joined(tarEntry("p", "x", "16 path=../evil\n"), tarEntry("fine", "0", "x")),
      "PACKAGE_PATH_INVALID",
    ],
    ["a symbolic link", tarEntry("link", "2"), "PACKAGE_ARCHIVE_INVALID"],
    ["a hard link", tarEntry("link", "1"), "PACKAGE_ARCHIVE_INVALID"],
    ["a device", tarEntry("device", "3"), "PACKAGE_ARCHIVE_INVALID"],
    ["a file twice", joined(tarEntry("a", "0", "1"), tarEntry("./a", "0", "2")), "PACKAGE_ARCHIVE_INVALID"],
    ["a file longer than the archive", tarEntry("a", "0", "x", 5_000), "PACKAGE_ARCHIVE_INVALID"],
    ["a wrong checksum", tarEntry("a", "0", "x").fill(65, 0, 1).fill(66, 1, 2), "PACKAGE_ARCHIVE_INVALID"],
    ["a pax record that overreaches", joined(tarEntry("p", "x", "99 path=a\n"), tarEntry("b", "0")), "PACKAGE_ARCHIVE_INVALID"],
    ["no tar at all", new Uint8Array(1_024).fill(65), "PACKAGE_ARCHIVE_INVALID"],
    ["gzip that is none", new Uint8Array([0x1f, 0x8b, 0, 0]), "PACKAGE_ARCHIVE_INVALID"],
    ["gzip that unpacks to more than it may", new Uint8Array(gzipSync(new Uint8Array(134_217_729))), "PACKAGE_LIMIT_EXCEEDED"],
  ])("with %s", async (_, bytes, code) => {
    await expect(readTar(bytes)).rejects.toMatchObject({ code });
  });
});

interface Faked {
  readonly name: string;
  readonly content?: Uint8Array;
  readonly size?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  readonly mode?: number;
  readonly offset?: number;
}

/** A zip archive whose directory says what it is told to say. */
function zip(...entries: readonly Faked[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const {
    name,
    content = new Uint8Array(),
    size = content.length,
    crc = 0,
    method = 0,
    flags = 0,
    mode = 0o100644,
    offset = at,
  } of entries) {
    const bytes = new TextEncoder().encode(name);
    const local = Buffer.alloc(30 + bytes.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(bytes.length, 26);
    local.set(bytes, 30);
    const entry = Buffer.alloc(46 + bytes.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(bytes.length, 28);
    entry.writeUInt32LE((mode << 16) >>> 0, 38);
    entry.writeUInt32LE(offset, 42);
    entry.set(bytes, 46);
    parts.push(local, content);
    directory.push(entry);
    at += local.length + content.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return joined(...parts, ...directory, end);
}

describe("a hostile zip", () => {
  const bomb = new Uint8Array(deflateRawSync(new Uint8Array(50_000_000)));
  it.each<[string, Uint8Array, string]>([
    ["a path out of the package", zip({ name: "../evil" }), "PACKAGE_PATH_INVALID"],
    ["a backslash", zip({ name: "a\\b" }), "PACKAGE_PATH_INVALID"],
    ["a symbolic link", zip({ name: "link", mode: 0o120777 }), "PACKAGE_ARCHIVE_INVALID"],
    ["an encrypted file", zip({ name: "a", flags: 1 }), "PACKAGE_ARCHIVE_INVALID"],
    ["another compression", zip({ name: "a", method: 12 }), "PACKAGE_ARCHIVE_INVALID"],
    ["a file twice", zip({ name: "a" }, { name: "a" }), "PACKAGE_ARCHIVE_INVALID"],
    ["files that overlap", zip({ name: "a" }, { name: "b", offset: 0 }), "PACKAGE_ARCHIVE_INVALID"],
    ["a file that is not there", zip({ name: "a", offset: 9_999 }), "PACKAGE_ARCHIVE_INVALID"],
    ["a wrong checksum", zip({ name: "a", crc: 1 }), "PACKAGE_ARCHIVE_INVALID"],
    ["more than it says", zip({ name: "a", method: 8, content: bomb, size: 10 }), "PACKAGE_LIMIT_EXCEEDED"],
    [
      "less than it says",
      zip({ name: "a", method: 8, content: new Uint8Array(deflateRawSync(new Uint8Array(5))), size: 10 }),
      "PACKAGE_ARCHIVE_INVALID",
    ],
    ["a file past the limit", zip({ name: "a", method: 8, content: bomb, size: 50_000_000 }), "PACKAGE_LIMIT_EXCEEDED"],
    [
      "data that is not compressed",
      zip({ name: "a", method: 8, content: new Uint8Array([255, 255, 255]), size: 3 }),
      "PACKAGE_ARCHIVE_INVALID",
    ],
    ["too many files", zip(...Array.from({ length: 10_001 }, (_, i) => ({ name: `f${i}` }))), "PACKAGE_LIMIT_EXCEEDED"],
    ["no zip at all", new Uint8Array(100), "PACKAGE_ARCHIVE_INVALID"],
    ["nothing", new Uint8Array(), "PACKAGE_ARCHIVE_INVALID"],
  ])("with %s", async (_, bytes, code) => {
    await expect(readZip(bytes)).rejects.toMatchObject({ code });
  });

  it("cut off anywhere never gives a file that is not whole", async () => {
    const whole = archive("zip");
    for (let length = 0; length < whole.length; length += 97) {
      await expect(readZip(whole.subarray(0, length))).rejects.toMatchObject({ name: "FlowError" });
    }
  });
});

it("keeps its own copy of a file", async () => {
  const bytes = tarEntry("a", "0", "x");
  const files = await readTar(bytes);
  bytes.fill(0);
  expect(texts(files)).toEqual({ a: "x" });
});

it("symbolic links in an archive made of a folder that has them are refused", async () => {
  symlinkSync("/etc/hostname", join(folder, "package", "link"));
  try {
    pack("linked", ["pax"]);
    await expect(readTar(archive("pax", "linked"))).rejects.toMatchObject({ code: "PACKAGE_ARCHIVE_INVALID" });
  } finally {
    rmSync(join(folder, "package", "link"));
  }
});
