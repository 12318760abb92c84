/** The text of one file, and where an offset stands in it. */

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;
}

const LINE_FEED = "\n";

/** A text that knows its lines. */
export class SourceText {
  readonly text: string;
  /** The offset at which each line starts; found once a position is asked for. */
  private starts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  position(offset: number): Position {
    const starts = this.lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] as number) + 1 };
  }

  /** One line without its end, `undefined` past the last. */
  line(number: number): string | undefined {
    const starts = this.lineStarts();
    const start = starts[number - 1];
    if (start === undefined) return undefined;
    const next = starts[number];
    const end = next === undefined ? this.text.length : next - 1;
    return this.text.charCodeAt(end - 1) === 13 && end > start ? this.text.slice(start, end - 1) : this.text.slice(start, end);
  }

  private lineStarts(): readonly number[] {
    if (this.starts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf(LINE_FEED); at >= 0; at = this.text.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
      this.starts = starts;
    }
    return this.starts;
  }
}
