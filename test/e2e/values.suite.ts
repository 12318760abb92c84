/** The Values view. */
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFinds, type Site } from "./site.ts";

export function valuesSuite(get: () => Site): void {
  describe("the Values view", () => {
    let page: Page;

    beforeAll(async () => {
      page = await get().share("#values");
      await page.getByText("2 numbers changed").waitFor();
    });

    const show = (type: string, json: string, flow = "") =>
      page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `#values?${new URLSearchParams({ type, json, ...(flow === "" ? {} : { flow }) })}`,
      );

    it("marks what JSON.parse loses, and decodes every digit", async () => {
      expect(await page.locator(".losses del").allTextContents()).toEqual(["06465", "8901234567891"]);
      expect(await page.locator(".losses ins").first().textContent()).toContain("73786976294838210000");
      const canonical = page.locator(".canonical");
      expect(await canonical.textContent()).toBe('{"account":73786976294838206465,"amount":123456789012345.678901234567891,"note":"rent"}');
      expect(await page.locator(".tree li li").first().textContent()).toBe("account 73786976294838206465 Int");
      await page
        .locator(".hash")
        .getByText(/^[0-9a-f]{64}$/)
        .waitFor();
      await page.getByText("note, account, amount → account, amount, note").waitFor();
      await page.getByText("The schema of ledger.Posting").click();
      await page.locator(".schema").getByText('"ledger.flow.Posting"', { exact: false }).first().waitFor();
    });

    it.each([
      ["json.Value", '{"a": 9007199254740993, "b": 1e400, "a": 2}', "1 number changed, 1 member lost"],
      ["json.Value", "[0.1, 1.50, 1e2, -0, 0e999999]", "nothing lost"],
      ["json.Value", '[1e-400, 0.10000000000000000001, "9007199254740993"]', "2 numbers changed"],
      ["json.Value", '{"x": {"y": 1, "y": {"z": 9007199254740993, "z": 1}}}', "2 members lost"],
      ["Int", "{", "JSON.parse refuses this text too."],
    ])("%s %s: %s", async (type, json, words) => {
      await show(type, json);
      await page.locator(".count-words").getByText(words, { exact: true }).waitFor();
    });

    it.each([
      ["Set<Int>", "[2, 1]", "order", "1", "ascending"],
      ["ledger.Posting", '{"account": 1}', "missing-member", '{"account": 1}', '"amount"'],
      ["ledger.Posting", '{"account":1,"amount":2,"account":3}', "duplicate-member", '"account"', "Keep one"],
      ["Instant", '"2026-01-31 12:00:00Z"', "spelling", '"2026-01-31 12:00:00Z"', "such as"],
      ["Int", "[1", "syntax", "", "JSON"],
    ])("%s of %s is refused as %s at its place", async (type, json, code, marked, advice) => {
      await show(type, json);
      await page.locator(".verdict .code").getByText(code, { exact: true }).waitFor();
      expect(await page.locator(".editor:has(#values-json) mark").textContent()).toBe(marked);
      expect(await page.locator(".verdict .advice").textContent()).toContain(advice);
    });

    it.each([
      ["Instant", '"2026-01-31T12:00:00.500Z"', '"2026-01-31T12:00:00.5Z"'],
      ["Set<Int>", "[1, 2e1]", "2e1 → 20"],
      ["Text", '"\\u0041"', '"\\u0041" → "A"'],
      ["ledger.Posting", '{"account":1,"amount":2,"old":true}', "/old true is left out"],
      ["Int", "42", "Nothing: the input is the canonical text."],
    ])("%s of %s says what differs: %s", async (type, json, sentence) => {
      await show(type, json);
      await page.locator("main").getByText(sentence, { exact: false }).first().waitFor();
    });

    it("takes declarations and terms, and says what is wrong with them", async () => {
      await show("List<Shape>", '["Nothing", {"Line": [1, 12e2]}]', "type Shape {\n    Nothing,\n    Line(Int, Int),\n}");
      await page.locator(".canonical").getByText('["Nothing",{"Line":[1,1200]}]').waitFor();
      await show('{"Option": "Int"}', '{"Some": 3.0}');
      await page.locator(".canonical").getByText('{"Some":3}').waitFor();
      await show("List<Missing>", "[]");
      await page.locator(".verdict .code").getByText("unknown-name").waitFor();
      expect(await page.locator(".editor:has(#values-type) mark").textContent()).toBe("Missing");
      await show("A", "1", "type A { x: Gone }");
      await page.locator(".verdict .place").getByText("line 1, column 13").waitFor();
      expect(await page.locator(".editor:has(#values-declarations) mark").textContent()).toBe("Gone");
    });

    it("has examples, keeps its state in the address, and lets axe find nothing", async () => {
      await page.getByLabel("Example").selectOption({ label: "The same member twice" });
      await page.getByText("1 member lost").waitFor();
      expect(await axeFinds(page)).toEqual([]);
      const other = await get().open(new URL(page.url()).hash, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
      await other.getByText("1 member lost").waitFor();
      expect(await other.getByLabel("Example").inputValue()).toBe("2");
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await axeFinds(other)).toEqual([]);
    });
  });
}
