/** Replaying: the program runs again, answered from its history alone. */
import { FlowError } from "../json/errors.ts";
import type { History } from "./history.ts";
import { launch } from "./launch.ts";
import type { ProgramTool } from "./program.ts";
import type { Run, RunShared } from "./run.ts";
import { LiveSource, NothingBeyond, type OutcomeSource, Playback } from "./source.ts";

/** What a replay found. */
export type ReplayReport<T = unknown> =
  /** The program made the same calls and came to an end. `problem` is what it threw, if it did. */
  | { readonly status: "same"; readonly result?: T; readonly problem?: unknown }
  /** It made another call, other arguments or too few calls; the error tells the first difference, both sides. */
  | { readonly status: "diverged"; readonly divergence: FlowError }
  /** It waits for an outcome that the history does not hold: the run had not ended. */
  | { readonly status: "incomplete" };

interface ReplayParts<T> {
  readonly tools: ReadonlyMap<string, ProgramTool>;
  readonly shared: (source: OutcomeSource) => RunShared;
  readonly program: (run: Run) => T;
}

export async function replayHistory<T>(history: History, parts: ReplayParts<T>): Promise<ReplayReport<Awaited<T>>> {
  let endReached: (report: ReplayReport<Awaited<T>>) => void = () => {};
  const incomplete = new Promise<ReplayReport<Awaited<T>>>((resolve) => {
    endReached = resolve;
  });
  const playback = new Playback(history.entries, new NothingBeyond(() => endReached({ status: "incomplete" })));
  const shared = parts.shared(playback);
  const started = launch({ shared, tools: parts.tools, live: new LiveSource(undefined), log: undefined, playback }, parts.program);
  return Promise.race([incomplete, report(started.result, history)]);
}

async function report<T>(result: Promise<T>, history: History): Promise<ReplayReport<T>> {
  const end = history.entries.find((entry) => entry.kind === "end");
  try {
    const value = await result;
    if (end?.problem) return { status: "diverged", divergence: otherEnd(end.problem, "it returned") };
    return { status: "same", result: value };
  } catch (caught) {
    if (caught instanceof FlowError && caught.code === "divergence") return { status: "diverged", divergence: caught };
    if (end?.problem === null) return { status: "diverged", divergence: otherEnd("it returned", "it threw", caught) };
    return { status: "same", problem: caught };
  }
}

function otherEnd(recorded: string, made: string, cause?: unknown): FlowError {
  return new FlowError("divergence", `the program ended otherwise than in its history: recorded ${recorded}, now ${made}`, { cause });
}
