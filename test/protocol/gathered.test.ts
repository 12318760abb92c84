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
