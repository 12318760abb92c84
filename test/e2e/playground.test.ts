/** The playground as people meet it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { componentsSuite } from "./components.suite.ts";
import { contractsSuite } from "./contracts.suite.ts";
import { programSuite } from "./program.suite.ts";
import { axeFinds, drop, overflowing, ran, Site, START_MS, tool, watchShifts } from "./site.ts";
import { typesSuite } from "./types.suite.ts";
import { valuesSuite } from "./values.suite.ts";

const LEDGER = '{"account": 73786976294838206465, "amount": 123456789012345.678901234567891, "note": "rent"}';

const AXE_MS = 90_000;

let site: Site;

beforeAll(async () => {
  site = await Site.start();
}, START_MS);

afterAll(() => site.stop());

afterEach(async () => {
  expect(await site.clean()).toEqual([]);
});

valuesSuite(() => site);

contractsSuite(() => site);

typesSuite(() => site);

programSuite(() => site);

componentsSuite(() => site);

describe("a Tool", () => {
  let shared: Page;

  beforeAll(async () => {
    shared = await site.share();
  });

  it("shows identity, fingerprint, signature, docs and what answers", async () => {
    const page = await site.open("", { permissions: ["clipboard-read", "clipboard-write"] });
    const { card } = tool(page, "search.find");
    await expectText(card, "Finds the documents that hold every word of a query.");
    await expectText(card, "flow find(query: Text) -> Result<List<document.Document>, SearchError>");
    await expectText(card, "github.com/acme/docs@1.0.0/search.flow.find");
    expect(await card.getByLabel("What answers search.find").inputValue()).toBe("component");
    await card.getByText("Its 2 types").click();
    await expectText(card, "type SearchError {");
    await card.getByRole("button", { name: /^Copy/ }).click();
    await page.getByText("The fingerprint of search.find copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each([
    ["search.find", '"host calls"', "Ok"],
    ["search.find", '""', "Failed"],
    ["search.find", JSON.stringify("long ".repeat(60)), "NotRun"],
    ["catalog.read", '"outcome"', "Ok"],
    ["catalog.read", '"none"', "Failed"],
    ["catalog.read", '"damaged"', "Unknown"],
    ["catalog.read", '"withdrawn"', "BadReply"],
    ["ledger.post", LEDGER, "Ok"],
    ["ledger.post", '{"account":1,"amount":2e60}', "Failed"],
  ])("%s(%s) is %s", async (name, args, outcome) => {
    const { call, result, sent } = tool(shared, name);
    await call(args);
    await sent.getByText(JSON.stringify(JSON.parse(args)).slice(0, 20)).waitFor();
    await result.locator(".head").getByText(outcome, { exact: true }).waitFor();
    await result.getByText("Why?").click();
    await result.locator(".why .rule").waitFor();
  });

  it("gives back the ledger's numbers with every digit", async () => {
    const page = await site.open();
    const { call, sent, received, tree } = tool(page, "ledger.post");
    await call(LEDGER);
    await tree.waitFor();
    const posting = '{"account":73786976294838206465,"amount":123456789012345.678901234567891,"note":"rent"}';
    expect(await sent.textContent()).toBe(`{"posting":${posting}}`);
    expect(await received.textContent()).toBe(`{"Ok":${posting}}`);
    const lines = await tree.locator("li li").allTextContents();
    expect(lines).toEqual(["account 73786976294838206465 Int", "amount 123456789012345.678901234567891 Decimal", 'note "rent" Text']);
  });

  it.each([
    ["catalog.read", "tool", "syntax", "tool", "line 1, column 1", '"tool"'],
    ["catalog.read", "", "syntax", "", "line 1, column 1", '"outcome"'],
    ["catalog.read", "42", "kind", "42", "line 1, column 1", '"outcome"'],
    ["search.find", '"a" "b"', "syntax", '"b"', "line 1, column 5", "JSON"],
    ["search.find", '"\\ud800"', "lone-surrogate", "\\ud800", "line 1, column 2", "both halves"],
    ["ledger.post", '{"account": 1,\n "amount": "2"}', "kind", '"2"', "/amount, line 2, column 12", "12.5"],
    ["ledger.post", '{"account": 1.5, "amount": 2}', "not-whole", "1.5", "/account, line 1, column 13", "whole number"],
    ["ledger.post", '{"account": 1}', "missing-member", '{"account": 1}', "line 1, column 1", '"amount"'],
    ["ledger.post", '{"account":1,"amount":2,"nota":3}', "undeclared-member", '"nota":3', "/nota, line 1, column 25", "Remove"],
    ["ledger.post", '{"account":1,"amount":2,"account":3}', "duplicate-member", '"account"', "/account, line 1, column 25", "Keep one"],
    ["ledger.post", '{"account":1,"amount":2,}', "syntax", "}", "line 1, column 25", "Remove the comma"],
    ["ledger.post", '{"account":1e5000,"amount":2}', "limit", "1e5000", "/account, line 1, column 12", "Write less"],
  ])("%s(%s) is refused as %s at the place", async (name, args, code, marked, place, advice) => {
    const { call, fault, mark, field, result } = tool(shared, name);
    await field.fill("");
    await call(args);
    await fault.locator("code").first().getByText(code, { exact: true }).waitFor();
    expect(await fault.locator(".place").textContent()).toBe(`Show the place: ${place}`);
    expect(await fault.locator(".advice").textContent()).toContain(advice);
    expect(await mark.textContent()).toBe(marked);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await result.locator(".outcome").count()).toBe(0);
    await fault.getByRole("button").click();
    expect(await selected(shared)).toBe(marked);
  });

  it("judges while one types once it has been asked, and takes the mark back", async () => {
    const page = await site.open();
    const { call, field, fault, mark } = tool(page, "catalog.read");
    await field.fill("to");
    expect(await fault.count()).toBe(0);
    await call("to");
    await fault.waitFor();
    await field.fill('"tool"');
    await fault.waitFor({ state: "detached" });
    expect(await mark.count()).toBe(0);
    expect(await field.getAttribute("aria-invalid")).toBeNull();
  });

  it("draws the mark under the very letters", async () => {
    const page = await site.open("", { viewport: { width: 360, height: 800 } });
    const { call, mark, field } = tool(page, "ledger.post");
    await call(`{"note": "${"many words that wrap ".repeat(6)}", "account": true, "amount": 1}`);
    await mark.waitFor();
    const [copy, area] = await Promise.all([
      page.locator("article:has-text('ledger.post') .editor .copy").boundingBox(),
      field.boundingBox(),
    ]);
    expect(copy).toEqual(area);
    // Nothing of the text is scrolled away from its copy.
    expect(await field.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
  });
});

describe("a link", () => {
  it("reproduces the form it was copied from, and calls nothing", async () => {
    const page = await site.open("", { permissions: ["clipboard-read", "clipboard-write"] });
    await tool(page, "ledger.post").field.fill(LEDGER);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("The link to what is shown copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await site.open(new URL(link).hash);
    const { field, card } = tool(other, "ledger.post");
    expect(await field.inputValue()).toBe(LEDGER);
    expect(await card.locator(".result .outcome").count()).toBe(0);
    await field.press("Control+Enter");
    await tool(other, "ledger.post").tree.waitFor();
  });

  it("reproduces what was wrong", async () => {
    const page = await site.open();
    const { call, fault } = tool(page, "ledger.post");
    await call('{"account": "1", "amount": 2}');
    await fault.waitFor();
    const other = await site.open(new URL(page.url()).hash);
    const there = tool(other, "ledger.post");
    await there.fault.waitFor();
    expect(await there.fault.textContent()).toBe(await fault.textContent());
    expect(await there.mark.textContent()).toBe('"1"');
    expect(await there.card.evaluate((card) => card.getBoundingClientRect().top < innerHeight)).toBe(true);
  });

  it("is followed in a page that is open already, and says what it does not know", async () => {
    const page = await site.open();
    await page.evaluate(() => {
      location.hash = "#program?tool=ledger.flow.gone&arg.x=1";
    });
    await page.getByText("This link is for ledger.flow.gone, which is not among the Tools here.").waitFor();
    await page.evaluate(() => {
      location.hash = `#program?tool=ledger.flow.post&arg.posting=${encodeURIComponent('{"amount": 1 + 2}')}`;
    });
    await tool(page, "ledger.post").fault.waitFor();
    expect(await tool(page, "ledger.post").field.inputValue()).toBe('{"amount": 1 + 2}');
  });
});

describe("for people", () => {
  it("works by keyboard alone", async () => {
    const page = await site.open("", { viewport: { width: 1280, height: 800 } });
    await tabTo(page, "separator");
    const separator = page.getByRole("separator");
    const before = Number(await separator.getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowRight");
    expect(Number(await separator.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
    await tabTo(page, "textarea", ".call");
    await page.keyboard.type("outcome");
    await page.keyboard.press("Control+Enter");
    const { fault, outcome } = tool(page, "catalog.read");
    await fault.waitFor();
    // The focus is on what has to be changed.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
    await page.keyboard.press("Home");
    await page.keyboard.type('"');
    await page.keyboard.press("End");
    await page.keyboard.type('"');
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await outcome.waitFor();
    expect(await outcome.textContent()).toBe("Ok");
  });

  it("shows where the focus is, on everything that takes it", async () => {
    const page = await site.open("#program?tool=github.com/acme/docs@1.0.0/catalog.flow.read&arg.id=x", {
      viewport: { width: 1280, height: 800 },
    });
    const stops: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const element = document.activeElement ?? document.body;
        if (element === document.body) return undefined;
        // Its outline is drawn in its shadow.
        if (element.matches(".code-editor")) return "div with outline";
        const { outlineStyle } = getComputedStyle(element);
        return `${element.localName} ${outlineStyle === "none" ? "without" : "with"} outline`;
      });
      if (stop === undefined) break;
      stops.push(stop);
    }
    expect(new Set(stops)).toEqual(
      new Set(["a", "button", "section", "summary", "textarea", "div", "select"].map((name) => `${name} with outline`)),
    );
  });

  it.each([360, 800, 1280])("fits %i pixels and shifts nothing", async (width) => {
    const page = await site.blank({ viewport: { width, height: 800 } });
    await page.addInitScript(watchShifts);
    await page.goto(site.address);
    await ran(page);
    await tool(page, "ledger.post").call(LEDGER);
    await tool(page, "ledger.post").tree.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await overflowing(page)).toEqual([]);
    expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBe(0);
    const stacked = await page.evaluate(() => {
      const [left, right] = [...document.querySelectorAll(".pane")].map((pane) => pane.getBoundingClientRect());
      return (right?.top ?? 0) >= (left?.bottom ?? 0);
    });
    expect(stacked).toBe(width < 800);
    // Side by side, the panes scroll and the page does not.
    if (!stacked) expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(800);
  });

  it("follows the system's theme until one is chosen, and remembers that", async () => {
    const page = await site.open("", { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const toggle = page.getByRole("button", { name: "Dark" });
    expect(await ground()).toBe("rgb(21, 23, 26)");
    expect(await toggle.getAttribute("aria-pressed")).toBe("true");
    await page.emulateMedia({ colorScheme: "light" });
    expect(await ground()).toBe("rgb(252, 252, 251)");
    await toggle.click();
    expect(await ground()).toBe("rgb(21, 23, 26)");
    await page.reload();
    await ran(page);
    expect(await ground()).toBe("rgb(21, 23, 26)");
    expect(await toggle.getAttribute("aria-pressed")).toBe("true");
  });

  // Contrast goes by the theme, structure by the width: two runs see all of both, and each takes long on a busy machine.
  it.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)(
    "axe finds nothing, %s at %i pixels",
    async (colorScheme, width) => {
      const page = await site.open("", { colorScheme, viewport: { width, height: 800 } });
      await tool(page, "ledger.post").call(LEDGER);
      await tool(page, "ledger.post").tree.waitFor();
      await tool(page, "search.find").call('{"query": 1}');
      await tool(page, "search.find").fault.waitFor();
      await drop(page, "rubbish.wasm", Buffer.from("no component"));
      await page.getByText("rubbish.wasm was not taken.").waitFor();
      await tool(page, "catalog.read").call('"damaged"');
      await tool(page, "catalog.read").outcome.waitFor();
      await page.getByRole("slider", { name: "Calls" }).press("End");
      await page.locator(".detail").waitFor();
      expect(await axeFinds(page)).toEqual([]);
    },
    AXE_MS,
  );

  it("tells those who listen how a call ended", async () => {
    const page = await site.open();
    const { call, card } = tool(page, "catalog.read");
    await call('"damaged"');
    const status = card.getByRole("status");
    await status.getByText("Unknown").waitFor();
    await call("nothing");
    await status.getByText("syntax").waitFor();
  });
});

describe("the site", () => {
  it("works offline once it has loaded, a reload included, and never shows what was replaced", async () => {
    const page = await site.open("", { serviceWorkers: "allow" });
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    await page.reload();
    await ran(page);
    for (const [name, args] of [
      ["search.find", '"component"'],
      ["catalog.read", '"tool"'],
      ["ledger.post", LEDGER],
    ] as const) {
      const { call, outcome } = tool(page, name);
      await call(args);
      await outcome.waitFor();
      expect(await outcome.textContent()).toBe("Ok");
    }
    await page.getByRole("link", { name: "Contracts" }).click();
    await page.getByText("A valid descriptor.").waitFor();
    await page.getByRole("link", { name: "Program" }).click();
    await page.locator(".code-editor").waitFor();
    site.expectComplaint(/ERR_INTERNET_DISCONNECTED/);

    await page.context().setOffline(false);
    const index = join(site.directory, "index.html");
    const before = await readFile(index, "utf8");
    await writeFile(index, before.replace("<title>flow-host playground</title>", "<title>rebuilt</title>"));
    try {
      await page.reload();
      expect(await page.title()).toBe("rebuilt");
    } finally {
      await writeFile(index, before);
    }
  });

  it("loads little, and nothing from elsewhere", async () => {
    const page = await site.blank();
    const bodies = new Map<string, Promise<Buffer>>();
    const foreign: string[] = [];
    page.on("response", (response) => {
      const url = response.url();
      // Modules written in the page, and the editor, which comes after the first view.
      if (url.startsWith("blob:") || url.includes("/editor-")) return;
      bodies.set(url, response.body());
      if (!url.startsWith(site.address)) foreign.push(url);
    });
    await page.goto(site.address);
    await ran(page);
    const sizes = (await Promise.all(bodies.values())).map((body) => gzipSync(body).length);
    expect(foreign).toEqual([]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });
});

async function expectText(card: ReturnType<typeof tool>["card"], text: string): Promise<void> {
  expect(await card.textContent()).toContain(text);
}

/** The selected text of the field that has the focus. */
function selected(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: area } = document;
    return area instanceof HTMLTextAreaElement ? area.value.slice(area.selectionStart, area.selectionEnd) : "no field";
  });
}

/** Presses Tab until the focus is on an element with this name or role. */
async function tabTo(page: Page, wanted: string, within = "body"): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press("Tab");
    const met = await page.evaluate((around) => {
      const { activeElement: element } = document;
      return element?.closest(around) ? [element.localName, element.getAttribute("role")] : [];
    }, within);
    if (met.includes(wanted)) return;
  }
  throw new Error(`Tab does not reach ${wanted}`);
}
