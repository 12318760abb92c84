/** The Contracts view. */
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { axeFinds, overflowing, type Site } from "./site.ts";

/** The digest that the specification gives of its session-store example. */
const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function contractsSuite(get: () => Site): void {
  describe("the Contracts view", () => {
    let page: Page;

    beforeAll(async () => {
      page = await get().share("#contracts");
      await page.getByText("A valid descriptor.").waitFor();
    });

    const pick = (label: string) => page.getByLabel("Example").selectOption({ label });

    it("shows identity and digest, and how two versions stand to each other", async () => {
      const digests = await page.locator(".digest").allTextContents();
      expect(digests).toHaveLength(2);
      expect(digests.every((digest) => DIGEST.test(digest))).toBe(true);
      expect(new Set(digests).size).toBe(2);
      await page.getByText("Two versions of one contract").waitFor();
      expect(await page.locator(".contract-changes .at").allTextContents()).toEqual(["/methods/forget", "/version"]);
      await pick("One id and version, two digests");
      await page.getByText("no single source may claim both").waitFor();
    });

    it("tries values against a method's schemas, with the meter as a bar", async () => {
      await pick("A session store");
      const method = page.getByRole("article", { name: "read" });
      await method.getByText("Valid.").waitFor();
      const meter = method.getByRole("meter");
      const units = Number(await meter.getAttribute("aria-valuenow"));
      expect(units).toBeGreaterThan(0);
      await method.locator("textarea").fill('{"sessionId": ""}');
      await method.locator(".code").getByText("INVALID_INPUT").waitFor();
      expect(await method.locator("mark").textContent()).toBe('""');
      await method.locator("textarea").fill('{"sessionId": 1e999}');
      await method.locator(".code").getByText("number").waitFor();
      await method.locator("select").selectOption("error not-found");
      await method.locator("textarea").fill('{"sessionId": "gone"}');
      await method.getByText("Valid.").waitFor();
    });

    it("says every fault with its place and something to try", async () => {
      await pick("A descriptor with faults");
      const codes = page.locator(".verdict .fault .code");
      await codes.first().waitFor();
      expect(await codes.allTextContents()).toEqual(expect.arrayContaining(["CONTRACT_VERSION_INVALID", "CONTRACT_NAME_INVALID"]));
      await page.getByRole("button", { name: /version, line/ }).click();
      expect(await page.locator(".editor:has(#contract-first) mark").textContent()).toBe('"1.0"');
      await page.getByLabel("Descriptor", { exact: true }).fill("{");
      await page.locator(".verdict .fault .code").getByText("CONTRACT_JSON_INVALID").waitFor();
    });

    it("keeps its state in the address, fits a narrow page, and lets axe find nothing", async () => {
      await pick("A session store and its next version");
      await page.getByText("Two versions of one contract").waitFor();
      await page.getByRole("article", { name: "read" }).locator("textarea").fill('{"sessionId": "gone"}');
      expect(await axeFinds(page)).toEqual([]);
      const other = await get().open(new URL(page.url()).hash, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
      await other.getByText("Two versions of one contract").waitFor();
      expect(await other.getByRole("article", { name: "read" }).locator("textarea").inputValue()).toBe('{"sessionId": "gone"}');
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await overflowing(other)).toEqual([]);
      expect(await axeFinds(other)).toEqual([]);
    });
  });
}
