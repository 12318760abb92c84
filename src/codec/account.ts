/**
 * The books that the quick way keeps, and why they prove that `JSON.parse` lost nothing.
 *
 * `JSON.parse` is the fastest reader there is, and it loses things: all but the last of equal names, digits past the
 * 15th or so, how deep and how many values there were. Looking for those in the text first costs a third of the whole
 * parse. But a codec visits every value anyway, and from the values alone follows how long their text is at least:
 * brackets, commas and colons, names and strings in quotes, each number in its shortest plain notation. If the text is
 * exactly that long (escapes counted, which is cheap), then there was no room for anything else: not for a member that
 * was overwritten, not for a digit that was rounded away.
 *
 * The sum is a lower bound piece by piece, which is what makes equality a proof:
 *  - a member or value that the tree does not show, white space, a needless zero, can only make the text longer;
 *  - a string takes its UTF-16 units and two quotes, and one or five more for each escape, whose number the text tells;
 *  - a number whose value has at most 15 digits is told by its binary64 number from every other of at most 15 digits,
 *    and a text of more digits that rounds to the same one is longer;
 *  - only an exponent can be shorter than plain notation (`1e9`, `1e-3`): numbers that allow it are noted, and the text
 *    is then searched for one.
 *
 * Texts for which the sum does not come out, those with white space for the most part, are looked over in full
 * (`scan.ts`), and where that finds anything doubtful the exact way decides.
 */
import type { Decimal } from "../json/decimal.ts";
import type { Limits } from "../json/limits.ts";
import { digitsOf } from "../json/number.ts";
import { hasWideUnits, isDense, isWellFormed } from "../json/text.ts";
import type { DecodeContext } from "./node.ts";

/** Thrown by the quick way wherever it is in doubt or the value is wrong: the exact way decides and explains. */
export const GIVE_UP: unique symbol = Symbol("give up");

/** An escape that may be half of a surrogate pair. It is not one behind an escaped backslash, which then costs a look too many. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** What every exponent of a number looks like. Strings have it too (`3e7f`), and then the text is looked over in full. */
const EXPONENT = /[0-9][eE][-+0-9]/;

/** What `JSON.parse` made of one text is taken with one of these at hand. */
export class Account {
  readonly strict: boolean;
  readonly tokens: boolean;
  readonly opaque: boolean;
  /** How many members the objects of the tree have. */
  members = 0;
  /** The length of the shortest text for the values met, escapes left out. */
  length = 0;
  /** The depth of the value at hand; the root's is 1. */
  private depth = 1;
  /** Whether a number was met that an exponent can make shorter. */
  private rounded = false;
  private readonly deepest: number;
  /** Strings of more units may be past their limit. */
  private readonly units: number;
  /** Whether strings may hold lone surrogates. */
  private readonly wide: boolean;
  /** Whether strings have to be looked at at all. */
  private readonly watch: boolean;

  private constructor({ strict, tokens, opaque }: DecodeContext, text: string, limits: Limits, wide: boolean) {
    this.strict = strict;
    this.tokens = tokens;
    this.opaque = opaque;
    this.deepest = limits.depth;
    this.units = Math.floor(limits.string / 3);
    this.wide = wide;
    this.watch = wide || text.length > this.units;
  }

  /** Books for a text, or nothing where surrogates stand in it both as such and as escapes: two halves could meet then. */
  static open(context: DecodeContext, text: string, limits: Limits): Account | undefined {
    const wide = hasWideUnits(text);
    const escaped = text.includes("\\u") && SURROGATE_ESCAPE.test(text);
    return wide && escaped ? undefined : new Account(context, text, limits, wide || escaped);
  }

  /** Whether the text holds what was met and nothing more. */
  covers(text: string): boolean {
    let spare = text.length - this.length;
    if (spare !== 0) {
      for (let i = text.indexOf("\\"); i >= 0 && spare >= 0; i = text.indexOf("\\", i + 2)) spare -= text.charCodeAt(i + 1) === 117 ? 5 : 1;
    }
    return spare === 0 && !(this.rounded && mayHoldExponent(text));
  }

  /** Steps into the items or members of a container. */
  enter(): void {
    if (++this.depth > this.deepest) throw GIVE_UP;
  }

  leave(): void {
    this.depth--;
  }

  /** An array of `count` items, without them. */
  array(count: number): void {
    this.length += count === 0 ? 2 : count + 1;
  }

  /** An object of `count` members, without their names and values. */
  object(count: number): void {
    this.members += count;
    this.length += count === 0 ? 2 : count + 1;
  }

  /** The name of a member, with its colon. */
  name(name: string): void {
    this.length += name.length + 3;
    if (this.watch) this.look(name);
  }

  string(text: string): void {
    this.length += text.length + 2;
    if (this.watch) this.look(text);
  }

  private look(text: string): void {
    if (text.length > this.units || (this.wide && !isWellFormed(text))) throw GIVE_UP;
  }

  /** A whole number. */
  integer(value: number): void {
    let magnitude = value;
    if (value < 0) {
      magnitude = -value;
      this.length++;
    }
    const digits = digitsOf(magnitude);
    // More than 15 are more than a binary64 number tells apart.
    if (digits > 15) throw GIVE_UP;
    this.length += digits;
    if (magnitude >= 1000 && (magnitude <= 0x7fffffff ? (magnitude | 0) % 1000 : magnitude % 1000) === 0) this.rounded = true;
  }

  /** A decimal that was made of a binary64 number. */
  decimal({ units, scale }: Decimal): void {
    if (scale === 0) {
      this.integer(units as number);
      return;
    }
    const negative = (units as number) < 0;
    const digits = digitsOf(negative ? -(units as number) : (units as number));
    this.length += (negative ? 2 : 1) + (digits > scale ? digits : scale + 1);
    // `0.01` is as short as `1e-2`, and everything below it that has more zeros is longer.
    if (scale > digits + 1) this.rounded = true;
  }
}

/**
 * Whether something in a text looks like the exponent of a number. Where the letter is rare, as among numbers, finding
 * each one natively takes a quarter of the time of the expression, which goes over every character.
 */
function mayHoldExponent(text: string): boolean {
  let count = 0;
  for (let i = text.indexOf("e"); i >= 0; i = text.indexOf("e", i + 1)) {
    const before = text.charCodeAt(i - 1);
    if (isDense(++count, i) || (before >= 48 && before <= 57)) return EXPONENT.test(text);
  }
  return text.includes("E") && EXPONENT.test(text);
}
