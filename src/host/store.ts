/** Where histories are kept. One store holds one history. */
import { FlowError } from "../json/errors.ts";

/** A history that is open for writing; nobody else can open it until it is closed. */
export interface HistoryLog {
  /** The whole lines it held when it was opened. A last line that a crash cut short is dropped by opening (R38). */
  readonly text: string;
  /** How many characters of such a line were dropped. */
  readonly dropped: number;
  /** Appends one line, line feed included. What it returns settles once the line is kept. */
  append(line: string): void | Promise<void>;
  /** Appends one line to the host's own record beside the history. */
  note(line: string): void | Promise<void>;
  /** Lets go of the store. Nothing is appended after it. */
  close(): void | Promise<void>;
}

/** Where one history is kept. */
export interface HistoryStore {
  /** @throws FlowError `locked` while another run writes it */
  open(): HistoryLog | Promise<HistoryLog>;
  /** The whole text, without opening it. */
  read(): string | Promise<string>;
  /** The host's own record that stands beside the history: nothing of it belongs to the run. */
  notes(): string | Promise<string>;
}

/** A store in memory. */
export class MemoryStore implements HistoryStore {
  private lines: string[] = [];
  private readonly noted: string[] = [];
  private isOpen = false;

  /**
   * @param text A history to start from, as {@link read} of another store gives it.
   * @param notes The record beside it.
   */
  constructor(text = "", notes = "") {
    if (text !== "") this.lines.push(text);
    if (notes !== "") this.noted.push(notes);
  }

  open(): HistoryLog {
    if (this.isOpen) throw locked();
    this.isOpen = true;
    const held = this.read();
    const text = wholeLines(held);
    this.lines = [text];
    return {
      text,
      dropped: held.length - text.length,
      append: (line) => {
        this.lines.push(line);
      },
      note: (line) => {
        this.noted.push(line);
      },
      close: () => {
        this.isOpen = false;
      },
    };
  }

  notes(): string {
    return this.noted.join("");
  }

  read(): string {
    return this.lines.join("");
  }
}

/** A history without a last line that lacks its line feed. */
export function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

export function locked(): FlowError {
  return new FlowError("locked", "the history is being written by another run");
}
