/** A child process that speaks the protocol, one message a line (*The Tool process protocol*). */
import { resolveLimits } from "../json/limits.ts";
import type { Binding } from "../protocol/binding.ts";
import { RestartingBinding } from "../protocol/restarting.ts";
import { openChild } from "./child.ts";
import type { ProcessOptions } from "./options.ts";
import { splitWords } from "./words.ts";

/**
 * Binds a command. It is started when it is first described, and again for the next call after it has ended.
 * @param command A line that is split into words as a POSIX shell splits it (R31), or the words themselves.
 * @param cwd The directory it is started in.
 * @throws FlowError `command` for a line that cannot be split, `usage` for limits that are none
 */
export function bindProcess(command: string | readonly string[], cwd: string, options: ProcessOptions = {}): Binding {
  const words = typeof command === "string" ? splitWords(command) : command;
  const { env, concurrency, startMs = 10_000, closeMs = 2_000 } = options;
  const limit = resolveLimits(options.limits).bytes;
  const title = options.title ?? `process ${typeof command === "string" ? command : command.join(" ")}`;
  return new RestartingBinding({
    title,
    open: (inlet) => openChild({ words, cwd, env, limit, closeMs }, inlet),
    startMs,
    concurrency,
  });
}
