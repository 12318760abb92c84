/** JSON/1 as text: its reader, in one pass, with every limit judged before what it bounds is built, and its one canonical text. */
import { asFlowError, Refusal } from "../json/errors.ts";
import { jcsText } from "../json/jcs.ts";
import { fromSource } from "../json/read.ts";
import { decodeUtf8, exceedsUtf8 } from "../json/text.ts";
import { bareObject, isJson1Number, JSON1_LIMITS, type Json1Value, NUMBER } from "./model.ts";

/** The RFC 8785 text of a JSON/1 value: what digests are taken over, and what decides whether two calls are the same. */
export function canonicalJson1(value: Json1Value): string {
  return jcsText(value);
}

/**
 * Reads one JSON/1 document.
 * @param source A text, or its UTF-8 bytes.
 * @throws FlowError `syntax`, `duplicate-member`, `lone-surrogate`, `number` or `limit`, with its JSON Pointer and its
 *   offset (in bytes where bytes were given).
 */
export function readJson1(source: string | Uint8Array): Json1Value {
  const text = sourceText(source);
  try {
    return fromSource(source, text, () => new Reader(text).document());
  } catch (caught) {
    throw asFlowError(caught);
  }
}

/** The text of a document within the limit on bytes; a byte-order mark stays and is a syntax error. */
function sourceText(source: string | Uint8Array): string {
  if (typeof source === "string") {
    if (exceedsUtf8(source, JSON1_LIMITS.bytes)) throw tooMany(`a document of at most ${JSON1_LIMITS.bytes} bytes`).toFlowError();
    return source;
  }
  if (source.byteLength > JSON1_LIMITS.bytes) {
    throw tooMany(`a document of at most ${JSON1_LIMITS.bytes} bytes`, `${source.byteLength} bytes`).toFlowError();
  }
  const text = decodeUtf8(source);
  if (text === undefined) throw new Refusal("syntax", "a document in UTF-8", "bytes that are not UTF-8").toFlowError();
  return text;
}

export function tooMany(expected: string, met = "", offset?: number): Refusal {
  return new Refusal("limit", expected, met, offset);
}

/** A fault of the text as such has no place among the values: its pointer stays the root, its offset tells. */
class SyntaxRefusal extends Refusal {
  override under(): this {
    return this;
  }
}

export function placed(caught: unknown, segment: string | number): unknown {
  return caught instanceof Refusal ? caught.under(segment) : caught;
}

/** What the escape characters of RFC 8259 stand for, by code unit; `u` is read on its own. */
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [34, '"'],
  [92, "\\"],
  [47, "/"],
  [98, "\b"],
  [102, "\f"],
  [110, "\n"],
  [114, "\r"],
  [116, "\t"],
]);

/** The value of a hexadecimal digit by its code unit, negative for anything else. */
function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

class Reader {
  private pos = 0;
  private values = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  document(): Json1Value {
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

  private value(depth: number): Json1Value {
    if (depth > JSON1_LIMITS.depth) throw tooMany(`values nested at most ${JSON1_LIMITS.depth} deep`, "", this.pos);
    if (++this.values > JSON1_LIMITS.values) throw tooMany(`at most ${JSON1_LIMITS.values} values in one document`, "", this.pos);
    switch (this.text.charCodeAt(this.pos)) {
      case 34:
        return this.string(JSON1_LIMITS.stringBytes);
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

  private literal<T extends Json1Value>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.pos)) throw this.syntax("a JSON value");
    this.pos += word.length;
    return value;
  }

  private array(depth: number): Json1Value {
    const { text } = this;
    const items: Json1Value[] = [];
    this.pos++;
    this.space();
    if (text.charCodeAt(this.pos) === 93) {
      this.pos++;
      return items;
    }
    for (;;) {
      if (items.length === JSON1_LIMITS.items) throw tooMany(`at most ${JSON1_LIMITS.items} items in an array`, "", this.pos);
      try {
        items.push(this.value(depth + 1));
      } catch (caught) {
        throw placed(caught, items.length);
      }
      this.space();
      const unit = text.charCodeAt(this.pos++);
      if (unit === 93) return items;
      if (unit !== 44) {
        this.pos--;
        throw this.syntax('"," or "]"');
      }
      this.space();
    }
  }

  private object(depth: number): Json1Value {
    const { text } = this;
    const members = bareObject();
    let count = 0;
    this.pos++;
    this.space();
    if (text.charCodeAt(this.pos) === 125) {
      this.pos++;
      return members;
    }
    for (;;) {
      const start = this.pos;
      if (text.charCodeAt(start) !== 34) throw this.syntax("a member name in quotes");
      if (count++ === JSON1_LIMITS.members) throw tooMany(`at most ${JSON1_LIMITS.members} members in an object`, "", start);
      const name = this.string(JSON1_LIMITS.nameBytes);
      // Nothing is inherited and no value is undefined: what answers is a member.
      if (members[name] !== undefined) throw new Refusal("duplicate-member", "every member name once", "one again", start).under(name);
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
      const unit = text.charCodeAt(this.pos++);
      if (unit === 125) return members;
      if (unit !== 44) {
        this.pos--;
        throw this.syntax('"," or "}"');
      }
      this.space();
    }
  }

  private string(limit: number): string {
    const { text } = this;
    const opening = this.pos;
    let pos = opening + 1;
    let start = pos;
    let built = "";
    for (;;) {
      const unit = text.charCodeAt(pos);
      if (unit === 34) break;
      if (unit === 92) {
        this.pos = pos;
        built += text.slice(start, pos) + this.escape();
        pos = this.pos;
        start = pos;
      } else if (unit >= 0xd800 && unit <= 0xdfff) {
        const next = text.charCodeAt(pos + 1);
        if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) throw loneSurrogate(unit, pos);
        pos += 2;
      } else if (unit >= 0x20) {
        pos++;
      } else {
        // A control character, or NaN past the end of the text.
        this.pos = pos;
        throw this.syntax(pos < text.length ? "an escape in place of a control character" : "the closing quote of a string");
      }
    }
    built = start === opening + 1 ? text.slice(start, pos) : built + text.slice(start, pos);
    this.pos = pos + 1;
    if (exceedsUtf8(built, limit)) {
      throw tooMany(`${limit === JSON1_LIMITS.nameBytes ? "a member name" : "a string"} of at most ${limit} bytes`, "", opening);
    }
    return built;
  }

  /** Reads one escape; a pair of surrogates in two of them is one here. */
  private escape(): string {
    const { text } = this;
    const at = this.pos;
    const letter = text.charCodeAt(at + 1);
    if (letter !== 117) {
      const plain = ESCAPES.get(letter);
      if (plain === undefined) throw this.syntax('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u');
      this.pos += 2;
      return plain;
    }
    const unit = this.hex(at + 2);
    this.pos = at + 6;
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit < 0xdc00 && text.startsWith("\\u", this.pos)) {
      const low = this.hex(this.pos + 2);
      if (low >= 0xdc00 && low <= 0xdfff) {
        this.pos += 6;
        return String.fromCharCode(unit, low);
      }
    }
    throw loneSurrogate(unit, at);
  }

  private hex(start: number): number {
    let unit = 0;
    for (let i = start; i < start + 4; i++) {
      const digit = hexDigit(this.text.charCodeAt(i));
      if (digit < 0) throw this.syntax("four hexadecimal digits after \\u");
      unit = unit * 16 + digit;
    }
    return unit;
  }

  private number(): number {
    const { text } = this;
    const start = this.pos;
    let pos = start;
    let unit = text.charCodeAt(pos);
    const negative = unit === 45;
    if (negative) unit = text.charCodeAt(++pos);
    const whole = pos;
    let value = 0;
    if (unit === 48) unit = text.charCodeAt(++pos);
    else {
      while (unit >= 48 && unit <= 57) {
        value = value * 10 + (unit - 48);
        unit = text.charCodeAt(++pos);
      }
    }
    if (pos === whole) throw this.syntax("a JSON value");
    const plain = unit !== 46 && (unit | 32) !== 101;
    if (unit === 46) pos = this.digits(pos + 1);
    unit = text.charCodeAt(pos);
    if ((unit | 32) === 101) {
      const sign = text.charCodeAt(pos + 1);
      pos = this.digits(pos + (sign === 43 || sign === 45 ? 2 : 1));
    }
    this.pos = pos;
    if (pos - start > JSON1_LIMITS.numberBytes) throw tooMany(`a number of at most ${JSON1_LIMITS.numberBytes} bytes`, "", start);
    // Up to 15 digits add up exactly; Number() rounds everything else correctly.
    if (!plain || pos - whole > 15) {
      value = Number(text.slice(whole, pos));
      if (!isJson1Number(value)) throw new Refusal("number", NUMBER, text.slice(start, pos), start);
    }
    // Zero has one value: -0 and what underflows to it are 0.
    return negative && value !== 0 ? -value : value;
  }

  /** The offset behind a run of digits, of which there must be one. */
  private digits(start: number): number {
    let pos = start;
    for (let unit = this.text.charCodeAt(pos); unit >= 48 && unit <= 57; unit = this.text.charCodeAt(++pos));
    if (pos === start) {
      this.pos = pos;
      throw this.syntax("a digit");
    }
    return pos;
  }

  private syntax(expected: string): Refusal {
    const point = this.text.codePointAt(this.pos);
    if (point === undefined) return new SyntaxRefusal("syntax", expected, "the end of the text", this.pos);
    const shown =
      point > 0x20 && point < 0x7f ? `"${String.fromCodePoint(point)}"` : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
    return new SyntaxRefusal("syntax", expected, shown, this.pos);
  }
}

function loneSurrogate(unit: number, at: number): Refusal {
  return new Refusal("lone-surrogate", "strings of Unicode scalar values", `the lone surrogate \\u${unit.toString(16)}`, at);
}
