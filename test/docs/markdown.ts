/** The project's pages, and what stands in them: headings, links, blocks of code, words in backticks. */
import { projectFiles } from "../checks/files.mjs";

/** Every page by its path. */
export const PAGES: ReadonlyMap<string, string> = await projectFiles("*.md");

export interface Block {
  readonly language: string;
  readonly text: string;
  /** From 1, that of the opening fence. */
  readonly line: number;
}

const FENCE = /^( *)```([\w-]*)\n(.*?)^\1```$/gms;

/** The fenced blocks of a page. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(FENCE)].map(({ 1: indent = "", 2: language = "", 3: text = "", index }) => ({
    language,
    text: text.replace(new RegExp(`^${indent}`, "gm"), ""),
    line: page.slice(0, index).split("\n").length,
  }));
}

/** A page without its blocks, fenced or indented. */
function proseOf(page: string): string {
  return page.replace(FENCE, "").replace(/^ {4}.*$/gm, "");
}

/** The targets of a page's links and pictures, as they are written. */
export function linksOf(page: string): readonly string[] {
  const prose = proseOf(page).replace(/`[^`\n]*`(?!\]\()/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target as string);
}

/** What stands in backticks. */
export function codeWordsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, word]) => word as string);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of page.replace(FENCE, "").matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replaceAll(" ", "-");
    let free = slug;
    for (let number = 1; anchors.has(free); number++) free = `${slug}-${number}`;
    anchors.add(free);
  }
  return anchors;
}
