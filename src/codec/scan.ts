/**
 * One look over a text before the platform's own `JSON.parse` reads it: does it hold anything that the native parser
 * would lose or that a limit might forbid? Most texts do not, and reading them natively is then exact. Where there is
 * doubt the answer is {@link HAZARD}, and the exact reader decides.
 */
import type { Limits } from "../json/limits.ts";
import { isWellFormed } from "../json/text.ts";

export const HAZARD = -1;

/** Any decimal of this many digits is told apart from every other by its binary64 number. */
const SAFE_DIGITS = 15;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * How many members the objects of a text have, or {@link HAZARD} where it may hold a number of more than 15 digits or
 * with an exponent, a lone surrogate, or more of something than `limits` allows (the bytes of the whole text aside). Duplicate members are found by the
 * count: the parsed objects then hold fewer. The text need not be JSON; `JSON.parse` is the judge of that.
 */
export function scan(text: string, limits: Limits): number {
  const { length } = text;
  if (!isWellFormed(text)) return HAZARD;
  const mostDigits = Math.min(SAFE_DIGITS, limits.digits);
  const hasEscapes = text.indexOf("\\") >= 0;
  // A string's bytes can pass its limit only where its units times three do.
  const checkStrings = length * 3 > limits.string;
  let members = 0;
  let separators = 1;
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      const end = hasEscapes ? closingQuote(text, i + 1) : text.indexOf('"', i + 1);
      if (end < 0 || (checkStrings && (end - i) * 3 > limits.string)) return HAZARD;
      i = end;
    } else if (unit <= 57) {
      if (unit >= 48) {
        let end = i + 1;
        let next = text.charCodeAt(end);
        while ((next >= 48 && next <= 57) || next === 46) next = text.charCodeAt(++end);
        // A point may be among them, so a run of 16 may be refused here that holds only 15 digits; the exact way takes it.
        if (end - i > mostDigits || (next | 32) === 101) return HAZARD;
        i = end - 1;
      } else if (unit === 44) separators++;
    } else if (unit === 58) members++;
    else if ((unit | 32) === 123) {
      separators++;
      if (++depth > deepest) deepest = depth;
    } else if ((unit | 32) === 125) depth--;
  }
  // Each value but the first stands behind a comma or an opening bracket, so there are at most this many.
  const values = separators;
  if (values > limits.values || values > limits.members || deepest >= limits.depth) return HAZARD;
  return members;
}

/** The closing quote of a string that may hold escapes, or -1 where it has none or may hold a lone surrogate. */
function closingQuote(text: string, start: number): number {
  for (let i = start; ; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) return i;
    if (unit === BACKSLASH) {
      i++;
      if (text.charCodeAt(i) !== 117) continue;
      if (!isSurrogateEscape(text, i)) continue;
      // `\uD83D` followed by `\uDE00` is one character; everything else of the kind is looked at exactly.
      const low = i + 5;
      if (text.charCodeAt(i + 2) > 57 && (text.charCodeAt(i + 2) | 32) > 98) return -1;
      if (text.charCodeAt(low) !== BACKSLASH || text.charCodeAt(low + 1) !== 117 || !isSurrogateEscape(text, low + 1)) return -1;
      if ((text.charCodeAt(low + 3) | 32) < 99) return -1;
      i = low + 5;
    } else if (i >= text.length) return -1;
  }
}

/** Whether the four digits behind the `u` at `at` begin with D8 to DF. */
function isSurrogateEscape(text: string, at: number): boolean {
  return (text.charCodeAt(at + 1) | 32) === 100 && text.charCodeAt(at + 2) >= 56;
}
