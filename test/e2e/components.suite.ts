/** Components that are dropped on the Program view. */
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalText, type ToolEntry } from "flow-host";
import { readProgram } from "flow-host/declarations";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { builtDirectory } from "../components/built.ts";
import { DOES, oddComponent, type Served } from "../components/odd.ts";
import { drop, fileText, overflowing, ran, type Site, tool, typeFile } from "./site.ts";

/** A file that the page has no Tool of before. */
const ODD_FILE = "new1.flow";
const ODD = "@tool pub flow act(n: Int) -> Result<Int, Text>\n";
/** More than the page takes. */
const TOO_LARGE = 34_603_008;

export function componentsSuite(get: () => Site): void {
  describe("a component that is dropped", () => {
    let search: Buffer;
    let served: Served;

    beforeAll(async () => {
      search = await readFile(join(await builtDirectory("search"), "search.component.wasm"));
      const { tools } = await readProgram({ repositories: [], local: { files: { [ODD_FILE]: ODD } } });
      const [{ fingerprint, signature }] = tools as unknown as [ToolEntry];
      served = { tool: "new1.flow.act", fingerprint, signature: canonicalText(signature) };
    });

    it("answers the Tool that it fits, in the sample's run and by hand, and is no part of a link", async () => {
      const page = await get().open("", { permissions: ["clipboard-read", "clipboard-write"], viewport: { width: 1280, height: 800 } });
      const { card, call, received } = tool(page, "search.find");
      const choice = card.getByLabel("What answers search.find");
      await choice.selectOption("function");
      await ran(page);
      await drop(page, "mine.wasm", search);
      await listed(page).getByText("mine.wasm fits search.find").waitFor();
      expect(await choice.locator("option:checked").textContent()).toBe("Dropped component: mine.wasm");
      // The run that the drop has started shows the first call that it answered.
      await page
        .locator(".detail")
        .getByText(/µs, mine\.wasm$/)
        .waitFor();
      await page.locator(".detail .outcome-text").getByText('{"Ok":[', { exact: false }).waitFor();
      await call('"forge"');
      await received.getByText('"opaque"', { exact: false }).waitFor();

      await page.getByRole("link", { name: "Values" }).click();
      await page.getByRole("link", { name: "Program" }).click();
      await listed(page).getByText("mine.wasm fits search.find").waitFor();
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByText("It cannot carry the dropped mine.wasm: whoever opens it has to drop the file too.", { exact: false }).waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      const other = await get().open(new URL(link).hash);
      expect(await tool(other, "search.find").card.getByLabel("What answers search.find").inputValue()).toBe("component");
    });

    it("is added by keyboard, and replaced by what was built anew under its name", async () => {
      const page = await get().open();
      page.on("filechooser", (chooser) => chooser.setFiles({ name: "search.wasm", mimeType: "application/wasm", buffer: search }));
      await page.getByRole("button", { name: "Add a component" }).focus();
      for (let i = 0; i < 2; i++) {
        await page.keyboard.press("Enter");
        await page.getByText("search.wasm is read and transpiled…").waitFor();
        await listed(page).getByText("search.wasm fits search.find").waitFor();
        await page.getByText("search.wasm is read and transpiled…").waitFor({ state: "detached" });
      }
      expect(await listed(page).locator("li").count()).toBe(1);
      const options = tool(page, "search.find").card.getByLabel("What answers search.find").locator("option");
      expect((await options.allTextContents()).filter((text) => text.startsWith("Dropped"))).toHaveLength(1);
    });

    it("is told from what is none, before the transpiler is loaded", async () => {
      const page = await get().open();
      const loaded: string[] = [];
      page.on("request", (request) => loaded.push(request.url()));
      await drop(page, "notes.txt", Buffer.from("no component"));
      await refused(page).getByText("notes.txt was not taken. It is no WebAssembly").waitFor();
      await drop(page, "search.core.wasm", await readFile(join(await builtDirectory("search"), "search.core.wasm")));
      await refused(page).getByText("It is a core WebAssembly module and no component").waitFor();
      const large = join(tmpdir(), `flow-host-large-${process.pid}.wasm`);
      await writeFile(large, Buffer.alloc(TOO_LARGE));
      await page.locator(".component-file").setInputFiles(large);
      await refused(page).getByText("It has 33 MiB; a component of up to 32 MiB is taken.").waitFor();
      expect(loaded.filter((url) => url.includes("transpiler"))).toEqual([]);
      await drop(page, "cut.wasm", search.subarray(0, search.length / 2));
      await refused(page).getByText("cut.wasm was not taken. It cannot be transpiled:").waitFor();
      expect(loaded.filter((url) => url.includes("transpiler"))).not.toEqual([]);
    });

    it("says which declaration it does not fit, what it lacks, and what it serves that nobody declares", async () => {
      const page = await get().open("", { viewport: { width: 360, height: 800 } });
      const text = await fileText(page, "search.flow");
      await typeFile(page, "search.flow", text.replace("query: Text", "query: Int"));
      await tool(page, "search.find").card.getByText("flow find(query: Int)").waitFor();
      await drop(page, "search.wasm", search);
      const item = listed(page).locator("li").filter({ hasText: "search.wasm" });
      await item.getByText("search.find is declared otherwise here", { exact: false }).waitFor();
      await item.locator(".code").getByText("fingerprint").waitFor();
      expect(await tool(page, "search.find").card.getByText("Dropped component").count()).toBe(0);

      await drop(page, "other.wasm", await oddComponent({ served: [served] }));
      await listed(page).getByText("It serves new1.flow.act, and no file here declares that.").waitFor();

      await drop(page, "store.wasm", await importing(served));
      await refused(page)
        .getByText("The component imports acme:store/store, which this host does not provide.", { exact: false })
        .waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect(await overflowing(page)).toEqual([]);

      // What is declared as it was again, it answers.
      await typeFile(page, "search.flow", text);
      await item.getByText("fits search.find").waitFor();
      await tool(page, "search.find").card.getByLabel("What answers search.find").selectOption({ label: "Dropped component: search.wasm" });
      await page
        .locator(".detail")
        .getByText(/µs, search\.wasm$/)
        .waitFor();
    });

    it("that loops is ended when its call is cancelled, and answers the next one", async () => {
      const page = await get().open();
      await page.getByRole("button", { name: "New Flow file" }).click();
      await typeFile(page, ODD_FILE, ODD);
      await tool(page, "new1.act").card.waitFor();
      await drop(page, "odd.wasm", await oddComponent({ served: [served] }));
      await listed(page).getByText("odd.wasm fits new1.act").waitFor();
      await ran(page);
      await typeFile(page, "program.ts", `export default (call: any) => call("new1.act", { n: ${DOES.loop}n });`);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator(".lanes[aria-valuemax='1']").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("1 call:").waitFor();
      expect(await page.locator(".seen .outcome").allTextContents()).toEqual(["Unknown"]);
      await tool(page, "new1.act").call(String(DOES.ok));
      await tool(page, "new1.act").received.getByText('{"Ok":7}').waitFor();
    });

    it("is transpiled without a network once one has been", async () => {
      const page = await get().open("", { serviceWorkers: "allow" });
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await drop(page, "first.wasm", search);
      await listed(page).getByText("first.wasm fits search.find").waitFor();
      await page.waitForFunction(async () => (await caches.match("./transpiler.js")) !== undefined);
      await page.context().setOffline(true);
      await page.reload();
      await ran(page);
      await drop(page, "second.wasm", search);
      await listed(page).getByText("second.wasm fits search.find").waitFor();
      get().expectComplaint(/ERR_INTERNET_DISCONNECTED/);
    });
  });
}

function listed(page: Page) {
  return page.locator(".components");
}

function refused(page: Page) {
  return page.locator(".component-refusals");
}

function importing(served: Served): Promise<Uint8Array> {
  return oddComponent({
    served: [served],
    imports: '(import "acme:store/store@1.2.0" "put" (func (param i32)))',
    wit: (text) =>
      `${text.replace("  export tool;\n", "  import acme:store/store@1.2.0;\n  export tool;\n")}
package acme:store@1.2.0 { interface store { put: func(n: u32); } }`,
  });
}
