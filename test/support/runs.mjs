/**
 * fast-check with another number of runs, in its place where a round asks for it: `FLOW_HOST_RUNS` is the most runs of a
 * property (`300`), from a fixed seed, or how many times as many as it asks for (`x10`), from another seed each time.
 */
import fastCheck from "../../node_modules/fast-check/lib/fast-check.js";

const wanted = process.env.FLOW_HOST_RUNS ?? "x1";
const DEFAULT_RUNS = 100;

function changed(parameters = {}) {
  const runs = parameters.numRuns ?? DEFAULT_RUNS;
  if (wanted.startsWith("x")) return { ...parameters, numRuns: runs * Number(wanted.slice(1)) };
  // One that is killed by luck would survive in the next round.
  return { seed: 1, ...parameters, numRuns: Math.min(runs, Number(wanted)) };
}

export default {
  ...fastCheck,
  assert: (property, parameters) => fastCheck.assert(property, changed(parameters)),
  sample: (arbitrary, parameters) =>
    fastCheck.sample(arbitrary, changed(typeof parameters === "number" ? { numRuns: parameters } : parameters)),
};
