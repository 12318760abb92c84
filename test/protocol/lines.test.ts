import fc from "fast-check";
import { expect, it } from "vitest";
import { LineReader } from "../../src/protocol/lines.ts";

function read(pieces: readonly Uint8Array[], limit = 1_000): { lines: string[]; malformed: number; oversized: number } {
  const found = { lines: [] as string[], malformed: 0, oversized: 0 };
  const reader = new LineReader(limit, {
    line: (text) => found.lines.push(text),
    malformed: () => found.malformed++,
    oversized: () => found.oversized++,
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return found;
}

const utf8 = new TextEncoder();

it("R28: whole lines come out, however their bytes were cut", () => {
  const line = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replaceAll("\n", "\r"));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (lines, cuts) => {
      const bytes = utf8.encode(lines.map((text) => `${text}\n`).join(""));
      const pieces: Uint8Array[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const cut = cuts[i % cuts.length] as number;
        pieces.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      expect(read(pieces)).toEqual({ lines, malformed: 0, oversized: 0 });
    }),
  );
});

it("R28: a last line without its line feed is dropped, and told of", () => {
  expect(read([utf8.encode("a\nb")])).toEqual({ lines: ["a"], malformed: 1, oversized: 0 });
});

it("R28: bytes that are not UTF-8 are no line, and the next one is well", () => {
  expect(read([Uint8Array.from([0x61, 0xff, 10]), utf8.encode("b\n")])).toEqual({ lines: ["b"], malformed: 1, oversized: 0 });
});

it("R13: the limit is inclusive and counts bytes", () => {
  expect(read([utf8.encode("\u00e9\u00e9\n")], 4)).toEqual({ lines: ["\u00e9\u00e9"], malformed: 0, oversized: 0 });
  expect(read([utf8.encode("\u00e9\u00e9x\ny\n")], 4)).toEqual({ lines: ["y"], malformed: 0, oversized: 1 });
});
