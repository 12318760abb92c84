import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { base64Length, compareBytes, decodeBase64, encodeBase64 } from "../../src/values/bytes.ts";
import { HostToken, None, type Option, Some, type Variant } from "../../src/values/shapes.ts";

describe("base64", () => {
  it("is what the platform writes, and comes back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64"));
        expect(text).toHaveLength(base64Length(bytes.length));
        expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it("has one text for one value (R8): whatever decodes, encodes to the same text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("A", "Q", "g", "w", "/", "+", "=", "-", "_", " ", "\n", "é", "9"), { maxLength: 9 }),
        (characters) => {
          const text = characters.join("");
          const bytes = decodeBase64(text);
          if (bytes !== undefined) expect(encodeBase64(bytes)).toBe(text);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it.each([
    "A",
    "AA",
    "AAA",
    "A===",
    "====",
    "AA=A",
    "=AAA",
    "AB==",
    "AAB=",
    "AA==AA==",
    "AA-_",
    "AA\n=",
    " AA=",
    "AAAé",
    "AAA\u0141",
    "AA==\n",
  ])("refuses %j", (text) => {
    expect(decodeBase64(text)).toBeUndefined();
  });
});

it("bytes are ordered unsigned, a prefix first (R12)", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 4 }), (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b));
    }),
  );
});

describe("shapes", () => {
  it("of enums and Options are tagged objects", () => {
    expect(Some(1n)).toEqual({ tag: "Some", value: 1n });
    expect(None).toEqual({ tag: "None" });
    expectTypeOf(Some(1n)).toExtend<Option<bigint>>();
    expectTypeOf(None).toExtend<Option<bigint>>();
    expectTypeOf<Variant<"A">>().toEqualTypeOf<{ readonly tag: "A" }>();
    expectTypeOf<Variant<"B", bigint>>().toEqualTypeOf<{ readonly tag: "B"; readonly value: bigint }>();
    expect(new HostToken(["x"]).json).toEqual(["x"]);
  });
});
