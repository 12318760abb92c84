/**
 * What a person reads on a terminal, where somebody else wrote it: a Tool's log, a command of a `flow.toml`. Characters that move
 * the cursor, erase or turn the text around would let it show something else than it says.
 */

// Control characters but the tab and the line feed, and those that set the direction of a text.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * The text with such characters written as JSON escapes them, `\\u001b`, so that a text that is JSON stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "\\u000a");
}
