/** What can be said of a child process that is a Tool. */
import type { Limits } from "../json/limits.ts";

/** How a process is bound. */
export interface ProcessOptions {
  /** The process's environment; that of this process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What one message may hold (R13); only `bytes` counts here, the rest is the host's. */
  readonly limits?: Partial<Limits>;
  /** How many calls may be out at once; unlimited by default. */
  readonly concurrency?: number;
  /** Milliseconds to start and describe itself (R39); 10,000 by default. */
  readonly startMs?: number;
  /** Milliseconds between the end of its input, SIGTERM and SIGKILL when it is closed; 2,000 by default. */
  readonly closeMs?: number;
  /** What it is called in a transcript; `process` and the command by default. */
  readonly title?: string;
}
