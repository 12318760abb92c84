/**
 * SHA-256, by the better of two ways. hash-wasm computes synchronously once its module is compiled and is the faster
 * one for signatures and other small inputs; WebCrypto works through large ones faster, but each call costs a turn
 * through a thread pool. Where one is missing the other does all: workerd and pages with a strict Content-Security-Policy
 * refuse to compile WebAssembly from bytes, pages served over plain http have no `crypto.subtle`.
 *
 * Nothing is compiled or awaited before the first hash is asked for.
 */
import { createSHA256 } from "hash-wasm";
import { FlowError } from "../json/errors.ts";

/** What of hash-wasm's hasher is used. */
export interface SyncHasher {
  init(): unknown;
  update(data: Uint8Array): unknown;
  digest(output: "hex"): string;
}

/** What of `crypto.subtle` is used. */
export interface SubtleDigest {
  digest(algorithm: "SHA-256", data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
}

/** What a hasher may use. A missing one stands for a platform that does not have it. */
export interface HashPlatform {
  readonly subtle?: SubtleDigest | undefined;
  /** Compiles hash-wasm's SHA-256; rejects where the platform refuses. */
  readonly wasm?: (() => Promise<SyncHasher>) | undefined;
}

/** A way to compute SHA-256: hash-wasm, or WebCrypto. */
export type HashPath = "wasm" | "subtle";

export interface Hasher {
  /** The SHA-256 of bytes, or of a text's UTF-8, in lowercase hex. @throws FlowError `usage` where the platform has no way at all. */
  sha256Hex(input: string | Uint8Array): Promise<string>;
  /** Which way the last hash took; `undefined` before the first. */
  path(): HashPath | undefined;
}

/**
 * The size in bytes from which WebCrypto is used where both are there. Measured on Node 20, x86-64, two cores:
 * hash-wasm 4 us at 100 bytes, 9 at 1 KiB, 200 at 32 KiB, 430 at 64 KiB; WebCrypto 200 to 300 us for all of them, nearly
 * all of it the way to its thread and back.
 */
export const LARGE_INPUT = 40_960;

const encoder = new TextEncoder();

/** A hasher of its own over the given platform. Safe for any number of hashes at once. */
export function createHasher(platform: HashPlatform): Hasher {
  let taken: HashPath | undefined;
  let compiled: SyncHasher | undefined;
  let compiling: Promise<SyncHasher | undefined> | undefined;

  function compile(): Promise<SyncHasher | undefined> {
    // A platform that refused once refuses again: one attempt, whose outcome is kept.
    compiling ??= tryToCompile();
    return compiling;
  }

  async function tryToCompile(): Promise<SyncHasher | undefined> {
    try {
      compiled = await platform.wasm?.();
    } catch {
      // Refused, by rejecting or by throwing at once: WebCrypto does all.
    }
    return compiled;
  }

  /** One synchronous run: the hasher is shared, and no other input can come between its three steps. */
  function bySync(hasher: SyncHasher, bytes: Uint8Array): string {
    taken = "wasm";
    hasher.init();
    hasher.update(bytes);
    return hasher.digest("hex");
  }

  async function bySubtle(subtle: SubtleDigest, bytes: Uint8Array): Promise<string> {
    taken = "subtle";
    return hex(new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)));
  }

  async function sha256Hex(input: string | Uint8Array): Promise<string> {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    const { subtle } = platform;
    if (subtle !== undefined && bytes.byteLength >= LARGE_INPUT) return bySubtle(subtle, bytes);
    if (compiled !== undefined) return bySync(compiled, bytes);
    // The caller may change its bytes while the module compiles.
    const own = bytes === input ? bytes.slice() : bytes;
    const hasher = await compile();
    if (hasher !== undefined) return bySync(hasher, own);
    if (subtle !== undefined) return bySubtle(subtle, own);
    throw new FlowError("usage", "expected a platform with SHA-256, met one without crypto.subtle that refuses to compile WebAssembly");
  }

  return { sha256Hex, path: () => taken };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

let shared: Hasher | undefined;

/** The hasher of this platform, made at the first use. */
function platformHasher(): Hasher {
  shared ??= createHasher({ subtle: globalThis.crypto?.subtle as SubtleDigest | undefined, wasm: createSHA256 });
  return shared;
}

/**
 * The SHA-256 of bytes, or of a text's UTF-8, in lowercase hex.
 * @throws FlowError `usage` where the platform has neither `crypto.subtle` nor WebAssembly compilation.
 */
export function sha256Hex(input: string | Uint8Array): Promise<string> {
  return platformHasher().sha256Hex(input);
}

/** Which way the last {@link sha256Hex} took on this platform; `undefined` before the first. */
export function hashPath(): HashPath | undefined {
  return shared?.path();
}
