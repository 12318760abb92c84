/**
 * Measuring, and the interface of a suite.
 *
 * A suite is a file `test/bench/NAME.bench.mjs` whose default export is
 *
 *     {
 *       title: "Reading typed values",
 *       about: "what one line of the table is, in a sentence or two",
 *       clock: "processor",                  // for work that waits for nobody: what else runs on the machine then counts for little
 *       async *groups({ flow, kinds, sizes }) {
 *         yield {
 *           title: "records 160 KB",
 *           bytes: 160_000,                  // what one run works through, for MB/s; left out where there is no such thing
 *           rows: [
 *             { name: "JSON.parse alone", run: () => … },          // measured by time; may return a promise
 *             { name: "flow-host", run: () => …, note: "exact", per: 1 },   // what the time is divided by, where rows do unequal work
 *           ],
 *         };
 *         yield { title: "bytes per value", rows: [{ name: "Decimal", amount: () => 24, unit: "bytes" }] };  // measured by the row itself
 *       },
 *     }
 *
 * `flow` is the built library, `kinds` and `sizes` what the command line asks for (of `documents.mjs`). Groups are
 * made one at a time, so that a document is garbage before the next one is made. The first row of a group is the one
 * that all ratios refer to.
 *
 * Rows are run in turn, a short sample each, for a number of rounds, each round starting with another row: what slows
 * the machine down slows all rows. A row's time is the median of its samples and its ratio the median of the ratios
 * within each round. Only ratios are worth comparing across machines.
 */
import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// The optimizing compiler in a thread of its own gets its turn late on a busy machine; what is measured is what it makes.
setFlagsFromString("--no-concurrent-recompilation");
setFlagsFromString("--expose-gc");
/** A full collection; without it, one row pays for another's garbage. */
export const collect = runInNewContext("gc");

/** How long one sample lasts, and how many there are of each row. */
export const EFFORT = Object.freeze({
  quick: { warmUp: 150, milliseconds: 10, rounds: 7 },
  normal: { warmUp: 400, milliseconds: 25, rounds: 15 },
});

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The last result of each row. Nothing that was computed may be optimized away; and an engine forgets what it has
 * learned about objects when a collection finds that none of them is left, which in a program that works is seldom so.
 */
const kept = new Map();

/** The time this process has worked, collecting garbage included, in milliseconds. */
function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function sample(row, iterations, now) {
  const start = now();
  let result;
  for (let i = 0; i < iterations; i++) {
    result = row.run();
    if (result instanceof Promise) result = await result;
  }
  const elapsed = now() - start;
  kept.set(row, result);
  return elapsed / iterations;
}

/**
 * Measures the rows of one group.
 * @returns {Promise<{ name: string, note?: string, amount: number, unit: string, ratio: number }[]>} amounts in milliseconds, or in the row's own unit
 */
export async function measureGroup(group, { warmUp, milliseconds, rounds }, clock = "wall") {
  const now = clock === "processor" ? worked : () => performance.now();
  const { rows } = group;
  if (rows.every((row) => row.amount !== undefined)) {
    const amounts = [];
    for (const row of rows) amounts.push(await row.amount());
    return rows.map(({ name, note, unit }, i) => ({ name, note, unit, amount: amounts[i], ratio: amounts[i] / amounts[0] }));
  }
  const once = [];
  const iterations = [];
  for (const row of rows) {
    // The first runs compile the code.
    let each = await sample(row, 1, now);
    for (let spent = each; spent < warmUp; ) {
      const count = Math.max(1, Math.floor(milliseconds / 2 / Math.max(each, 1e-4)));
      each = await sample(row, count, now);
      spent += each * count;
    }
    once.push(each);
    iterations.push(Math.max(1, Math.round(milliseconds / each)));
  }
  collect();
  // What takes seconds is measured less often; it scatters less as well.
  const slow = rows.reduce((sum, _, i) => sum + once[i] * iterations[i], 0) > 1_000;
  const times = rows.map(() => []);
  for (let round = 0; round < (slow ? Math.min(5, rounds) : rounds); round++) {
    for (let turn = 0; turn < rows.length; turn++) {
      const i = (round + turn) % rows.length;
      times[i].push((await sample(rows[i], iterations[i], now)) / (rows[i].per ?? 1));
    }
  }
  kept.clear();
  return rows.map(({ name, note }, i) => ({
    name,
    note,
    unit: "ms",
    amount: median(times[i]),
    ratio: median(times[i].map((time, round) => time / times[0][round])),
  }));
}
