/**
 * A Flow file as tokens (R32). One pass over char codes, no regular expression, no recursion; every text is read to its
 * end, since a file that is broken somewhere is still read for the rest of what is wrong with it.
 *
 * Comments and docs are no tokens: they may stand between any two, and docs are looked up by the token they precede.
 */

export const END = 0;
export const WORD = 1;
export const STRING = 2;
export const NUMBER = 3;
/** `->` */
export const ARROW = 4;
/** One character that the grammar of declarations has no use for; a skipped flow may hold any. */
export const OTHER = 5;
/** The kind of punctuation is its own char code, which is above all of these. */
export type TokenKind = number;

export const OPEN_PAREN = 40;
export const CLOSE_PAREN = 41;
export const COMMA = 44;
export const DOT = 46;
export const COLON = 58;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const AT = 64;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

const QUOTE = 34;
const MINUS = 45;
const SLASH = 47;
const BACKSLASH = 92;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** What of the ASCII characters starts or continues what. */
const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const PUNCTUATION = 4;
const CLASS = new Uint8Array(128);
for (let code = 0; code < 26; code++) {
  CLASS[65 + code] = LETTER;
  CLASS[97 + code] = LETTER;
}
for (let code = 48; code < 58; code++) CLASS[code] = DIGIT;
for (const code of [9, 10, 13, 32]) CLASS[code] = SPACE;
for (const code of [40, 41, 44, 46, 58, 60, 61, 62, 64, 91, 93, 123, 125]) CLASS[code] = PUNCTUATION;

/** A `///` line: its text, and the index of the token it stands before. */
export interface DocLine {
  readonly start: number;
  readonly end: number;
  readonly before: number;
  /** Whether nothing but space stands before it on its line. */
  readonly startsLine: boolean;
}

/** Arrays side by side, one entry a token; the last token is END, at the end of the text. */
export interface Tokens {
  readonly text: string;
  readonly kinds: TokenKind[];
  readonly starts: number[];
  readonly ends: number[];
  /** Whether a token is the first on its line. */
  readonly first: boolean[];
  readonly docs: readonly DocLine[];
  /** Starts and ends of `//` comments, by turns. */
  readonly comments: readonly number[];
  /** For each opening bracket, the index of the bracket that closes it, and the other way round; -1 where there is none. */
  readonly partners: Int32Array;
  /** Indices of strings that do not end on their line. */
  readonly openStrings: ReadonlySet<number>;
}

export function tokenize(text: string): Tokens {
  const kinds: TokenKind[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const first: boolean[] = [];
  const docs: DocLine[] = [];
  const comments: number[] = [];
  const openStrings = new Set<number>();
  const { length } = text;
  let fresh = true;
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  while (at < length) {
    const start = at;
    const code = text.charCodeAt(at++);
    const sort = code < 128 ? CLASS[code] : 0;
    if (sort === SPACE) {
      if (code === LINE_FEED) fresh = true;
      continue;
    }
    let kind: TokenKind = OTHER;
    if (sort === LETTER) {
      at = wordEnd(text, at);
      kind = WORD;
    } else if (sort === PUNCTUATION) {
      kind = code;
    } else if (sort === DIGIT) {
      at = wordEnd(text, at);
      kind = NUMBER;
    } else if (code === QUOTE) {
      at = stringEnd(text, at);
      kind = STRING;
      if (at - start < 2 || text.charCodeAt(at - 1) !== QUOTE || isEscaped(text, start, at - 1)) openStrings.add(kinds.length);
    } else if (code === MINUS && text.charCodeAt(at) === GREATER) {
      at++;
      kind = ARROW;
    } else if (code === SLASH && text.charCodeAt(at) === SLASH) {
      const feed = text.indexOf("\n", at);
      at = feed < 0 ? length : feed;
      const end = text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
      if (text.charCodeAt(start + 2) === SLASH) docs.push({ start, end, before: kinds.length, startsLine: fresh });
      else comments.push(start, end);
      continue;
    } else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(at) & 0xfc00) === 0xdc00) {
      at++;
    }
    kinds.push(kind);
    starts.push(start);
    ends.push(at);
    first.push(fresh);
    fresh = false;
  }
  kinds.push(END);
  starts.push(length);
  ends.push(length);
  first.push(true);
  return { text, kinds, starts, ends, first, docs, comments, partners: partnersOf(kinds), openStrings };
}

/** The end of a run of letters, digits and underscores. */
function wordEnd(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    const sort = code < 128 ? CLASS[code] : 0;
    if (sort !== LETTER && sort !== DIGIT && code !== 95) return end;
    end++;
  }
}

/** Just past the closing quote, or at the end of the line where there is none. A backslash takes the next character with it. */
function stringEnd(text: string, at: number): number {
  let end = at;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return end + 1;
    if (code === LINE_FEED) break;
    if (code === BACKSLASH && text.charCodeAt(end + 1) !== LINE_FEED) end++;
  }
  return Math.min(end, text.length);
}

/** Whether an odd number of backslashes stands before a place of a string that starts at `start`. */
function isEscaped(text: string, start: number, at: number): boolean {
  let before = at - 1;
  while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
  return (at - 1 - before) % 2 === 1;
}

/**
 * Pairs round, square and curly brackets. A closing bracket ends the innermost open one of its kind, and what was opened
 * inside that and not closed has no partner; so has a closing bracket that nothing opened. Pairs always nest.
 */
function partnersOf(kinds: readonly TokenKind[]): Int32Array {
  const partners = new Int32Array(kinds.length).fill(-1);
  const open: number[] = [];
  /** How many of each kind are open: a closing bracket without one need not search for it. */
  const counts = new Map<TokenKind, number>([
    [OPEN_PAREN, 0],
    [OPEN_BRACKET, 0],
    [OPEN_BRACE, 0],
  ]);
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[i] as TokenKind;
    if (kind === OPEN_PAREN || kind === OPEN_BRACKET || kind === OPEN_BRACE) {
      counts.set(kind, (counts.get(kind) as number) + 1);
      open.push(i);
      continue;
    }
    const opener = openerOf(kind);
    if (opener === undefined || counts.get(opener) === 0) continue;
    for (let top = open.pop(); top !== undefined; top = open.pop()) {
      const met = kinds[top] as TokenKind;
      counts.set(met, (counts.get(met) as number) - 1);
      if (met !== opener) continue;
      partners[top] = i;
      partners[i] = top;
      break;
    }
  }
  return partners;
}

function openerOf(kind: TokenKind): TokenKind | undefined {
  if (kind === CLOSE_PAREN) return OPEN_PAREN;
  if (kind === CLOSE_BRACKET) return OPEN_BRACKET;
  return kind === CLOSE_BRACE ? OPEN_BRACE : undefined;
}
