/** A copy of the built page in a real browser: one server and one browser for a file of tests, a fresh context for each test. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright";
import { serve } from "../../demo/serve.mjs";
import { launchOptions, requireChromium } from "../browser/chromium.mjs";

/** A first start may have to install the browser. */
export const START_MS = 300_000;

export class Site {
  readonly address: string;
  /** The files that are served. */
  readonly directory: string;
  /** What the consoles of the pages of this test said, errors and warnings. */
  readonly complaints: string[] = [];
  private readonly expected: RegExp[] = [];
  private readonly browser: Browser;
  private readonly close: () => Promise<void>;
  private readonly contexts = new Set<BrowserContext>();

  private constructor(address: string, directory: string, close: () => Promise<void>, browser: Browser) {
    this.address = `${address}page/`;
    this.directory = directory;
    this.close = close;
    this.browser = browser;
  }

  static async start(): Promise<Site> {
    const executable = requireChromium();
    // A copy: the page under test stays whole while somebody builds the next one.
    const directory = await mkdtemp(join(tmpdir(), "flow-host-page-"));
    // In a folder of the server, as on many a static host: no address of the page may start at the root.
    await cp(fileURLToPath(new URL("../../demo/dist/", import.meta.url)), join(directory, "page"), { recursive: true });
    const { address, close } = await serve({ directory: directory + sep });
    const stop = async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
    };
    return new Site(address, join(directory, "page"), stop, await chromium.launch(launchOptions(executable)));
  }

  /** Opens the page, at a hash if one is given, once its view is there; that of programs has then run the sample. */
  async open(hash = "", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.blank(options);
    await page.goto(this.address + hash);
    if (hash === "" || hash.startsWith("#program")) await ran(page);
    else await page.locator("main .panes").waitFor();
    return page;
  }

  /** A page that has loaded nothing yet. */
  async blank(options: BrowserContextOptions = {}): Promise<Page> {
    // What is kept for offline use is one test's concern; all others need not load it.
    const context = await this.browser.newContext({ serviceWorkers: "block", ...options });
    this.contexts.add(context);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      // Playwright says so of what it was told to do.
      if (message.text().startsWith("Service Worker registration blocked")) return;
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(`${message.text()} ${message.location().url}`);
    });
    return page;
  }

  /** A page that several tests share, one after the other; it stays until the end. */
  async share(hash = "", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(hash, options);
    this.contexts.delete(page.context());
    return page;
  }

  /** Closes the pages of one test. @returns what their consoles complained of */
  async clean(): Promise<readonly string[]> {
    await Promise.all([...this.contexts].map((context) => context.close()));
    this.contexts.clear();
    const expected = this.expected.splice(0);
    return this.complaints.splice(0).filter((line) => !expected.some((each) => each.test(line)));
  }

  /** A test that makes the console complain says of what. */
  expectComplaint(of: RegExp): void {
    this.expected.push(of);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.close();
  }
}

/** What axe finds, with everything opened that can be. */
export async function axeFinds(page: Page): Promise<readonly string[]> {
  await page.locator("details").evaluateAll((list) => {
    for (const details of list) (details as HTMLDetailsElement).open = true;
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Waits until the sample has run. */
export async function ran(page: Page): Promise<void> {
  await page.getByText("8 calls:").waitFor();
}

/** The part of the page that is about one Tool. */
export function tool(page: Page, name: string) {
  const card = page.getByRole("article", { name });
  const field = card.locator("textarea");
  return {
    card,
    field,
    result: card.locator(".result"),
    outcome: card.locator(".result .outcome .word"),
    received: card.locator("code.received"),
    sent: card.locator("code.sent"),
    tree: card.locator(".tree"),
    fault: card.locator(".fault"),
    /** The text that is underlined in the field. */
    mark: card.locator(".editor mark"),
    async call(text: string): Promise<void> {
      await field.fill(text);
      await card.getByRole("button", { name: /^Call/ }).click();
    },
  };
}

/** Elements whose text is wider than they are and cannot be scrolled to. */
export function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter(
        (element) => !element.closest(".spoken, svg, .folded, .file-tabs, .code-editor") && element.scrollWidth > element.clientWidth + 1,
      )
      .filter((element) => getComputedStyle(element).display !== "inline" && element.clientWidth > 0)
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

/** Sums up the layout shifts that nobody's input has caused. Runs in the page. */
export function watchShifts(): void {
  const page = globalThis as unknown as { shift: number };
  page.shift = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { hadRecentInput: boolean; value: number })[]) {
      if (!entry.hadRecentInput) page.shift += entry.value;
    }
  });
  observer.observe({ type: "layout-shift", buffered: true });
}

/** Puts a text into the file that is open in the editor, and waits for the editor first. */
export async function typeFile(page: Page, name: string, text: string): Promise<void> {
  await page.locator(".code-editor").waitFor();
  await page.getByRole("tab", { name, exact: true }).click();
  const content = page.locator(".cm-content");
  await content.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

/** The text of the file that is open in the editor. */
export async function fileText(page: Page, name: string): Promise<string> {
  await page.locator(".code-editor").waitFor();
  await page.getByRole("tab", { name, exact: true }).click();
  const lines = await page.locator(".cm-line").allTextContents();
  return lines.join("\n");
}

/** Drops a file on the page, as a browser does: what is dropped is over the page first. */
export async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([text, file]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], file));
      return transfer;
    },
    [Buffer.from(bytes).toString("base64"), name] as const,
  );
  await page.dispatchEvent(".tool-list", "dragover", { dataTransfer });
  await page.locator(".panes.dropping").waitFor();
  await page.dispatchEvent(".tool-list", "drop", { dataTransfer });
  await page.locator(".panes.dropping").waitFor({ state: "detached" });
}
