/** A history in a file. The system's lock on the file ends with the process, however that ends. */
import { FlowError, type HistoryLog, type HistoryStore } from "flow-host";
import type { DenoFile, DenoFiles } from "./deno.ts";

const encoder = new TextEncoder();

export class FileStore implements HistoryStore {
  private readonly files: DenoFiles;
  private readonly path: string;

  /** @param path Of the history; its notes stand beside it. */
  constructor(files: DenoFiles, path: string) {
    this.files = files;
    this.path = path;
  }

  async open(): Promise<HistoryLog> {
    const file = await this.files.open(this.path, { create: true, read: true, append: true });
    if (!(await file.tryLock(true))) {
      file.close();
      throw new FlowError("locked", "the history is being written by another run");
    }
    const held = await this.read();
    const text = held.slice(0, held.lastIndexOf("\n") + 1);
    await file.truncate(encoder.encode(text).length);
    return {
      text,
      dropped: held.length - text.length,
      append: async (line) => {
        await writeAll(file, line);
        await file.syncData();
      },
      note: (line) => this.files.writeTextFile(this.notesPath, line, { append: true }),
      close: () => file.close(),
    };
  }

  read(): Promise<string> {
    return this.textOf(this.path);
  }

  notes(): Promise<string> {
    return this.textOf(this.notesPath);
  }

  private get notesPath(): string {
    return `${this.path}.notes`;
  }

  /** Nothing where there is no file yet. */
  private async textOf(path: string): Promise<string> {
    try {
      return await this.files.readTextFile(path);
    } catch (caught) {
      if (caught instanceof this.files.errors.NotFound) return "";
      throw caught;
    }
  }
}

async function writeAll(file: DenoFile, line: string): Promise<void> {
  const bytes = encoder.encode(line);
  for (let at = 0; at < bytes.length; ) at += await file.write(bytes.subarray(at));
}
