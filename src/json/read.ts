/**
 * The exact JSON reader: one pass over the text, every rule of RFC 8259, R6, R7 and R13, each fault with its code,
 * pointer and offset. Codecs take a faster way where the text allows it (`../codec/decode.ts`) and come here for
 * everything else, and for every explanation.
 */
import { Decimal } from "./decimal.ts";
import { abridged, asFlowError, DocumentRefusal, quoted, Refusal } from "./errors.ts";
import { documentTooLarge, type Limits, resolveLimits, tooMany } from "./limits.ts";
import { bigintOf, numberParts, plainDigits } from "./number.ts";
import { decodeUtf8, exceedsUtf8, utf8Length } from "./text.ts";
import { emptyObject, type JsonValue } from "./value.ts";

/**
 * Reads one JSON document exactly.
 * @param source A text, or its UTF-8 bytes.
 * @param limits Where they differ from the defaults (R13).
 * @throws FlowError `syntax`, `duplicate-member`, `lone-surrogate` or `limit`, with pointer and offset.
 */
export function parseJson(source: string | Uint8Array, limits?: Partial<Limits>): JsonValue {
  const bounds = resolveLimits(limits);
  try {
    const text = sourceText(source, bounds);
    return fromSource(source, text, () => readExact(text, bounds));
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/**
 * What reading a text comes to. Where the text came as bytes, the offset of a refusal is moved to count them.
 * @throws whatever `read` throws
 */
export function fromSource<T>(source: string | Uint8Array, text: string, read: () => T): T {
  try {
    return read();
  } catch (caught) {
    if (typeof source !== "string" && caught instanceof Refusal && caught.offset !== undefined) {
      caught.offset = utf8Length(text.slice(0, caught.offset));
    }
    throw caught;
  }
}

/** The text of a source, within the limit on bytes. @throws Refusal `limit` or `syntax`. */
export function sourceText(source: string | Uint8Array, limits: Limits): string {
  if (typeof source === "string") {
    if (exceedsUtf8(source, limits.bytes)) throw documentTooLarge(limits);
    return source;
  }
  if (source.byteLength > limits.bytes) throw documentTooLarge(limits, `${source.byteLength} bytes`);
  const text = decodeUtf8(source);
  if (text === undefined) throw new Refusal("syntax", "a document in UTF-8", "bytes that are not UTF-8");
  return text;
}

/** Reads a text that is within the limit on bytes. @throws Refusal for every fault. */
export function readExact(text: string, limits: Limits): JsonValue {
  const reader = new Reader(text, limits);
  return reader.document();
}

const QUOTE = 34;
const BACKSLASH = 92;

/** What the escape characters of RFC 8259 stand for; `u` is read on its own. */
const ESCAPES: Readonly<Record<string, string>> = Object.assign(Object.create(null) as Record<string, string>, {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
});

class Reader {
  private pos = 0;
  private values = 0;
  private readonly text: string;
  private readonly limits: Limits;

  constructor(text: string, limits: Limits) {
    this.text = text;
    this.limits = limits;
  }

  document(): JsonValue {
    this.space();
    const value = this.value(1);
    this.space();
    if (this.pos < this.text.length) throw this.syntax("the end of the document");
    return value;
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.pos);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.pos++;
    }
  }

  private value(depth: number): JsonValue {
    const { text, limits } = this;
    // Depth and count are judged before anything is built, so neither the stack nor the heap can be made to grow.
    if (depth > limits.depth) throw tooMany("depth", `values nested at most ${limits.depth} deep`, "", this.pos);
    if (++this.values > limits.values) throw tooMany("values", `at most ${limits.values} values in one document`, "", this.pos);
    switch (text.charCodeAt(this.pos)) {
      case QUOTE:
        return this.string();
      case 123:
        return this.object(depth);
      case 91:
        return this.array(depth);
      case 116:
        return this.literal("true", true);
      case 102:
        return this.literal("false", false);
      case 110:
        return this.literal("null", null);
      default:
        return this.number();
    }
  }

  private literal<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.pos)) throw this.syntax("a JSON value");
    this.pos += word.length;
    return value;
  }

  private array(depth: number): JsonValue {
    const { text } = this;
    const items: JsonValue[] = [];
    this.pos++;
    this.space();
    if (text.charCodeAt(this.pos) === 93) {
      this.pos++;
      return items;
    }
    for (;;) {
      if (items.length === this.limits.members) throw tooMany("members", `at most ${this.limits.members} items in one array`, "", this.pos);
      try {
        items.push(this.value(depth + 1));
      } catch (caught) {
        throw placed(caught, items.length);
      }
      this.space();
      const unit = text.charCodeAt(this.pos);
      if (unit === 93) break;
      if (unit !== 44) throw this.syntax('"," or "]"');
      this.pos++;
      this.space();
    }
    this.pos++;
    return items;
  }

  private object(depth: number): JsonValue {
    const { text } = this;
    const members = emptyObject();
    let count = 0;
    this.pos++;
    this.space();
    if (text.charCodeAt(this.pos) === 125) {
      this.pos++;
      return members;
    }
    for (;;) {
      if (text.charCodeAt(this.pos) !== QUOTE) throw this.syntax("a member name in quotes");
      const nameStart = this.pos;
      const name = this.string();
      if (name in members) throw new Refusal("duplicate-member", "every member name once", `${quoted(name)} again`, nameStart).under(name);
      if (count++ === this.limits.members) throw tooMany("members", `at most ${this.limits.members} members in one object`, "", nameStart);
      this.space();
      if (text.charCodeAt(this.pos) !== 58) throw this.syntax('":"');
      this.pos++;
      this.space();
      try {
        members[name] = this.value(depth + 1);
      } catch (caught) {
        throw placed(caught, name);
      }
      this.space();
      const unit = text.charCodeAt(this.pos);
      if (unit === 125) break;
      if (unit !== 44) throw this.syntax('"," or "}"');
      this.pos++;
      this.space();
    }
    this.pos++;
    return members;
  }

  private string(): string {
    const { text } = this;
    const opening = this.pos;
    let start = ++this.pos;
    let built = "";
    for (;;) {
      const unit = text.charCodeAt(this.pos);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        built += text.slice(start, this.pos) + this.escape();
        start = this.pos;
      } else if (unit >= 0xd800 && unit <= 0xdfff) {
        const next = text.charCodeAt(this.pos + 1);
        if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) throw this.loneSurrogate(unit, this.pos);
        this.pos += 2;
      } else if (unit >= 0x20) {
        this.pos++;
      } else {
        // A control character, or NaN past the end of the text.
        throw this.syntax(this.pos < text.length ? "an escape in place of a control character" : "the closing quote of a string");
      }
    }
    built = start === opening + 1 ? text.slice(start, this.pos) : built + text.slice(start, this.pos);
    this.pos++;
    const limit = this.limits.string;
    if (exceedsUtf8(built, limit)) throw tooMany("string", `a string of at most ${limit} UTF-8 bytes`, "", opening);
    return built;
  }

  /** Reads one escape; a `\uD83D\uDE00` pair is one escape here. */
  private escape(): string {
    const { text } = this;
    const at = this.pos;
    const letter = text.charAt(at + 1);
    if (letter !== "u") {
      const plain = ESCAPES[letter];
      if (plain === undefined) throw this.syntax('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u');
      this.pos += 2;
      return plain;
    }
    const unit = this.hex(at + 2);
    this.pos = at + 6;
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit < 0xdc00 && text.charCodeAt(this.pos) === BACKSLASH && text.charAt(this.pos + 1) === "u") {
      const low = this.hex(this.pos + 2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        this.pos += 6;
        return String.fromCharCode(unit, low);
      }
    }
    throw this.loneSurrogate(unit, at);
  }

  private hex(start: number): number {
    let unit = 0;
    for (let i = start; i < start + 4; i++) {
      const digit = hexDigit(this.text.charCodeAt(i));
      if (digit < 0) {
        this.pos = i;
        throw this.syntax("four hexadecimal digits");
      }
      unit = unit * 16 + digit;
    }
    return unit;
  }

  private number(): bigint | Decimal {
    const { text } = this;
    const parts = numberParts(text, this.pos);
    if (parts === undefined) throw this.syntax("a JSON value");
    const digits = plainDigits(parts);
    if (digits > this.limits.digits) {
      throw tooMany("digits", `a number of at most ${this.limits.digits} digits`, abridged(text.slice(this.pos, parts.end)), this.pos);
    }
    const start = this.pos;
    this.pos = parts.end;
    if (parts.power < 0) return Decimal.fromParts(text, parts);
    if (parts.significant === 0) return 0n;
    // Through a binary64 number where it is exact: twice as fast as BigInt() of a text.
    if (parts.end - start <= 15 && parts.power === 0 && parts.last === parts.end) return bigintOf(Number(text.slice(start, parts.end)));
    const whole = text.slice(parts.first, parts.last).replace(".", "") + "0".repeat(parts.power);
    return parts.negative ? -BigInt(whole) : BigInt(whole);
  }

  private syntax(expected: string): Refusal {
    const met = this.pos < this.text.length ? shownCharacter(this.text, this.pos) : "the end of the text";
    return new DocumentRefusal("syntax", expected, met, this.pos);
  }

  private loneSurrogate(unit: number, at: number): Refusal {
    const shown = `\\u${unit.toString(16)}`;
    return new Refusal("lone-surrogate", "strings of Unicode scalar values", `the lone surrogate ${shown}`, at);
  }
}

function placed(caught: unknown, segment: string | number): unknown {
  return caught instanceof Refusal ? caught.under(segment) : caught;
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function shownCharacter(text: string, at: number): string {
  const point = text.codePointAt(at) as number;
  return point > 0x20 && point < 0x7f ? `"${String.fromCodePoint(point)}"` : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
