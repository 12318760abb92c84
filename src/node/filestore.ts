/** A history in a file, and the host's own record in a file beside it. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import type { HistoryLog, HistoryStore } from "../host/store.ts";
import { FlowError } from "../json/errors.ts";
import { decodeUtf8 } from "../json/text.ts";
import { lockFile } from "./filelock.ts";

export interface FileStoreOptions {
  /**
   * Whether a line counts as kept only once the disk has it, so that a crash of the machine takes no outcome that a program
   * was given; the default. Otherwise the system has it, which outlasts this process alone.
   */
  readonly durable?: boolean;
}

/** A store in a file. The host's own record stands in a second one, named the same with `.notes` behind. */
export class FileStore implements HistoryStore {
  private readonly path: string;
  private readonly durable: boolean;

  constructor(path: string, options: FileStoreOptions = {}) {
    this.path = path;
    this.durable = options.durable ?? true;
  }

  /** @throws FlowError (as a rejection) `locked` while another run writes it, `history` where it is not UTF-8 */
  async open(): Promise<HistoryLog> {
    const unlock = lockFile(this.path);
    try {
      const history = await LineFile.open(this.path, this.durable);
      const notes = await LineFile.open(this.notesPath, false);
      return {
        text: history.text,
        dropped: history.dropped,
        append: (line) => history.append(line),
        note: (line) => notes.append(line),
        close: async () => {
          try {
            await history.close();
            await notes.close();
          } finally {
            unlock();
          }
        },
      };
    } catch (caught) {
      unlock();
      throw caught;
    }
  }

  read(): Promise<string> {
    return readText(this.path);
  }

  notes(): Promise<string> {
    return readText(this.notesPath);
  }

  private get notesPath(): string {
    return `${this.path}.notes`;
  }
}

/** A file that only grows, by whole lines. Lines that come while others are written go out together after them. */
class LineFile {
  readonly text: string;
  readonly dropped: number;
  private readonly file: FileHandle;
  private readonly durable: boolean;
  private waiting: string[] = [];
  private writing: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private broken: unknown;

  private constructor(file: FileHandle, text: string, dropped: number, durable: boolean) {
    this.file = file;
    this.text = text;
    this.dropped = dropped;
    this.durable = durable;
  }

  /** Opens a file, or makes it. A last line that a crash cut short is cut off (R38). */
  static async open(path: string, durable: boolean): Promise<LineFile> {
    const file = await open(path, "a+");
    try {
      const bytes = await file.readFile();
      const end = bytes.lastIndexOf(10) + 1;
      if (end < bytes.length) await file.truncate(end);
      const text = textOf(bytes.subarray(0, end), path);
      return new LineFile(file, text, bytes.length - end, durable);
    } catch (caught) {
      await file.close();
      throw caught;
    }
  }

  append(line: string): Promise<void> {
    // After a fault nobody knows where the file ends; a line behind half a line would damage both.
    if (this.broken !== undefined) return Promise.reject(this.broken);
    this.waiting.push(line);
    this.next ??= this.flushAfter(this.writing);
    return this.next;
  }

  async close(): Promise<void> {
    try {
      await (this.next ?? this.writing)?.catch(() => {});
    } finally {
      await this.file.close();
    }
  }

  private async flushAfter(before: Promise<void> | undefined): Promise<void> {
    // Also where nothing is being written: whatever comes in the same turn goes out together.
    await before?.catch(() => {});
    if (this.broken !== undefined) throw this.broken;
    const lines = this.waiting;
    this.waiting = [];
    this.writing = this.next;
    this.next = undefined;
    try {
      await this.file.appendFile(lines.join(""));
      if (this.durable) await this.file.datasync();
    } catch (caught) {
      this.broken = caught;
      throw caught;
    }
  }
}

async function readText(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (caught) {
    if ((caught as { code?: unknown }).code === "ENOENT") return "";
    throw caught;
  }
  // A line that was cut short may end in the middle of a character; what is whole is judged.
  const end = bytes.lastIndexOf(10) + 1;
  return textOf(bytes.subarray(0, end), path) + (end < bytes.length ? new TextDecoder().decode(bytes.subarray(end)) : "");
}

function textOf(bytes: Uint8Array, path: string): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new FlowError("history", `${path} is damaged: it is not UTF-8`, { at: { file: path, line: 1, column: 1 } });
  return text;
}
