/** Cases: inputs that once failed, each in a file of its own, which `npm test` checks again for good. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "./driver.ts";

const DIRECTORY = join(process.cwd(), "test/fuzz/cases");

/** One case. Its input is written with escapes, so that any text can stand in a file. */
export interface Case {
  readonly target: string;
  /** What went wrong when it was found. */
  readonly was: string;
  readonly input: string;
}

export function readCases(directory = DIRECTORY): readonly (Case & { readonly file: string })[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => ({ file, ...(JSON.parse(readFileSync(join(directory, file), "utf8")) as Case) }));
}

/** Keeps a finding. @returns the name of its file */
export function keepCase({ target, message, input }: Finding, directory = DIRECTORY): string {
  const file = `${target}-${createHash("sha256").update(input, "utf16le").digest("hex").slice(0, 8)}.json`;
  const kept: Case = { target, was: message.slice(0, 400), input };
  const text = JSON.stringify(kept, null, 2).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, file), `${text}\n`);
  return file;
}
