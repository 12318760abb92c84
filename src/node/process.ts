/** A child process that speaks the protocol, one message a line (*The Tool process protocol*). */
import { resolveLimits } from "../json/limits.ts";
import type { Binding } from "../protocol/binding.ts";
import { RestartingBinding } from "../protocol/restarting.ts";
import type { OpenChannel } from "../protocol/session.ts";
import { openChild } from "./child.ts";
import type { ProcessOptions } from "./options.ts";
import { splitWords } from "./words.ts";

/**
 * The way to a command over lines, for whoever speaks another protocol than that of Tools (`connectChannel` of
 * `flow-host/contracts`): it is started each time the way is opened.
 * @param command A line that is split into words as a POSIX shell splits it (R31), or the words themselves.
 * @param cwd The directory it is started in.
 * @throws FlowError `command` for a line that cannot be split, `usage` for limits that are none
 */
export function openProcess(
  command: string | readonly string[],
  cwd: string,
  options: Pick<ProcessOptions, "env" | "limits" | "closeMs"> = {},
): OpenChannel {
  const words = typeof command === "string" ? splitWords(command) : command;
  const { env, closeMs = 2_000 } = options;
  const limit = resolveLimits(options.limits).bytes;
  return (inlet) => openChild({ words, cwd, env, limit, closeMs }, inlet);
}

/**
 * Binds a command. It is started when it is first described, and again for the next call after it has ended.
 * @param command A line that is split into words as a POSIX shell splits it (R31), or the words themselves.
 * @param cwd The directory it is started in.
 * @throws FlowError `command` for a line that cannot be split, `usage` for limits that are none
 */
export function bindProcess(command: string | readonly string[], cwd: string, options: ProcessOptions = {}): Binding {
  const { concurrency, startMs = 10_000 } = options;
  const title = options.title ?? `process ${typeof command === "string" ? command : command.join(" ")}`;
  return new RestartingBinding({ title, open: openProcess(command, cwd, options), startMs, concurrency });
}
