/** SHA-256: which way is taken, and that all ways agree and never mix two inputs. */
import { createHash } from "node:crypto";
import { createSHA256 } from "hash-wasm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createHasher, hashPath, LARGE_INPUT, type SubtleDigest, type SyncHasher, sha256Hex } from "../../src/signature/hash.ts";

const subtle = globalThis.crypto.subtle as unknown as SubtleDigest;
const wasm = createSHA256 as () => Promise<SyncHasher>;
const refuses = async (): Promise<SyncHasher> => {
  throw new Error("Wasm code generation disallowed by embedder");
};

const expected = (input: string | Uint8Array): string => createHash("sha256").update(input).digest("hex");
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 31) % 251);

describe("known answers", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"],
  ])("%j", async (text, digest) => {
    for (const platform of [{ subtle }, { wasm }, { subtle, wasm }]) {
      expect(await createHasher(platform).sha256Hex(text)).toBe(digest);
      expect(await createHasher(platform).sha256Hex(new TextEncoder().encode(text))).toBe(digest);
    }
  });

  it("every length around the block size, both ways", async () => {
    const small = createHasher({ wasm });
    const large = createHasher({ subtle });
    for (let length = 0; length <= 130; length++) {
      const input = bytes(length);
      expect(await small.sha256Hex(input)).toBe(expected(input));
      expect(await large.sha256Hex(input)).toBe(expected(input));
    }
  });

  it("text outside ASCII is hashed as UTF-8", async () => {
    for (const text of ["\u00fc", "\u20ac", "\u{1f600}", "a\u0000b"]) expect(await sha256Hex(text)).toBe(expected(text));
  });
});

describe("the way taken", () => {
  it("is hash-wasm for small inputs and WebCrypto for large ones, where both are there", async () => {
    const hasher = createHasher({ subtle, wasm });
    expect(hasher.path()).toBeUndefined();
    for (const [length, path] of [
      [0, "wasm"],
      [LARGE_INPUT - 1, "wasm"],
      [LARGE_INPUT, "subtle"],
      [100_000, "subtle"],
      [5, "wasm"],
    ] as const) {
      const input = bytes(length);
      expect(await hasher.sha256Hex(input)).toBe(expected(input));
      expect(hasher.path()).toBe(path);
    }
  });

  it("is WebCrypto where WebAssembly does not compile, which is tried once", async () => {
    const compile = vi.fn(refuses);
    const hasher = createHasher({ subtle, wasm: compile });
    for (const length of [3, 4, LARGE_INPUT]) {
      expect(await hasher.sha256Hex(bytes(length))).toBe(expected(bytes(length)));
      expect(hasher.path()).toBe("subtle");
    }
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it("is WebCrypto where compiling throws at once", async () => {
    const hasher = createHasher({
      subtle,
      wasm: () => {
        throw new Error("no WebAssembly");
      },
    });
    expect(await hasher.sha256Hex("abc")).toBe(expected("abc"));
    expect(hasher.path()).toBe("subtle");
  });

  it("is hash-wasm for every size where crypto.subtle is missing", async () => {
    const hasher = createHasher({ wasm });
    for (const length of [3, LARGE_INPUT, 300_000]) {
      expect(await hasher.sha256Hex(bytes(length))).toBe(expected(bytes(length)));
      expect(hasher.path()).toBe("wasm");
    }
  });

  it("is an error where there is none", async () => {
    await expect(createHasher({}).sha256Hex("x")).rejects.toMatchObject({ name: "FlowError", code: "usage" });
    await expect(createHasher({ wasm: refuses }).sha256Hex(bytes(LARGE_INPUT))).rejects.toMatchObject({ code: "usage" });
  });

  it("is shown for the platform's own hasher", async () => {
    await sha256Hex("x");
    expect(hashPath()).toBe("wasm");
    await sha256Hex(bytes(LARGE_INPUT));
    expect(hashPath()).toBe("subtle");
  });

  it("compiles nothing before the first small input", async () => {
    const compile = vi.fn(wasm);
    const hasher = createHasher({ subtle, wasm: compile });
    await hasher.sha256Hex(bytes(LARGE_INPUT));
    expect(compile).not.toHaveBeenCalled();
    await Promise.all([hasher.sha256Hex("a"), hasher.sha256Hex("b")]);
    expect(compile).toHaveBeenCalledTimes(1);
  });
});

describe("many at once", () => {
  afterEach(() => vi.restoreAllMocks());

  it("never mix", async () => {
    const hasher = createHasher({ subtle, wasm });
    const inputs = Array.from({ length: 120 }, (_, i) => bytes((i * 977) % (2 * LARGE_INPUT)));
    const digests = await Promise.all(inputs.map((input) => hasher.sha256Hex(input)));
    expect(digests).toEqual(inputs.map(expected));
  });

  it("run the shared hasher's three steps without a turn between them", async () => {
    const real = (await createSHA256()) as unknown as SyncHasher;
    const steps: string[] = [];
    const spied: SyncHasher = {
      init: () => steps.push("init") && real.init(),
      update: (data) => steps.push("update") && real.update(data),
      digest: (output) => (steps.push("digest") ? real.digest(output) : ""),
    };
    const hasher = createHasher({ wasm: async () => spied });
    await Promise.all(["a", "b", "c"].map((text) => hasher.sha256Hex(text)));
    expect(steps.join(" ")).toBe(Array.from({ length: 3 }, () => "init update digest").join(" "));
  });

  it("hash the bytes as they were when asked", async () => {
    for (const platform of [{ subtle, wasm }, { subtle }, { wasm: refuses, subtle }]) {
      const input = bytes(64);
      const digest = expected(input);
      const pending = createHasher(platform).sha256Hex(input);
      input.fill(0);
      expect(await pending).toBe(digest);
    }
  });
});
