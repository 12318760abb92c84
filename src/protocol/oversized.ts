/**
 * Reading the ids out of a message that is too large to keep (R28). The bytes pass through a small machine for the
 * grammar of RFC 8259 that keeps nothing but the short members by which a message is known.
 */
import type { CallIds } from "./binding.ts";
import { idsOf } from "./messages.ts";

/** What an oversized message turned out to be. */
export type Oversized =
  | { readonly kind: "call" | "reply"; readonly ids: CallIds }
  /** A response, or a request; its id as JSON text. */
  | { readonly kind: "response" | "request"; readonly id: string }
  /** A message of another kind, or a line that is no JSON after all: changes nothing. */
  | { readonly kind: "other"; readonly detail: string }
  /** Nobody can say whose reply this was. */
  | { readonly kind: "unreadable"; readonly detail: string };

/** The members that are kept: their depth and their path, since a name may hold a point itself. */
const KEPT: ReadonlySet<string> = new Set(["1:jsonrpc", "1:method", "1:id", "2:params.run", "2:params.call"]);
/** An id of 256 bytes takes at most six bytes for each when every character is escaped, and two quotes. */
const LONGEST_KEPT = 6 * 256 + 2;
/** Past it, whatever it is, it is nobody's value (limits on depth end far before). */
const DEEPEST = 65_536;

const Expect = { value: 0, valueOrEnd: 1, nameOrEnd: 2, name: 3, colon: 4, commaOrEnd: 5, done: 6 } as const;
type Expecting = (typeof Expect)[keyof typeof Expect];

const QUOTE = 34;
const BACKSLASH = 92;
const OBJECT = 123;
const ARRAY = 91;

/** What of a number may follow each of its parts; a number may end where `end` is true. */
const NUMBERS: Readonly<Record<string, { readonly next: (byte: number) => string | undefined; readonly end: boolean }>> = {
  minus: { next: (byte) => (byte === 48 ? "zero" : isDigit(byte) ? "whole" : undefined), end: false },
  zero: { next: (byte) => (byte === 46 ? "point" : isExponent(byte) ? "exponent" : undefined), end: true },
  whole: { next: (byte) => (isDigit(byte) ? "whole" : byte === 46 ? "point" : isExponent(byte) ? "exponent" : undefined), end: true },
  point: { next: (byte) => (isDigit(byte) ? "fraction" : undefined), end: false },
  fraction: { next: (byte) => (isDigit(byte) ? "fraction" : isExponent(byte) ? "exponent" : undefined), end: true },
  exponent: { next: (byte) => (isDigit(byte) ? "power" : byte === 43 || byte === 45 ? "sign" : undefined), end: false },
  sign: { next: (byte) => (isDigit(byte) ? "power" : undefined), end: false },
  power: { next: (byte) => (isDigit(byte) ? "power" : undefined), end: true },
};

/** Reads one message piece by piece. */
export class OversizedReader {
  private expecting: Expecting = Expect.value;
  private token: "none" | "string" | "escape" | "hex" | "number" | "word" = "none";
  private number = "";
  private word = "";
  private wordAt = 0;
  private hexLeft = 0;
  private broken: string | undefined;
  /** The containers around the present place: 1 for an object, 0 for an array. */
  private readonly stack: number[] = [];
  /** The member that is being read, at the depths where names matter. */
  private readonly path: string[] = [];
  /** The bytes of a name or of a kept value; undefined while neither is read. */
  private kept: number[] | undefined;
  private keptIsName = false;
  private readonly found = new Map<string, string>();
  private readonly seen = new Set<string>();

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && this.broken === undefined; at++) {
      if (this.token === "string" && this.kept === undefined) {
        // Where nearly all bytes of a large message are: run over them.
        let byte = bytes[at] as number;
        while (byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20 && at + 1 < bytes.length) byte = bytes[++at] as number;
      }
      this.byte(bytes[at] as number);
    }
  }

  /** What it was, at the end of the line. */
  end(): Oversized {
    const isComplete = this.broken === undefined && this.expecting === Expect.done;
    const why = this.broken ?? "the end of the line";
    if (this.found.get("1:jsonrpc") !== '"2.0"') {
      return { kind: "unreadable", detail: isComplete ? 'no "jsonrpc":"2.0"' : `no JSON, ${why}` };
    }
    const method = this.text("1:method");
    const id = this.found.get("1:id");
    const ids = idsOf(this.text("2:params.run"), this.text("2:params.call"));
    // What has an id is a request or a response, whatever its method is called.
    if ((method === "reply" || method === "call") && !this.seen.has("1:id")) {
      if (ids === undefined) return { kind: "unreadable", detail: `a ${method} whose ids cannot be read` };
      return isComplete ? { kind: method, ids } : { kind: "other", detail: `no JSON, ${why}` };
    }
    if (!isComplete) return { kind: "unreadable", detail: `no JSON, ${why}` };
    // A method too long to be kept is one all the same.
    if (this.seen.has("1:method")) {
      if (id !== undefined) return { kind: "request", id };
      return { kind: "other", detail: `a message ${JSON.stringify((method ?? "").slice(0, 40))} past the size limit` };
    }
    return id === undefined ? { kind: "unreadable", detail: "neither a method nor an id" } : { kind: "response", id };
  }

  private text(name: string): string | undefined {
    const kept = this.found.get(name);
    if (kept === undefined || !kept.startsWith('"')) return undefined;
    return JSON.parse(kept) as string;
  }

  private byte(byte: number): void {
    switch (this.token) {
      case "string":
        this.keep(byte);
        if (byte === QUOTE) this.endString();
        else if (byte === BACKSLASH) this.token = "escape";
        else if (byte < 0x20) this.fail("a control character in a string");
        return;
      case "escape":
        this.keep(byte);
        if (byte === 117) {
          this.token = "hex";
          this.hexLeft = 4;
        } else if ('"\\/bfnrt'.includes(String.fromCharCode(byte))) this.token = "string";
        else this.fail("an unknown escape");
        return;
      case "hex":
        this.keep(byte);
        if (!isHex(byte)) this.fail("a \\u escape without four digits");
        else if (--this.hexLeft === 0) this.token = "string";
        return;
      case "word":
        this.keep(byte);
        if (byte !== this.word.charCodeAt(this.wordAt)) this.fail("a word that is no JSON value");
        else if (++this.wordAt === this.word.length) this.endValue();
        return;
      case "number": {
        const state = NUMBERS[this.number] as (typeof NUMBERS)[string];
        const next = state.next(byte);
        if (next !== undefined) {
          this.number = next;
          this.keep(byte);
          return;
        }
        this.endNumber();
        if (this.broken === undefined) this.between(byte);
        return;
      }
      case "none":
        this.between(byte);
    }
  }

  private between(byte: number): void {
    if (byte === 32 || byte === 9 || byte === 13 || byte === 10) return;
    const { expecting } = this;
    if (expecting === Expect.colon) {
      if (byte === 58) this.expecting = Expect.value;
      else this.fail('no ":" after a name');
    } else if (expecting === Expect.commaOrEnd) {
      if (byte === 44) this.expecting = this.stack.at(-1) === 1 ? Expect.name : Expect.value;
      else this.close(byte);
    } else if (expecting === Expect.nameOrEnd || expecting === Expect.name) {
      if (byte === QUOTE) this.startName();
      else if (expecting === Expect.nameOrEnd) this.close(byte);
      else this.fail("no name after a comma");
    } else if (expecting === Expect.done) {
      this.fail("something after the end of the document");
    } else if (expecting === Expect.valueOrEnd && byte === 93) {
      this.close(byte);
    } else {
      this.startValue(byte);
    }
  }

  private startName(): void {
    this.token = "string";
    const { length } = this.stack;
    // Names count at the top, and in the object of params.
    this.keptIsName = length === 1 || (length === 2 && this.path[0] === "params");
    this.kept = this.keptIsName ? [QUOTE] : undefined;
    this.expecting = Expect.colon;
  }

  private startValue(byte: number): void {
    this.keptIsName = false;
    this.kept = this.isKept() ? [byte] : undefined;
    if (byte === QUOTE) this.token = "string";
    else if (byte === OBJECT || byte === ARRAY) {
      this.kept = undefined;
      if (this.stack.length === DEEPEST) this.fail(`values nested more than ${DEEPEST} deep`);
      this.stack.push(byte === OBJECT ? 1 : 0);
      this.expecting = byte === OBJECT ? Expect.nameOrEnd : Expect.valueOrEnd;
    } else if (byte === 45 || isDigit(byte)) {
      this.token = "number";
      this.number = byte === 45 ? "minus" : byte === 48 ? "zero" : "whole";
    } else {
      this.word = byte === 116 ? "true" : byte === 102 ? "false" : "null";
      if (byte !== this.word.charCodeAt(0)) this.fail("no JSON value");
      this.token = "word";
      this.wordAt = 1;
    }
  }

  /** Whether the value at the present place is one of the members by which a message is known. */
  private isKept(): boolean {
    const { length } = this.stack;
    if (length === 0 || length > 2 || this.stack[length - 1] !== 1) return false;
    if (length === 2 && this.path[0] !== "params") return false;
    return KEPT.has(this.place());
  }

  private keep(byte: number): void {
    if (this.kept === undefined) return;
    if (this.kept.length > LONGEST_KEPT) {
      // Too long to be what is looked for, so it is none of it.
      this.kept = undefined;
    } else this.kept.push(byte);
  }

  private endString(): void {
    if (this.expecting === Expect.colon) this.endName();
    else this.endValue();
  }

  private endName(): void {
    this.token = "none";
    if (this.kept === undefined) {
      if (this.keptIsName) this.path[this.stack.length - 1] = "";
      return;
    }
    const text = decoded(this.kept);
    this.kept = undefined;
    if (text === undefined) {
      this.fail("a name that is not UTF-8");
      return;
    }
    const depth = this.stack.length;
    this.path.length = depth;
    this.path[depth - 1] = JSON.parse(text) as string;
    const place = this.place();
    // Which of two members of one name counts, nobody can say.
    if (place === "1:params" || KEPT.has(place)) {
      if (this.seen.has(place)) {
        this.fail(`the member ${this.path.join(".")} twice`);
        this.found.clear();
      }
      this.seen.add(place);
    }
  }

  private endNumber(): void {
    if (NUMBERS[this.number]?.end === true) this.endValue();
    else this.fail("an unfinished number");
  }

  private endValue(): void {
    this.token = "none";
    if (this.kept !== undefined) {
      const text = decoded(this.kept);
      if (text !== undefined) this.found.set(this.place(), text);
      this.kept = undefined;
    }
    this.expecting = this.stack.length === 0 ? Expect.done : Expect.commaOrEnd;
  }

  private close(byte: number): void {
    const isObject = this.stack.at(-1) === 1;
    if (byte !== (isObject ? 125 : 93)) {
      this.fail(isObject ? 'no "," or "}"' : 'no "," or "]"');
      return;
    }
    this.stack.pop();
    this.path.length = Math.min(this.path.length, this.stack.length);
    this.endValue();
  }

  private place(): string {
    return `${this.stack.length}:${this.path.join(".")}`;
  }

  private fail(why: string): void {
    this.broken = why;
  }
}

function decoded(bytes: readonly number[]): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

function isExponent(byte: number): boolean {
  return byte === 69 || byte === 101;
}

function isHex(byte: number): boolean {
  const lower = byte | 32;
  return isDigit(byte) || (lower >= 97 && lower <= 102);
}
