/** From a program's first line to its end: what it left open is closed, and its history is ended. */
import { FlowError } from "../json/errors.ts";
import { reasonOf } from "../protocol/outcome.ts";
import type { ProgramTool } from "./program.ts";
import { Run, type RunShared } from "./run.ts";
import type { LiveSource, Playback } from "./source.ts";
import type { HistoryLog } from "./store.ts";

/** A run that has started. */
export interface StartedRun<T = unknown> {
  /** The run's id. */
  readonly run: Run;
  /**
   * What the program returned, once every call it left open is closed and the history has its end.
   * Rejects with what the program threw, or with the FlowError that stopped the run.
   */
  readonly result: Promise<T>;
}

export interface Launch {
  readonly shared: RunShared;
  readonly tools: ReadonlyMap<string, ProgramTool>;
  /** Records the end. */
  readonly live: LiveSource;
  readonly log: HistoryLog | undefined;
  /** What the run's calls are first answered from. */
  readonly playback: Playback | undefined;
}

/** Starts a program whose Tools are bound and whose input is decoded. */
export function launch<T>(launch: Launch, program: (run: Run) => T): StartedRun<Awaited<T>> {
  const run = new Run(launch.shared, launch.tools, "");
  const result = toEnd(launch, () => program(run));
  // Whoever does not look at the result must not have the process ended by its rejection.
  result.catch(() => {});
  return { run, result };
}

async function toEnd<T>({ shared, live, log, playback }: Launch, program: () => T): Promise<Awaited<T>> {
  let problem: string | null = null;
  try {
    const value = await program();
    if (shared.life.stopped !== undefined) throw shared.life.stopped;
    requireAllMade(playback);
    return value;
  } catch (caught) {
    problem = reasonOf(caught);
    throw shared.life.stopped ?? caught;
  } finally {
    const stopped = shared.life.stopped;
    shared.life.stopped ??= new FlowError("ended", "the run has ended and takes no more calls");
    await closeOpen(shared, shared.life.stopped);
    for (const { binding } of shared.dispatchers?.values() ?? []) binding.finished?.(shared.id);
    try {
      // A run that a fault of its own history stopped has nothing more to write in it.
      if (stopped === undefined) await live.append({ kind: "end", problem });
    } finally {
      await log?.close();
    }
  }
}

/** @throws FlowError `divergence` where the program ended before it made every call of its history again */
function requireAllMade(playback: Playback | undefined): void {
  const unmade = playback?.unmade;
  if (unmade === undefined) return;
  const { call, tool } = unmade;
  throw new FlowError("divergence", `the program ended without call ${call} to ${tool}, which the history holds`, { tool });
}

/**
 * What a program left open when it ended is cancelled and awaited, until its outcome is recorded; each call closes by
 * itself within the grace time. What still waits for a history that will not come to it ends with the run.
 */
async function closeOpen(shared: RunShared, why: FlowError): Promise<void> {
  shared.source.abort(why);
  for (const call of shared.open) call.cancel("the run ended");
  await Promise.allSettled(shared.pending);
}
