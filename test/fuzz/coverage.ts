/** What of a script's code was reached, by the engine's own precise coverage: the blocks of every function, and how often each ran. */
import { type Profiler, Session } from "node:inspector";
import type { Reach } from "./driver.ts";

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Watches one script of this thread, whose URL it is given. */
export class Coverage implements Reach {
  private readonly session = new Session();
  private readonly url: string;
  /** For each function that was ever called, the blocks of it that never ran. */
  private readonly missed = new Map<string, readonly Interval[]>();

  constructor(url: string) {
    this.url = url;
    this.session.connect();
    this.session.post("Profiler.enable");
    this.session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  take(remembers: boolean): { isNew: boolean; work: number } {
    let isNew = false;
    let work = 0;
    // Answered before `post` returns: the session is this thread's own.
    this.session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error !== null) throw error;
      for (const { url, functions } of taken.result) {
        if (url !== this.url) continue;
        for (const { ranges } of functions) {
          for (const { count } of ranges) work += count;
          if (this.reaches(ranges, remembers)) isNew = true;
        }
      }
    });
    return { isNew, work };
  }

  stop(): void {
    this.session.disconnect();
  }

  private reaches(ranges: readonly Profiler.CoverageRange[], remembers: boolean): boolean {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return false;
    const key = `${whole.startOffset}-${whole.endOffset}`;
    const now = ranges.filter(({ count }) => count === 0).map(({ startOffset, endOffset }) => ({ start: startOffset, end: endOffset }));
    const before = this.missed.get(key);
    if (before === undefined) {
      if (remembers) this.missed.set(key, now);
      return true;
    }
    if (before.length === 0) return false;
    const both = intersection(before, now);
    if (size(both) === size(before)) return false;
    if (remembers) this.missed.set(key, both);
    return true;
  }
}

/** What lies in both; the intervals of each are in order. One inside of another counts once. */
export function intersection(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const both: Interval[] = [];
  let at = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const x = a[i] as Interval;
    const y = b[j] as Interval;
    const start = Math.max(x.start, y.start, at);
    const end = Math.min(x.end, y.end);
    if (start < end) {
      both.push({ start, end });
      at = end;
    }
    if (x.end < y.end) i++;
    else j++;
  }
  return both;
}

function size(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, { start, end }) => sum + end - start, 0);
}
