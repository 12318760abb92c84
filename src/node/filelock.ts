/** A lock on a file: a file beside it that says who holds it. What holds it dies with its process. */
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { locked } from "../host/store.ts";

/** Who holds a lock. `started` tells a process from a later one with the same id, where the system says when one began. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly started: string | undefined;
  readonly token: string;
}

/** The locks of this process: a process id that is our own says nothing after a restart in a container. */
const held = new Set<string>();

/**
 * Takes the lock of a file.
 * @returns What gives it back.
 * @throws FlowError `locked` where it is held
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  const token = crypto.randomUUID();
  const holder: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid), token };
  if (!create(lock, JSON.stringify(holder))) takeOver(lock, JSON.stringify(holder));
  held.add(token);
  return () => {
    if (!held.delete(token)) return;
    if (readHolder(lock)?.token === token) rmSync(lock, { force: true });
  };
}

/** Takes the lock of a process that is gone. Of several that try at once, the one that makes the second file may. */
function takeOver(lock: string, mine: string): void {
  if (isAlive(readHolder(lock))) throw locked();
  const breaking = `${lock}.breaking`;
  if (!create(breaking, "")) throw locked();
  try {
    // Again, now that nobody else may: another one may have taken it over in between.
    if (isAlive(readHolder(lock))) throw locked();
    rmSync(lock, { force: true });
    if (!create(lock, mine)) throw locked();
  } finally {
    rmSync(breaking, { force: true });
  }
}

/**
 * Makes a file that is not there yet, whole: nobody may find it before it says who made it. So it is written under another
 * name and then linked.
 */
function create(path: string, text: string): boolean {
  const fresh = `${path}.${crypto.randomUUID()}`;
  writeFileSync(fresh, text, { flag: "wx" });
  try {
    linkSync(fresh, path);
    return true;
  } catch (caught) {
    const { code } = caught as { code?: unknown };
    if (code === "EEXIST") return false;
    // A file system without links.
    return createInPlace(path, text);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function createInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (caught) {
    if ((caught as { code?: unknown }).code === "EEXIST") return false;
    throw caught;
  }
}

/** Undefined where there is no lock, or one that no process of ours wrote to its end. */
function readHolder(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder | undefined): boolean {
  if (holder === undefined) return false;
  // Whether a process of another machine lives, nobody here can say.
  if (holder.host !== hostname()) return true;
  if (holder.pid === process.pid) return held.has(holder.token);
  try {
    process.kill(holder.pid, 0);
  } catch (caught) {
    // A process of somebody else may not be signalled, and lives.
    return (caught as { code?: unknown }).code === "EPERM";
  }
  return holder.started === undefined || holder.started === startOf(holder.pid);
}

/** When a process began, in the system's own words. */
function startOf(pid: number): string | undefined {
  try {
    // The 22nd field; the second is a name in parentheses that may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
