/** What is kept for generic calls: within bounds, and never across views that differ. */
import { describe, expect, it } from "vitest";
import { ViewCache } from "../../src/signature/viewcache.ts";

describe("ViewCache", () => {
  it("keeps what was used last, within its bounds", () => {
    const cache = new ViewCache<{ number: number }>();
    let made = 0;
    const get = (types: string) => cache.get("{}", types, () => ({ number: made++ }));
    const first = get("first");
    for (let i = 0; i < 255; i++) get(`${i}`);
    expect(get("first")).toBe(first);
    get("one more");
    expect(get("first")).toBe(first);
    expect(get("0")).not.toMatchObject({ number: 1 });
    // Texts too long to be kept push nothing out.
    const long = "x".repeat(2_000_000);
    expect(get(long)).not.toBe(get(long));
    expect(get("first")).toBe(first);
    for (let i = 0; i < 10; i++) get(`${i}${"y".repeat(1_000_000)}`);
    expect(get("first")).not.toBe(first);
  });

  it("tells views apart by both of their texts, wherever the one ends", () => {
    const cache = new ViewCache<number>();
    const views: [string | undefined, string | undefined][] = [
      ["a", "b c"],
      ["a b", "c"],
      ["a", "b"],
      [undefined, "b"],
      ["a", undefined],
      ["undefined", "b"],
      [undefined, undefined],
    ];
    const numbers = views.map(([schema, types], i) => cache.get(schema, types, () => i));
    expect(numbers).toEqual(views.map((_, i) => i));
    expect(views.map(([schema, types]) => cache.get(schema, types, () => -1))).toEqual(numbers);
  });

  it("keeps nothing of what was refused", () => {
    const cache = new ViewCache<string>();
    const refused = () => {
      throw new Error("no");
    };
    expect(() => cache.get("a", "b", refused)).toThrow("no");
    expect(cache.get("a", "b", () => "made")).toBe("made");
  });
});
