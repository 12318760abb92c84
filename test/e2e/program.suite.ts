/** The Program view: runs on the timeline, what can be made of a run, and what can be broken. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { fileText, ran, type Site, tool, typeFile } from "./site.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export function programSuite(get: () => Site): void {
  describe("the timeline", () => {
    let page: Page;

    beforeAll(async () => {
      page = await get().share("", { viewport: { width: 1280, height: 800 } });
    });

    it("holds the calls that the terminal prints, in their order", async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ["demo/start.mjs", "--once"], { cwd: ROOT });
      const printed = [...stdout.matchAll(/^ {2}(->|<-) (\d+) +(.*?)(?: {2}\[\w+\])?$/gm)].filter(
        ([, , , rest = ""]) => !rest.startsWith("refused"),
      );
      const seen: string[] = [];
      const slider = timeline(page);
      for (let i = 1; i <= 8; i++) {
        await slider.press("ArrowRight");
        await page.getByRole("heading", { name: `Call ${i} ` }).waitFor();
        const name = (await page.locator(".detail h3").textContent())?.replace(/^Call \d+ /, "");
        const outcome = (await page.locator(".outcome-text").textContent()) ?? "";
        seen.push(`${name} ${await page.locator(".arguments-text").textContent()}`, `${Object.keys(JSON.parse(outcome))[0]} ${outcome}`);
      }
      expect(seen.map(withoutEngine)).toEqual(printed.slice(0, 16).map(([, , , rest]) => withoutEngine(rest as string)));
      expect(await slider.getAttribute("aria-valuetext")).toMatch(/^call 8 of ledger\.post, Ok after [\d,]+ µs$/);
      await page.getByText("the ledger's numbers came back unchanged", { exact: true }).waitFor();
    });

    it("is stepped through by keys and picked from with the pointer", async () => {
      const slider = timeline(page);
      await slider.press("End");
      expect(await slider.getAttribute("aria-valuenow")).toBe("8");
      await slider.press("ArrowLeft");
      expect(await slider.getAttribute("aria-valuenow")).toBe("7");
      await slider.press("Home");
      expect(await slider.getAttribute("aria-valuenow")).toBe("1");
      await page.locator(".code-editor").waitFor();
      await page.getByRole("tab", { name: "program.ts" }).press("ArrowRight");
      expect(await page.getByRole("tab", { name: "ledger.flow" }).getAttribute("aria-selected")).toBe("true");
      // The first bar of the first lane is the first call of that Tool.
      const box = await page.locator(".lanes canvas").boundingBox();
      await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.25, (box?.y ?? 0) + 51);
      await page.locator(".detail h3").getByText("catalog.").waitFor();
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.25, (box?.y ?? 0) + 52);
      await page
        .locator(".lane-hover")
        .getByText(/call \d of catalog\.read/)
        .waitFor();
    });

    it("tells each outcome by shape, word and colour", async () => {
      const marks = page.locator(".seen .outcome");
      expect(await marks.allTextContents()).toEqual(["Ok", "Failed", "NotRun", "Unknown", "BadReply"]);
      const shapes = await marks.locator("svg").evaluateAll((list) => list.map((shape) => shape.innerHTML));
      expect(new Set(shapes).size).toBe(5);
      const colours = await marks.evaluateAll((list) => list.map((mark) => getComputedStyle(mark).color));
      expect(new Set(colours).size).toBe(5);
    });

    it("shows bytes, microseconds, the decoded value, and why", async () => {
      await timeline(page).press("End");
      const detail = page.locator(".detail");
      await detail.getByText("114 bytes").waitFor();
      await detail.getByText(/[\d,]+ µs, function/).waitFor();
      await detail.getByText("Why?").click();
      await detail.locator(".why .rule").waitFor();
      expect(await detail.locator(".tree li li").first().textContent()).toBe("account 73786976294838206465 Int");
    });
  });

  describe("a run", () => {
    it("is replayed without anything dispatched, and its first divergence shown", async () => {
      const page = await get().open();
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByText("The same run again").waitFor();
      const text = await fileText(page, "program.ts");
      await typeFile(page, "program.ts", text.replace('{ id: "no such document" }', '{ id: "another" }'));
      await page.getByRole("button", { name: "Replay" }).click();
      await page.locator(".diverged").getByText("call 5 differs from the history in its args", { exact: false }).waitFor();
      expect(await timeline(page).getAttribute("aria-valuenow")).toBe("5");
    });

    it("is forked at a call, with other arguments", async () => {
      const page = await get().open();
      await timeline(page).press("End");
      await page.getByText("with other arguments").click();
      await page.getByLabel("Arguments of call 8 in the fork, as JSON").fill('{"posting":{"account":1,"amount":2e60}}');
      await page.getByRole("button", { name: /^Fork from here/ }).click();
      await page.getByText("1 call:").waitFor();
      await page.locator(".outcome-text").getByText("TooLarge").waitFor();
      await page.getByText("the posting was not booked: Failed", { exact: true }).waitFor();
    });

    it("is cancelled, even where the program goes on for ever", async () => {
      const page = await get().open();
      const never = "await new Promise(() => {});";
      await typeFile(page, "catalog.read.ts", `export default async function () { ${never} }`);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("The program runs…").waitFor();
      // Before its call is out, cancelling would rightly make it NotRun.
      await timeline(page).and(page.locator(':not([aria-valuemax="0"])')).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await ran(page);
      expect(await page.locator(".seen .outcome").allTextContents()).toContain("Unknown");
      await typeFile(page, "program.ts", "export default function () { for (;;); }");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("The program runs…").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("so its Worker was ended").waitFor();
    });

    it("is saved, opened again and replayed", async () => {
      const page = await get().open();
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save history" }).click()]);
      const saved = join(tmpdir(), `flow-host-history-${process.pid}.jsonl`);
      await download.saveAs(saved);
      const text = await readFile(saved, "utf8");
      expect(text.split("\n").length).toBe(19);
      const other = await get().open();
      await other.locator(".history-file").setInputFiles(saved);
      await other.getByText("The same run again").waitFor();
      await timeline(other).press("End");
      await other.locator(".detail").getByText("from a history, nothing was dispatched").waitFor();
      await writeFile(saved, "no history");
      await other.locator(".history-file").setInputFiles(saved);
      await other.getByText("That is no history").waitFor();
    });
  });

  describe("break it", () => {
    let page: Page;

    beforeAll(async () => {
      page = await get().share();
    });

    it.each([
      ["late", "Unknown", "late reply was dropped", "R29"],
      ["twice", "Ok", "the second one was dropped", "R28"],
      ["never", "Unknown", "no reply came within the grace time", "R29"],
      ["unknown constructor", "BadReply", "constructor that its declaration does not have", "unknown-constructor"],
      ["number past a limit", "BadReply", "past what any value may have", "R13"],
      ["crash in the middle", "Unknown", "NotRun would be a guess", "R27"],
      ["lose the connection", "Unknown", "the connection was lost", "R40a"],
    ])("%s: %s, explained in a sentence with its rule", async (label, outcome, sentence, rule) => {
      const { card } = tool(page, "ledger.post");
      const toggle = card.getByRole("button", { name: label, exact: true });
      await toggle.click();
      expect(await toggle.getAttribute("aria-pressed")).toBe("true");
      const why = card.locator(".why-broken");
      await why.getByText(sentence, { exact: false }).waitFor();
      expect(await why.locator(".word").textContent()).toBe(outcome);
      expect(await why.locator(".rule").textContent()).toContain(rule);
      await why.getByRole("button", { name: "Show call 8" }).click();
      expect(await timeline(page).evaluate((slider) => slider === document.activeElement)).toBe(true);
      await page.locator(".detail .broken-by").getByText(sentence, { exact: false }).waitFor();
      if (label === "late" || label === "twice")
        await page
          .locator(".detail .dropped")
          .getByText(label === "late" ? /late/ : /second/)
          .waitFor();
      await toggle.click();
      await why.getByText(sentence, { exact: false }).waitFor({ state: "detached" });
      await ran(page);
    });
  });

  describe("declarations", () => {
    it("are underlined where they are refused, and their Tools follow them", async () => {
      const page = await get().open();
      await typeFile(page, "ledger.flow", "@tool pub flow post(posting: Posting) -> Result<Text, Text>\n");
      await page.locator(".fault-list .code").getByText("unknown-name").waitFor();
      await page.locator(".cm-lintRange-error").getByText("Posting").waitFor();
      await page.getByText("These are the Tools of the last declarations without a fault.").waitFor();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("the declarations are refused").waitFor();
      await typeFile(page, "ledger.flow", "/// Greets.\n@tool pub flow greet(name: Text) -> Result<Text, Text>\n");
      const { card, call, received } = tool(page, "ledger.greet");
      await card.getByText("Greets.").waitFor();
      await card.getByRole("button", { name: /^Edit/ }).click();
      await typeFile(
        page,
        "ledger.greet.ts",
        'export default (values: { name: string }) => ({ tag: "Ok", value: "Hello, " + values.name });',
      );
      await call('"you"');
      await received.getByText('{"Ok":"Hello, you"}').waitFor();
    });

    it("that no longer fit the component refuse the run before it starts", async () => {
      const page = await get().open();
      const text = await fileText(page, "search.flow");
      await typeFile(page, "search.flow", text.replace("query: Text", "query: Int"));
      await tool(page, "search.find").card.getByText("flow find(query: Int)").waitFor();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator(".run-notes .code").getByText("fingerprint").waitFor();
      await page.getByText("Nothing was recorded and no call was made.").waitFor();
    });

    it("are answered by the same function in a Worker, and by a URL behind fetch", async () => {
      const page = await get().open();
      const { card } = tool(page, "ledger.post");
      await card.getByLabel("What answers ledger.post").selectOption("worker");
      await page
        .locator(".detail")
        .getByText(/µs, worker/)
        .waitFor();
      await page.getByText("the ledger's numbers came back unchanged", { exact: true }).waitFor();
      await page.route("https://tools.example/post", async (route) => {
        const message = route.request().postDataJSON();
        const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
        if (message?.method === "describe") {
          const { tools } = JSON.parse(await readFile(join(ROOT, "demo/tools.json"), "utf8"));
          const { tool: identity, fingerprint, signature } = tools.find((each: { tool: string }) => each.tool === "ledger.flow.post");
          const result = { data: "0.1", tools: [{ tool: identity, fingerprint, signature }] };
          await route.fulfill({ json: { jsonrpc: "2.0", id: message.id, result }, headers });
          return;
        }
        if (message === null) await route.fulfill({ headers });
        else await route.fulfill({ status: 503, headers });
      });
      await card.getByLabel("What answers ledger.post").selectOption("url");
      await card.getByLabel("URL that answers ledger.post").fill("https://tools.example/post");
      await card.getByLabel("URL that answers ledger.post").press("Enter");
      await page.locator(".detail").getByText("the service answered with status 503", { exact: true }).waitFor();
      get().expectComplaint(/503|tools\.example/);
    });
  });

  describe("5,000 calls", () => {
    it("stand on the timeline, and every one of them can be reached", async () => {
      const page = await get().open();
      await typeFile(
        page,
        "catalog.read.ts",
        'export default ({ id }: any) => ({ tag: "Failed", value: { tag: "NotFound", value: id } });',
      );
      await typeFile(
        page,
        "program.ts",
        'export default async (call: any) => { for (let i = 0; i < 5000; i++) await call("catalog.read", { id: String(i) }); };',
      );
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("5,000 calls:").waitFor({ timeout: 30_000 });
      const slider = timeline(page);
      await slider.press("End");
      await page.locator(".outcome-text").getByText('{"Failed":{"NotFound":"4999"}}').waitFor();
      for (let i = 0; i < 8; i++) await slider.press("+");
      await slider.press("PageUp");
      await page.locator(".outcome-text").getByText('{"Failed":{"NotFound":"4989"}}').waitFor();
    });
  });

  describe("a link to a project", () => {
    it("reproduces it, and runs no code that somebody else wrote", async () => {
      const page = await get().open();
      await tool(page, "ledger.post").card.getByRole("button", { name: "never", exact: true }).click();
      await tool(page, "ledger.post").card.locator(".why-broken .rule").waitFor();
      const broken = await get().open(new URL(page.url()).hash);
      expect(await tool(broken, "ledger.post").card.getByRole("button", { name: "never", exact: true }).getAttribute("aria-pressed")).toBe(
        "true",
      );
      expect(await broken.locator(".seen .outcome").allTextContents()).toContain("Unknown");

      await typeFile(page, "program.ts", "export default () => 'ran';");
      await page.waitForFunction((before) => location.hash !== before, new URL(broken.url()).hash);
      const other = await get().blank();
      await other.goto(get().address + new URL(page.url()).hash);
      await other.getByText("This link carries code. Read it at the left, then press Run.").first().waitFor();
      expect(await fileText(other, "program.ts")).toBe("export default () => 'ran';");
      await other.getByRole("button", { name: "Run", exact: true }).click();
      await other.locator(".result-line").getByText("ran", { exact: true }).waitFor();
    });

    it("says that it is damaged", async () => {
      const page = await get().open("#program?p=nonsense");
      await page.getByText("The link is damaged").waitFor();
    });
  });
}

function timeline(page: Page) {
  return page.getByRole("slider", { name: "Calls" });
}

/** Without what a JavaScript engine says of a JSON text: the words are its own, and differ between its versions. */
function withoutEngine(line: string): string {
  return line.replace(/SyntaxError: [^"]*/, "SyntaxError");
}
