/** Serving a toolset over the standard streams of this process, to which its author's code may go on printing. */
import { Console } from "node:console";
import type { Toolset } from "../protocol/toolset.ts";
import { type NodeSink, type ServeLinesOptions, serveLines } from "../toolkit/serve/lines.ts";

/**
 * Serves a toolset over standard input and output until the host closes the input, one message a line: the other end
 * of `bindProcess`. Standard output belongs to the protocol from then on. Whatever else is printed to it, by
 * `console.log` or `process.stdout.write`, goes to standard error, which is the host's log (R28).
 */
export async function serveProcess(toolset: Toolset, options: ServeLinesOptions = {}): Promise<void> {
  await serveLines(toolset, process.stdin, claimOutput(), options);
}

/** Standard output, for nobody else from now on. */
function claimOutput(): NodeSink {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // What was printed before may have left a line open, in which the first message would be lost. Node counts what was written.
  if (((stdout as { bytesWritten?: number }).bytesWritten ?? 0) > 0) write("\n");
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // Deno's and Bun's consoles print past `process.stdout`.
  if ("deno" in process.versions || "bun" in process.versions) redirectConsole();
  return { write: (chunk, done) => write(chunk, done), on: (event, listener) => stdout.on(event, listener) };
}

const PRINTING = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "groupEnd",
  "count",
  "timeEnd",
  "timeLog",
] as const;

function redirectConsole(): void {
  const other = new Console(process.stderr, process.stderr);
  for (const name of PRINTING) (console as unknown as Record<string, unknown>)[name] = other[name].bind(other);
}
