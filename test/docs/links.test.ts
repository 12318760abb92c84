/** No page leads nowhere: the file is there, and so is the heading. */
import { stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf, PAGES } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What is wrong with a link of a page. */
async function fault(path: string, link: string): Promise<string | undefined> {
  if (/^https?:\/\/[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(link)) return undefined;
  const [file = "", anchor] = link.split("#", 2);
  const target = file === "" ? path : posix.join(posix.dirname(path), file);
  if (target.startsWith("..")) return "leads out of the project";
  const isThere = await stat(join(root, target)).then(
    () => true,
    () => false,
  );
  if (!isThere) return "leads to no file";
  if (anchor === undefined) return undefined;
  const page = PAGES.get(target);
  if (page === undefined) return "names a heading of what is no page";
  return anchorsOf(page).has(anchor) ? undefined : "leads to no heading";
}

it("finds pages and links to look at", () => {
  expect([...PAGES.keys()]).toEqual(expect.arrayContaining(["README.md", "docs/decisions.md", "test/vectors/README.md"]));
  expect([...PAGES.values()].flatMap(linksOf).length).toBeGreaterThan(40);
});

describe("a link", () => {
  it.each([
    ["docs/decisions.md", "#codes", undefined],
    ["docs/outcomes.md", "decisions.md#values-1", undefined],
    ["README.md", "docs/playground.png", undefined],
    ["README.md", "https://example.org/a", undefined],
    ["README.md", "docs/nothing.md", "leads to no file"],
    ["README.md", "#no-such-heading", "leads to no heading"],
    ["docs/outcomes.md", "decisions.md#values-9", "leads to no heading"],
    ["docs/outcomes.md", "../../elsewhere.md", "leads out of the project"],
    ["README.md", "docs/playground.png#x", "names a heading of what is no page"],
    ["README.md", "https://", "leads to no file"],
  ])("of %s to %s: %s", async (path, link, expected) => {
    expect(await fault(path, link)).toBe(expected);
  });
});

it.each([...PAGES.keys()])("every link of %s leads somewhere", async (path) => {
  for (const link of linksOf(PAGES.get(path) as string)) expect(await fault(path, link), link).toBeUndefined();
});
