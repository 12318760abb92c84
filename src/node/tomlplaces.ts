/** Where the keys of a TOML document stand. The parser says what a document holds; an error must say where, too. */

export interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/**
 * The place of each key of a document, the first one where it comes several times.
 * @param text A document that has been parsed: its syntax is not judged here.
 * @returns By {@link pathKey} of the key's path.
 */
export function keyPlaces(text: string): ReadonlyMap<string, Place> {
  return new Places(text).read();
}

/** A text that no other path has. */
export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

class Places {
  private readonly text: string;
  private readonly places = new Map<string, Place>();
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  read(): ReadonlyMap<string, Place> {
    let table: readonly string[] = [];
    for (;;) {
      this.skipBlank();
      if (this.at >= this.text.length) return this.places;
      if (this.text.charAt(this.at) === "[") {
        const brackets = this.text.startsWith("[[", this.at) ? 2 : 1;
        this.at += brackets;
        table = this.path([]);
        this.at += brackets;
      } else {
        this.member(table);
      }
    }
  }

  /** `a.b = value` */
  private member(table: readonly string[]): void {
    const path = this.path(table);
    this.at++; // the equals sign
    this.value(path);
  }

  /** A key of dots and quotes, up to what ends it. */
  private path(table: readonly string[]): readonly string[] {
    let path = table;
    for (;;) {
      this.skipSpace();
      const start = this.at;
      path = [...path, this.keyPart()];
      const key = pathKey(path);
      if (!this.places.has(key)) this.places.set(key, this.placeOf(start));
      this.skipSpace();
      if (this.text.charAt(this.at) !== ".") return path;
      this.at++;
    }
  }

  private keyPart(): string {
    const quote = this.text.charAt(this.at);
    const start = this.at;
    if (quote === '"' || quote === "'") {
      this.string(quote);
      const inside = this.text.slice(start + 1, this.at - 1);
      return quote === "'" ? inside : unescaped(inside);
    }
    while (/[A-Za-z0-9_-]/.test(this.text.charAt(this.at))) this.at++;
    // Whatever else stands here, the parser has let it pass; go on rather than stand still.
    if (this.at === start) this.at++;
    return this.text.slice(start, this.at);
  }

  private value(path: readonly string[]): void {
    this.skipSpace();
    const first = this.text.charAt(this.at);
    if (first === '"' || first === "'") this.string(first);
    else if (first === "[") this.array(path);
    else if (first === "{") this.inlineTable(path);
    else while (this.at < this.text.length && !",]}#\n".includes(this.text.charAt(this.at))) this.at++;
  }

  private array(path: readonly string[]): void {
    this.at++;
    for (;;) {
      this.skipBlank();
      const char = this.text.charAt(this.at);
      if (char === "]" || char === "") {
        this.at++;
        return;
      }
      if (char === ",") this.at++;
      else this.value(path);
    }
  }

  private inlineTable(path: readonly string[]): void {
    this.at++;
    for (;;) {
      this.skipBlank();
      const char = this.text.charAt(this.at);
      if (char === "}" || char === "") {
        this.at++;
        return;
      }
      if (char === ",") this.at++;
      else this.member(path);
    }
  }

  /** Past a string, of one line or of several. */
  private string(quote: string): void {
    const { text } = this;
    const long = text.startsWith(quote.repeat(3), this.at);
    const end = long ? quote.repeat(3) : quote;
    this.at += end.length;
    while (this.at < text.length && !text.startsWith(end, this.at)) this.at += quote === '"' && text.charAt(this.at) === "\\" ? 2 : 1;
    this.at += end.length;
    // Up to two more quotes may stand before the three that end it.
    if (long) while (text.charAt(this.at) === quote) this.at++;
  }

  private skipSpace(): void {
    while (this.text.charAt(this.at) === " " || this.text.charAt(this.at) === "\t") this.at++;
  }

  private skipBlank(): void {
    for (;;) {
      const char = this.text.charAt(this.at);
      if (char === "#") while (this.at < this.text.length && this.text.charAt(this.at) !== "\n") this.at++;
      else if (char !== "" && " \t\r\n".includes(char)) this.at++;
      else return;
    }
  }

  private placeOf(offset: number): Place {
    const before = this.text.slice(0, offset);
    return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
  }
}

/** A basic string's content. */
function unescaped(inside: string): string {
  const LETTERS: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b", '"': '"', "\\": "\\" };
  return inside.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g, (_, x, u, U, letter) =>
    letter === undefined ? String.fromCodePoint(Number.parseInt(x ?? u ?? U, 16)) : (LETTERS[letter] ?? letter),
  );
}
