/**
 * Where the members of an object stand in a JSON text. Envelopes are read this way: what they carry is handed on as
 * the text it is, so that nothing is read twice and a fault in a value is the value's, not its envelope's.
 */

/** One member. `text.slice(start, end)` is its value. */
export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Whether a text is one JSON document by the grammar of RFC 8259. What a value may hold beside (duplicate names, lone
 * surrogates, limits) is judged by whoever decodes it.
 */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The members of the object that begins at `start`, white space aside; undefined where another kind of value does.
 * @param text A JSON text that {@link isJsonText} holds for.
 */
export function memberSpans(text: string, start = 0): readonly Span[] | undefined {
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  const spans: Span[] = [];
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = skipString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = skipValue(text, valueStart);
    spans.push({ name, start: valueStart, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return spans;
}

/** Where the items of the array at `start` stand; undefined where another kind of value does. */
export function itemSpans(text: string, start = 0): readonly Omit<Span, "name">[] | undefined {
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== OPEN_ARRAY) return undefined;
  const spans: Omit<Span, "name">[] = [];
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    spans.push({ start: at, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return spans;
}

/** The members by name; undefined where a name comes twice, since nobody could say which of them counts. */
export function uniqueMembers(spans: readonly Span[]): ReadonlyMap<string, Span> | undefined {
  const members = new Map(spans.map((span) => [span.name, span]));
  return members.size === spans.length ? members : undefined;
}

/** The string at a span; undefined where another kind of value stands there. */
export function stringAt(text: string, span: Omit<Span, "name"> | undefined): string | undefined {
  if (span === undefined || text.charCodeAt(span.start) !== QUOTE) return undefined;
  return JSON.parse(text.slice(span.start, span.end)) as string;
}

const QUOTE = 34;
const COMMA = 44;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Past the string whose opening quote is at `start`. */
function skipString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return skipString(text, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return skipContainer(text, start);
  let at = start;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === CLOSE_OBJECT || unit === CLOSE_ARRAY || isSpace(unit)) break;
  }
  return at;
}

function skipContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; ) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) depth++;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) depth--;
    at++;
    if (depth === 0) return at;
  }
}
