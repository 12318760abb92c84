/** Copying, and saying that it was done. */
import { byId } from "./dom.ts";

/**
 * Copies a text and says so, in words that name what was copied.
 * @param addition What there is to know of it, in a sentence.
 */
export async function copy(text: string, what: string, addition?: string): Promise<void> {
  const done = (await writeText(text)) ? `${what} copied` : `${what} could not be copied: the browser does not allow it`;
  announce(addition === undefined ? done : `${done}. ${addition}`);
}

let clearing: ReturnType<typeof setTimeout> | undefined;

/** Shows a line in the corner for a moment; screen readers hear it. */
export function announce(line: string): void {
  const notice = byId("notice");
  notice.textContent = line;
  clearTimeout(clearing);
  // Time to read it.
  clearing = setTimeout(() => notice.replaceChildren(), Math.max(4_000, line.length * 60));
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeTextAsSelection(text);
  }
}

/** Plain http: pages have no clipboard object; this old way still works there. */
function writeTextAsSelection(text: string): boolean {
  const holder = document.createElement("textarea");
  const { activeElement } = document;
  holder.value = text;
  holder.className = "spoken";
  document.body.append(holder);
  holder.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    holder.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
  }
}
