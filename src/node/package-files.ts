/** The files of a package from a directory, for the reader of packages in the contracts room. */
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ARCHIVE_LIMITS } from "../contracts/package/archive.ts";
import type { PackageFiles } from "../contracts/package/package.ts";
import { FlowError } from "../json/errors.ts";

/**
 * Reads every regular file below a directory into a map of logical path to bytes. A symbolic link is followed where its
 * target lies inside the directory, and refused where it leads out of it; `.git` and `node_modules` are passed over.
 * Names are taken as the file system spells them: references are resolved by exact case on every system.
 * @throws FlowError `PACKAGE_PATH_INVALID` for a link out of the package, `PACKAGE_LIMIT_EXCEEDED`; errors of the file
 *   system pass through.
 */
export async function readPackageDirectory(directory: string): Promise<PackageFiles> {
  const root = await realpath(directory);
  const files = new Map<string, Uint8Array>();
  const folders: { path: string; logical: string; depth: number }[] = [{ path: root, logical: "", depth: 0 }];
  let total = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of (await readdir(folder.path)).sort()) {
      if (name === ".git" || name === "node_modules") continue;
      const logical = folder.logical === "" ? name : `${folder.logical}/${name}`;
      const path = await confined(root, join(folder.path, name), logical);
      const status = await lstat(path);
      if (status.isDirectory()) {
        // A link to a folder above it would never end.
        if (folder.depth === 64) throw tooMany("folders nested at most 64 deep");
        folders.push({ path, logical, depth: folder.depth + 1 });
      } else if (status.isFile()) {
        const bytes = await readBounded(path, logical);
        total += bytes.byteLength;
        if (total > ARCHIVE_LIMITS.totalBytes) throw tooMany(`a package of at most ${ARCHIVE_LIMITS.totalBytes} bytes`);
        if (files.size === ARCHIVE_LIMITS.files) throw tooMany(`a package of at most ${ARCHIVE_LIMITS.files} files`);
        files.set(logical, bytes);
      }
    }
  }
  return files;
}

/** Where a path leads once its links are followed. */
async function confined(root: string, path: string, logical: string): Promise<string> {
  const real = await realpath(path);
  const inside = relative(root, real);
  if (inside !== ".." && !inside.startsWith(`..${sep}`) && join(root, inside) === real) return real;
  throw new FlowError("PACKAGE_PATH_INVALID", `expected files of the package only, met a link out of it: ${JSON.stringify(logical)}`);
}

/** Reads through one handle, so that what was measured is what is read. */
async function readBounded(path: string, logical: string): Promise<Uint8Array> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    if (size > ARCHIVE_LIMITS.fileBytes)
      throw tooMany(`files of at most ${ARCHIVE_LIMITS.fileBytes} bytes, met ${JSON.stringify(logical)}`);
    return new Uint8Array(await handle.readFile());
  } finally {
    await handle.close();
  }
}

function tooMany(expected: string): FlowError {
  return new FlowError("PACKAGE_LIMIT_EXCEEDED", `expected ${expected}`);
}
