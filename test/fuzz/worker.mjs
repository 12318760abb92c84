/** One target, fuzzed in a thread of its own, so that it can be stopped where an input never comes back. */
import { workerData } from "node:worker_threads";

const { bundle, name, seed, runs, until, shared, port } = workerData;
const { Coverage, TARGETS, fuzz } = await import(bundle);

/** The number of the input that is checked, its length, and its units. */
const head = new Int32Array(shared, 0, 2);
const units = new Uint16Array(shared, 8);

const target = TARGETS.find((candidate) => candidate.name === name);
const reach = new Coverage(bundle);
const report = await fuzz(target, {
  seed,
  reach,
  goesOn: (run) => (runs === undefined ? Date.now() < until : run < runs),
  before(input) {
    const length = Math.min(input.length, units.length);
    for (let i = 0; i < length; i++) units[i] = input.charCodeAt(i);
    Atomics.store(head, 1, length);
    Atomics.add(head, 0, 1);
  },
});
reach.stop();
port.postMessage(report);
port.close();
