/** Giving memories a maximum: by modules a compiler made, by odd ones, and by every cut of one. */
import { parse } from "@bytecodealliance/jco";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitMemory, memoriesOf, readSize } from "../../src/cli/component-memory.ts";
import type { FlowError } from "../../src/json/errors.ts";

const PAGE = 65_536;
const wat = async (fields: string): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await parse(`(module ${fields})`));

/** Grows a module's memory page by page, and says how far it came. */
async function most(module: Uint8Array<ArrayBuffer>): Promise<number> {
  const { instance } = await WebAssembly.instantiate(module);
  const memory = instance.exports["memory"] as WebAssembly.Memory;
  try {
    for (;;) memory.grow(1);
  } catch {
    return memory.buffer.byteLength / PAGE;
  }
}

function refusal(act: () => unknown): FlowError {
  try {
    act();
  } catch (caught) {
    return caught as FlowError;
  }
  throw new Error("not refused");
}

describe("limitMemory", () => {
  it("gives a memory without a maximum one, and the module runs as before", async () => {
    const before = await wat(
      '(memory (export "memory") 2) (data (i32.const 70000) "x") (func (export "f") (result i32) (i32.load8_u (i32.const 70000)))',
    );
    const after = limitMemory(before, 5 * PAGE);
    expect(await most(after)).toBe(5);
    const { instance } = await WebAssembly.instantiate(after);
    expect((instance.exports["f"] as () => number)()).toBe(120);
  });

  it("lowers a maximum, and leaves a lower one", async () => {
    const module = await wat('(memory (export "memory") 1 9)');
    expect(await most(limitMemory(module, 4 * PAGE))).toBe(4);
    expect(await most(limitMemory(module, 100 * PAGE))).toBe(9);
    expect(limitMemory(module, 9 * PAGE)).toEqual(module);
  });

  it("rounds down to whole pages", async () => {
    expect(await most(limitMemory(await wat('(memory (export "memory") 1)'), 3 * PAGE - 1))).toBe(2);
  });

  it("writes sizes of several bytes", async () => {
    const after = limitMemory(await wat("(memory 200)"), 65_536 * PAGE);
    expect(memoriesOf(after)).toEqual([{ flags: 1, minimum: 200n, maximum: 65_536n }]);
    expect(WebAssembly.validate(after)).toBe(true);
  });

  it("limits each of several memories, wide and shared ones too", async () => {
    const after = limitMemory(await wat("(memory 1) (memory i64 2) (memory 1 30 shared)"), 8 * PAGE);
    expect(memoriesOf(after).map(({ minimum, maximum }) => [minimum, maximum])).toEqual([
      [1n, 8n],
      [2n, 8n],
      [1n, 8n],
    ]);
  });

  it("leaves a module without memory, and imported memory, as they are", async () => {
    for (const fields of ["(func)", '(import "a" "m" (memory 1)) (func)']) {
      const module = await wat(fields);
      expect(limitMemory(module, PAGE)).toEqual(module);
      expect(memoriesOf(module)).toEqual([]);
    }
  });

  it("refuses a memory that is larger from its start", async () => {
    const module = await wat("(memory 3)");
    expect(refusal(() => limitMemory(module, 2 * PAGE))).toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("a memory of 196608 bytes at its start, above the maximum of 131072"),
    });
  });

  it("refuses what is no core module, and a kind of memory it does not know", async () => {
    const component = Uint8Array.of(0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0);
    for (const bytes of [new Uint8Array(), Uint8Array.of(1, 2, 3), component]) {
      expect(refusal(() => limitMemory(bytes, PAGE)).message).toContain("no core WebAssembly module");
    }
    const odd = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 8, 1);
    expect(refusal(() => limitMemory(odd, PAGE)).message).toContain("a memory of an unknown kind (flags 8)");
  });

  it("never reads past the end, wherever a module is cut", async () => {
    const module = await wat('(memory (export "memory") 1 200) (data (i32.const 0) "some data") (func (export "f"))');
    for (let length = 0; length < module.length; length++) {
      let cut: Uint8Array | undefined;
      try {
        cut = limitMemory(module.subarray(0, length), 4 * PAGE);
      } catch (caught) {
        expect((caught as FlowError).code).toBe("unsupported");
      }
      // Only a cut between two sections goes unnoticed, and what is there is then as it was but for the memory.
      if (cut !== undefined) expect(cut.length).toBeLessThanOrEqual(length);
    }
  });

  it("agrees with the engine for any sizes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.option(fc.nat(40)), fc.integer({ min: 1, max: 60 }), async (minimum, more, cap) => {
        const module = await wat(`(memory (export "memory") ${minimum} ${more === null ? "" : minimum + more})`);
        fc.pre(minimum <= cap);
        expect(await most(limitMemory(module, cap * PAGE))).toBe(Math.min(cap, more === null ? cap : minimum + more));
      }),
      { numRuns: 40 },
    );
  });
});

describe("readSize", () => {
  it.each([
    ["65536", 65_536],
    ["64KiB", 65_536],
    ["64 mib", 67_108_864],
    ["4GiB", 4_294_967_296],
  ])("reads %j", (text, bytes) => {
    expect(readSize(text)).toBe(bytes);
  });

  it.each(["", "64", "-1MiB", "64MB", "1.5GiB", "5GiB", "0x10000", "9999999999999999"])("refuses %j", (text) => {
    expect(refusal(() => readSize(text)).code).toBe("usage");
  });
});
