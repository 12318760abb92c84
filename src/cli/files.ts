/** Reading and writing what a command is given. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { FlowError } from "../json/errors.ts";
import { readTools, type ToolsDocument } from "../signature/tools.ts";
import type { Io } from "./command.ts";

/** A path of the command line, from where the command was started. */
export function placed(path: string, io: Io): string {
  return isAbsolute(path) ? path : join(io.cwd, path);
}

/** The bytes of a file, or of standard input for `-`. @throws FlowError `file` */
export async function readBytes(path: string, io: Io): Promise<Uint8Array> {
  if (path === "-") return io.readInput();
  try {
    return await readFile(placed(path, io));
  } catch (cause) {
    throw new FlowError("file", `${path} cannot be read: ${reason(cause)}`, { cause });
  }
}

/** Writes a file whole or not at all. @throws FlowError `file` */
export async function writeWhole(path: string, text: string, io: Io): Promise<void> {
  const place = placed(path, io);
  const fresh = `${place}.${process.pid}.new`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, place);
  } catch (cause) {
    await rm(fresh, { force: true });
    throw new FlowError("file", `${path} cannot be written: ${reason(cause)}`, { cause });
  }
}

/**
 * A `tools` output, with only the Tools of the given identities where any are given.
 * @throws FlowError as `readTools` does; `usage` for an identity it does not list
 */
export async function readToolsFile(path: string, selected: readonly string[], io: Io): Promise<ToolsDocument> {
  const document = await readTools(await readBytes(path, io));
  return { ...document, tools: selectTools(document.tools, selected) };
}

/** The Tools of the given identities, all where none is given. @throws FlowError `usage` */
export function selectTools<T extends { readonly tool: string }>(tools: readonly T[], selected: readonly string[]): readonly T[] {
  for (const identity of selected) {
    if (tools.some(({ tool }) => tool === identity)) continue;
    const known = tools.map(({ tool }) => `\n  ${tool}`).join("");
    throw new FlowError("usage", `there is no Tool ${identity}; there are:${known === "" ? " none" : known}`);
  }
  return selected.length === 0 ? tools : tools.filter(({ tool }) => selected.includes(tool));
}

function reason(cause: unknown): string {
  const code = (cause as { code?: string }).code;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "its permissions do not allow it";
  return (cause as Error).message;
}
