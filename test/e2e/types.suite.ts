/** The Types view. */
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { layOut } from "../../demo/page/types/layout.ts";
import { axeFinds, overflowing, type Site, typeFile } from "./site.ts";

export function typesSuite(get: () => Site): void {
  describe("the Types view", () => {
    let page: Page;

    beforeAll(async () => {
      page = await get().share("#types", { viewport: { width: 1280, height: 800 } });
      await page.getByText("No fingerprint of 3 has moved.").waitFor();
    });

    const node = (name: string) => page.getByRole("button", { name, exact: false });

    it("draws Tools and types, and goes between them by keys", async () => {
      expect(await page.locator(".node").count()).toBe(8);
      await node("Tool ledger.post").click();
      await page.locator(".node-detail h3").getByText("ledger.post").waitFor();
      await page.keyboard.press("ArrowRight");
      await page
        .locator(".node-detail h3")
        .getByText(/ledger\.(Posting|LedgerError)/)
        .waitFor();
      expect(await page.locator(".edge.lit").count()).toBeGreaterThan(0);
      await page.keyboard.press("ArrowLeft");
      await page.locator(".node-detail code").getByText("ledger.flow.post").waitFor();
    });

    it("is moved and sized by pointer and keys", async () => {
      const scene = page.locator(".graph-canvas > g");
      const seen = new Set([await scene.getAttribute("transform")]);
      const differs = async () => {
        const now = await scene.getAttribute("transform");
        expect(seen.has(now)).toBe(false);
        seen.add(now);
      };
      await page.keyboard.press("+");
      await differs();
      await page.keyboard.press("Shift+ArrowLeft");
      await differs();
      const box = await page.locator(".graph").boundingBox();
      const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + (box?.height ?? 0) - 20];
      await page.mouse.move(x, y);
      await page.mouse.wheel(0, -100);
      await page.waitForFunction(
        (before) => document.querySelector(".graph-canvas > g")?.getAttribute("transform") !== before,
        [...seen].at(-1),
      );
      await differs();
      await page.mouse.down();
      await page.mouse.move(x + 50, y - 10);
      await page.mouse.up();
      await differs();
      await page.getByRole("button", { name: "Fit all" }).click();
    });

    it("shows which fingerprints a change moves, and why", async () => {
      await page.getByRole("button", { name: "Try a change" }).click();
      await page.getByText("2 of 3 fingerprints have moved").waitFor();
      expect(await page.locator(".node.moved .title").allTextContents()).toEqual(expect.arrayContaining(["catalog.read", "search.find"]));
      const move = page.getByRole("article", { name: "catalog.read" });
      await move.getByText(/pages: .* is new/).waitFor();
      await move.getByText("The signature before and after").click();
      await move.locator("ins").getByText('"pages"').waitFor();
      expect(await axeFinds(page)).toEqual([]);
      const other = await get().open(new URL(page.url()).hash, { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
      await other.getByText("2 of 3 fingerprints have moved").waitFor();
      expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await overflowing(other)).toEqual([]);
      expect(await axeFinds(other)).toEqual([]);
      await page.getByRole("button", { name: "Compare with what is there now" }).click();
      await page.getByText("No fingerprint of 3 has moved.").waitFor();
      await page.getByRole("button", { name: "Reset" }).click();
      await page.getByText("2 of 3 fingerprints have moved").waitFor();
    });

    it("marks what is refused, and keeps the last graph", async () => {
      await typeFile(page, "ledger.flow", "pub type Posting { x: Missing }");
      await page.locator(".fault-list .code").getByText("unknown-name").waitFor();
      await page.getByText("The graph is that of the last declarations without a fault.").waitFor();
      expect(await page.locator(".node").count()).toBe(8);
    });
  });

  describe("the layout", () => {
    const node = (id: string) => ({ id, width: 10, height: 10 });

    it("puts what uses to the left of what is used, and ends on cycles", () => {
      const nodes = ["a", "b", "c", "d"].map(node);
      const edges = [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "c", to: "b" },
        { from: "a", to: "d" },
        { from: "d", to: "d" },
      ];
      const { places } = layOut(nodes, edges);
      const layer = (id: string) => places.get(id)?.layer;
      expect([layer("a"), layer("b"), layer("c"), layer("d")]).toEqual([0, 1, 2, 1]);
      expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4);
    });

    it("takes long chains", () => {
      const nodes = Array.from({ length: 3_000 }, (_, i) => node(String(i)));
      const edges = nodes.slice(1).map(({ id }, i) => ({ from: String(i), to: id }));
      expect(layOut(nodes, edges).places.get("2999")?.layer).toBe(2_999);
    });
  });
}
