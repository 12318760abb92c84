/** A child process that speaks the protocol, one message a line (*The Tool process protocol*). */
import { resolveLimits } from "../json/limits.ts";
import type { Binding, CallIds } from "../protocol/binding.ts";
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
 * Binds a command. It is started when it is first described, and again for the next call after it has ended. With a
 * `concurrency` of 1 it is ended with a call that was cancelled and goes on past the grace time.
 * @param command A line that is split into words as a POSIX shell splits it (R31), or the words themselves.
 * @param cwd The directory it is started in.
 * @throws FlowError `command` for a line that cannot be split, `usage` for limits that are none
 */
export function bindProcess(command: string | readonly string[], cwd: string, options: ProcessOptions = {}): Binding {
  const { concurrency, startMs = 10_000 } = options;
  const title = options.title ?? `process ${typeof command === "string" ? command : command.join(" ")}`;
  return new ProcessBinding({ title, open: openProcess(command, cwd, options), startMs, concurrency });
}

class ProcessBinding extends RestartingBinding {
  /**
   * A process that takes one call at a time has no others that could suffer (R41): it is ended with a call that nobody waits
   * for any longer, which is the only way to end one that loops.
   */
  override abandon(ids: CallIds): void {
    const isSent = this.calls.get(ids)?.owner !== undefined;
    super.abandon(ids);
    if (isSent && this.concurrency === 1) this.live?.fail("a call was cancelled and did not end within the grace time");
  }
}
