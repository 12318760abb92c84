/** Lines out of a stream of bytes (R28): a line ends at U+000A and nowhere else, and is UTF-8 to the letter. */
import { decodeUtf8 } from "../json/text.ts";
import { Gathered } from "./gathered.ts";
import { type Oversized, OversizedReader } from "./oversized.ts";

export interface LineEvents {
  /** A whole line, its line feed not included. */
  line(text: string): void;
  /** Bytes that are no line: not UTF-8, or without a line feed at the end of the stream. */
  malformed(detail: string): void;
  /** A line past the size limit, with what could be read out of it. */
  oversized(message: Oversized): void;
}

const LINE_FEED = 10;

export class LineReader {
  private readonly limit: number;
  private readonly events: LineEvents;
  private readonly held = new Gathered();
  private length = 0;
  private oversized: OversizedReader | undefined;

  /** @param limit The most bytes of one line. */
  constructor(limit: number, events: LineEvents) {
    this.limit = limit;
    this.events = events;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      if (end < 0) break;
      this.take(chunk.subarray(start, end));
      this.finish();
      start = end + 1;
    }
    if (start < chunk.length) this.take(chunk.subarray(start));
  }

  /** The end of the stream. A last line without its line feed may have been cut anywhere, so it is none. */
  end(): void {
    if (this.length > 0) this.events.malformed(`${this.length} bytes without a line feed at the end of the stream`);
    this.reset();
  }

  private take(piece: Uint8Array): void {
    this.length += piece.length;
    if (this.oversized !== undefined) {
      this.oversized.push(piece);
    } else if (this.length <= this.limit) {
      this.held.push(piece);
    } else {
      this.oversized = new OversizedReader();
      this.oversized.push(this.held.take());
      this.oversized.push(piece);
    }
  }

  private finish(): void {
    const { oversized, length } = this;
    const bytes = this.held.take();
    this.reset();
    if (oversized !== undefined) {
      this.events.oversized(oversized.end());
      return;
    }
    const text = decodeUtf8(bytes);
    if (text === undefined) this.events.malformed(`a line of ${length} bytes that are not UTF-8`);
    else this.events.line(text);
  }

  private reset(): void {
    this.held.take();
    this.length = 0;
    this.oversized = undefined;
  }
}
