/** A history in a browser's IndexedDB. */
import { FlowError } from "../json/errors.ts";
import { type HistoryLog, type HistoryStore, locked, wholeLines } from "./store.ts";

const LINES = "lines";
const NOTES = "notes";

/** Histories that this page writes, where it has no locks that other tabs see. */
const writing = new Set<string>();

/** A store in IndexedDB: one database for each history, so that a history is removed with `indexedDB.deleteDatabase`. */
export class IndexedDbStore implements HistoryStore {
  private readonly name: string;

  /** @param name The name of the database. */
  constructor(name: string) {
    this.name = name;
  }

  /** @throws FlowError (as a rejection) `locked` while another run writes it, in this tab or another */
  async open(): Promise<HistoryLog> {
    const unlock = await lock(this.name);
    try {
      const database = await openDatabase(this.name);
      const held = await linesOf(database, LINES);
      const text = wholeLines(held);
      return {
        text,
        // A line is kept whole or not at all here; one that was put in from elsewhere may have been cut.
        dropped: held.length - text.length,
        append: (line) => add(database, LINES, line),
        note: (line) => add(database, NOTES, line),
        close: () => {
          database.close();
          unlock();
        },
      };
    } catch (caught) {
      unlock();
      throw caught;
    }
  }

  read(): Promise<string> {
    return this.reading(LINES);
  }

  notes(): Promise<string> {
    return this.reading(NOTES);
  }

  private async reading(store: string): Promise<string> {
    const database = await openDatabase(this.name);
    try {
      return await linesOf(database, store);
    } finally {
      database.close();
    }
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  if (typeof indexedDB === "undefined") throw new FlowError("unsupported", "this platform has no IndexedDB");
  const request = indexedDB.open(`flow-host history ${name}`, 1);
  request.onupgradeneeded = () => {
    for (const store of [LINES, NOTES]) request.result.createObjectStore(store, { autoIncrement: true });
  };
  return settled(request);
}

async function linesOf(database: IDBDatabase, store: string): Promise<string> {
  const lines: string[] = await settled(database.transaction(store).objectStore(store).getAll());
  return lines.join("");
}

/** Adds a line. Settles once the browser says that it is on disk, where it says so. */
function add(database: IDBDatabase, store: string, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    transaction.objectStore(store).add(line);
  });
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Takes the history's lock: a Web Lock, which goes with its tab however that ends. */
async function lock(name: string): Promise<() => void> {
  const { locks } = (globalThis as { navigator?: { locks?: LockManager } }).navigator ?? {};
  if (locks === undefined) {
    if (writing.has(name)) throw locked();
    writing.add(name);
    return () => writing.delete(name);
  }
  return new Promise((resolve, reject) => {
    const held = locks.request(`flow-host history ${name}`, { ifAvailable: true }, (granted) => {
      if (granted === null) throw locked();
      return new Promise<void>((release) => resolve(release));
    });
    held.catch(reject);
  });
}
