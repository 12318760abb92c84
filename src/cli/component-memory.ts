/**
 * Gives the memories of a core WebAssembly module a maximum. No compiler flag does it for a component that is there
 * already, and without one a component takes what its runtime lets it have, which is up to 4 GiB of a page or a server.
 */
import { FlowError } from "../json/errors.ts";

const PAGE = 65_536;
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const MEMORY_SECTION = 5;

/** Bits of a memory's flags; others mean what is not known here, and so where it ends is not either. */
const HAS_MAXIMUM = 1;
const SHARED = 2;
const WIDE = 4;

/**
 * The module with a maximum of `bytes`, rounded down to whole pages, on each memory it defines; a lower maximum stays.
 * Memories that it imports are another module's.
 * @throws FlowError `unsupported` for what is no core module, for a memory that is larger from its start, and for a kind of
 *   memory that is not known here
 */
export function limitMemory(module: Uint8Array, bytes: number): Uint8Array<ArrayBuffer> {
  if (HEADER.some((byte, i) => module[i] !== byte)) throw unsupported("no core WebAssembly module");
  const reader = new Reader(module, HEADER.length);
  const parts: Uint8Array[] = [module.subarray(0, HEADER.length)];
  while (!reader.atEnd) {
    const start = reader.at;
    const id = reader.byte();
    const size = Number(reader.leb());
    const body = reader.take(size);
    if (id !== MEMORY_SECTION) parts.push(module.subarray(start, reader.at));
    else {
      const limited = limitedSection(body, BigInt(Math.floor(bytes / PAGE)));
      parts.push(Uint8Array.of(id, ...leb(BigInt(limited.length))), limited);
    }
  }
  return concatenated(parts);
}

/** How many pages each memory of the module has at its start and at most; `undefined` where there is no maximum. */
export function memoriesOf(module: Uint8Array): readonly { readonly minimum: bigint; readonly maximum: bigint | undefined }[] {
  const reader = new Reader(module, HEADER.length);
  while (!reader.atEnd) {
    const id = reader.byte();
    const body = reader.take(Number(reader.leb()));
    if (id === MEMORY_SECTION) return readSection(body);
  }
  return [];
}

interface Memory {
  readonly flags: number;
  readonly minimum: bigint;
  readonly maximum: bigint | undefined;
}

function readSection(body: Uint8Array): readonly Memory[] {
  const reader = new Reader(body, 0);
  const count = Number(reader.leb());
  const memories: Memory[] = [];
  for (let i = 0; i < count; i++) {
    const flags = reader.byte();
    if ((flags & ~(HAS_MAXIMUM | SHARED | WIDE)) !== 0) throw unsupported(`a memory of an unknown kind (flags ${flags})`);
    const minimum = reader.leb();
    memories.push({ flags, minimum, maximum: (flags & HAS_MAXIMUM) === 0 ? undefined : reader.leb() });
  }
  if (!reader.atEnd) throw unsupported("a memory section that is longer than its memories");
  return memories;
}

function limitedSection(body: Uint8Array, pages: bigint): Uint8Array {
  const memories = readSection(body);
  const bytes = leb(BigInt(memories.length));
  for (const { flags, minimum, maximum } of memories) {
    if (minimum > pages) {
      throw unsupported(`a memory of ${minimum * BigInt(PAGE)} bytes at its start, above the maximum of ${pages * BigInt(PAGE)}`);
    }
    const lower = maximum !== undefined && maximum < pages ? maximum : pages;
    bytes.push(flags | HAS_MAXIMUM, ...leb(minimum), ...leb(lower));
  }
  return Uint8Array.from(bytes);
}

/** Unsigned LEB128, as short as can be. */
function leb(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return bytes;
}

class Reader {
  at: number;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw unsupported("a module that is cut short");
    return byte;
  }

  leb(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw unsupported("a number of more than ten bytes");
  }

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw unsupported("a module that is cut short");
    const part = this.bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function unsupported(met: string): FlowError {
  return new FlowError("unsupported", `expected a core WebAssembly module whose memory can be limited, met ${met}`);
}

/** Bytes in `64MiB`, `512 KiB` or a plain number. @throws FlowError `usage` */
export function readSize(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,12})\s*(|B|KiB|MiB|GiB)$/i.exec(text.trim()) ?? [];
  const factor = { "": 1, b: 1, kib: 1_024, mib: 1_048_576, gib: 1_073_741_824 }[unit.toLowerCase()] as number;
  const size = Number(digits) * factor;
  if (digits === undefined || size < PAGE || size > 65_536 * PAGE) {
    throw new FlowError("usage", `expected a size from 64KiB to 4GiB, such as 64MiB, met ${JSON.stringify(text)}`);
  }
  return size;
}
