import fc from "fast-check";
import { expect, it } from "vitest";
import { Gathered } from "../../src/protocol/gathered.ts";

it("gives the bytes of its pieces, and begins anew", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 3 }), (rounds) => {
      const gathered = new Gathered();
      for (const round of rounds) {
        for (const piece of round) gathered.push(piece);
        const bytes = round.flatMap((piece) => [...piece]);
        expect(gathered.length).toBe(bytes.length);
        expect([...gathered.take()]).toEqual(bytes);
        expect(gathered.length).toBe(0);
      }
    }),
  );
});

it("keeps no piece but the first: bytes sent one at a time take no more room than bytes sent together", () => {
  const gathered = new Gathered();
  const piece = new Uint8Array(1);
  gathered.push(Uint8Array.of(7));
  for (let i = 1; i < 100_000; i++) {
    piece[0] = i & 255;
    gathered.push(piece);
  }
  const bytes = gathered.take();
  expect(bytes.buffer.byteLength).toBeLessThanOrEqual(200_000);
  expect(bytes.every((byte, i) => byte === (i === 0 ? 7 : i & 255))).toBe(true);
});

it("hands a single piece on as it is, time after time", () => {
  const gathered = new Gathered();
  for (const piece of [Uint8Array.of(1, 2), Uint8Array.of(3)]) {
    gathered.push(piece);
    expect(gathered.take().buffer).toBe(piece.buffer);
  }
});

it("grows to twice what it holds then, and only when it must", () => {
  const room = (bytes: number) => {
    const gathered = new Gathered();
    for (let i = 0; i < bytes; i++) gathered.push(Uint8Array.of(i));
    return gathered.take().buffer.byteLength;
  };
  expect([2, 3_000, 4_096, 4_097, 8_194, 8_195].map(room)).toEqual([4_096, 4_096, 4_096, 8_194, 8_194, 16_390]);
});
