import fc from "fast-check";
import { expect, it } from "vitest";
import { visible, visibleLine } from "../../src/cli/visible.ts";

it("shows what would move the cursor, erase, or turn the text around", () => {
  expect(visible("a\tb\n\u001b[2K\r\u009b1m\u202edlo\u2066\u007f")).toBe("a\tb\n\\u001b[2K\\u000d\\u009b1m\\u202edlo\\u2066\\u007f");
  expect(visibleLine("yes\nno")).toBe("yes\\u000ano");
});

it("leaves JSON the JSON it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(JSON.parse(visible(JSON.stringify(text)))).toBe(text);
    }),
  );
});
