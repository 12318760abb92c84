/**
 * A history in a Durable Object. A Durable Object is one object in one place, so a flag in it is lock enough; its storage
 * outlives the isolate. Lines are kept in the order of their keys, long ones in pieces, since a stored value has a size limit.
 */
import { FlowError, type HistoryLog, type HistoryStore } from "flow-host";

/** What is used of a Durable Object's storage. */
export interface Storage {
  put(key: string, value: string): Promise<void>;
  list(options: { prefix: string }): Promise<ReadonlyMap<string, string>>;
  delete(keys: string[]): Promise<number>;
  sync(): Promise<void>;
}

/** In UTF-16 code units, so at most 96 KiB, below the limit of 128 KiB. */
const PIECE = 32_768;

export class DurableStore implements HistoryStore {
  private readonly storage: Storage;
  private isOpen = false;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  async open(): Promise<HistoryLog> {
    if (this.isOpen) throw new FlowError("locked", "the history is being written by another run");
    this.isOpen = true;
    const pieces = await this.storage.list({ prefix: "line/" });
    const noted = await this.storage.list({ prefix: "note/" });
    const held = [...pieces.values()].join("");
    const text = held.slice(0, held.lastIndexOf("\n") + 1);
    await this.dropCutShort(pieces, text);
    let lines = pieces.size;
    let notes = noted.size;
    return {
      text,
      dropped: held.length - text.length,
      append: async (line) => {
        for (let at = 0; at < line.length; at += PIECE) await this.storage.put(key("line", lines++), line.slice(at, at + PIECE));
        // Before anything is sent on the strength of it (R38).
        await this.storage.sync();
      },
      note: (line) => this.storage.put(key("note", notes++), line),
      close: () => {
        this.isOpen = false;
      },
    };
  }

  async read(): Promise<string> {
    return [...(await this.storage.list({ prefix: "line/" })).values()].join("");
  }

  async notes(): Promise<string> {
    return [...(await this.storage.list({ prefix: "note/" })).values()].join("");
  }

  /** The pieces of a last line that was not written whole. The keys of what follows go on behind them. */
  private async dropCutShort(pieces: ReadonlyMap<string, string>, text: string): Promise<void> {
    let length = 0;
    const cut = [...pieces].filter(([, piece]) => {
      length += piece.length;
      return length > text.length;
    });
    if (cut.length > 0) await this.storage.delete(cut.map(([name]) => name));
  }
}

function key(kind: string, index: number): string {
  return `${kind}/${String(index).padStart(10, "0")}`;
}
