/** The executable `flow-host`. */
import { createInterface } from "node:readline/promises";
import { buffer } from "node:stream/consumers";
import type { Io } from "./command.ts";
import { main } from "./main.ts";

const io: Io = {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  readInput: () => buffer(process.stdin),
  progress: (text) => {
    if (process.stderr.isTTY === true) process.stderr.write(`\r\u001b[K${text}`);
  },
  ask: process.stdin.isTTY === true && process.stderr.isTTY === true ? ask : undefined,
};

async function ask(question: string): Promise<boolean> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await line.question(`${question} [y/N] `)).trim());
  } finally {
    line.close();
  }
}

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

main(process.argv.slice(2), io).then((status) => {
  process.exitCode = status;
});
