/** A command line in a test: what it was given, what it printed. */
import type { Io } from "../../src/cli/command.ts";
import { main } from "../../src/cli/main.ts";

export interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface World {
  readonly cwd?: string;
  readonly input?: string;
  readonly ask?: Io["ask"];
}

/** Runs `flow-host` with some words, in this process. */
export async function flowHost(words: readonly string[], { cwd = process.cwd(), input = "", ask }: World = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const status = await main(words, {
    cwd,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    readInput: async () => new TextEncoder().encode(input),
    progress: () => {},
    ask,
  });
  return { status, out, err };
}
