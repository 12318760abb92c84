/**
 * A soak of the host: `npm run soak -- [CALLS [OUTSTANDING]]`, 200,000 calls with 1,000 outstanding where nothing is named.
 *
 * A program keeps many calls out at once, to a function and to a child process that both misbehave in every way there
 * is: they fail, throw, answer what is no value, answer late or never, and the process dies in the middle. At the end
 * every call has exactly one outcome, the outcome is one that its fault allows, the history on disk holds each call and
 * each outcome once, and memory has not grown with the number of calls.
 */
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bindFunction, createHost, parseJson, readTools, readTypeSpec, toolsText } from "../../dist/flow-host.js";
import { bindProcess, FileStore } from "../../dist/node.js";
import { faultOf } from "./faults.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

export const NEAR = "near.flow.echo";
export const FAR = "far.flow.echo";

/** Bytes by which the heap may be larger after the last call than after the first tenth: what a few hundred open calls hold. */
const HEAP_SLACK = 24 * 1_048_576;

/** Which outcomes each fault allows. What dies with the process may have happened; what is sent to it again may not. */
const ALLOWED = {
  none: ["Ok"],
  failed: ["Failed"],
  throws: ["Unknown"],
  "not-run": ["NotRun"],
  wrong: ["BadReply"],
  twice: ["Ok"],
  // A reply that a busy machine delivers before it comes to the timer of the grace time is in time (R29).
  late: ["Unknown", "Ok"],
  never: ["Unknown"],
  dies: ["Unknown"],
};

/** The Tools of the soak, described as a `tools` output would. */
export async function soakTools() {
  const spec = readTypeSpec(parseJson('{"generic":[],"params":[{"name":"n","type":"Int"}],"ok":"Int","err":"Text","declarations":{}}'));
  return readTools(await toolsText([FAR, NEAR].map((tool) => ({ tool, doc: null, spec }))));
}

/**
 * Runs the soak.
 * @returns {Promise<{ calls: number, outcomes: Record<string, number>, dropped: number, restarts: number, grown: number, seconds: number }>}
 * @throws Error where a call was lost, ended twice, or ended untruly, or memory grew
 */
export async function soak({ calls, outstanding, log = () => {} }) {
  const folder = await mkdtemp(join(tmpdir(), "flow-host-soak-"));
  const child = fileURLToPath(new URL("./child.mjs", import.meta.url));
  const tools = await soakTools();
  const near = tools.tools.find(({ tool }) => tool === NEAR);
  const far = bindProcess([process.execPath, child], folder, { title: "far" });
  const counts = { dropped: 0, restarts: 0 };
  const host = createHost({
    bindings: { [NEAR]: bindFunction(near, misbehave), [FAR]: far },
    graceMs: 50,
    onDrop: () => counts.dropped++,
    onRestart: () => counts.restarts++,
  });
  const started = performance.now();
  const outcomes = {};
  let heap = 0;
  try {
    const path = join(folder, "history");
    const program = {
      tools,
      async run(run) {
        let next = 0;
        let settled = 0;
        const worker = async () => {
          while (next < calls) {
            const n = next++;
            const tool = n % 2 === 0 ? NEAR : FAR;
            const fault = faultOf(n);
            const slow = fault === "late" || fault === "never";
            const outcome = await run.call(tool, { n: BigInt(n) }, slow ? { timeoutMs: 20 } : {});
            requireTrue(n, tool, fault, outcome);
            outcomes[outcome.tag] = (outcomes[outcome.tag] ?? 0) + 1;
            if (++settled === Math.floor(calls / 10)) heap = heapUsed();
            if (settled % 20_000 === 0) log(`${settled} calls settled, ${Math.round((performance.now() - started) / 1000)} s`);
          }
        };
        await Promise.all(Array.from({ length: outstanding }, worker));
        return settled;
      },
    };
    const { result } = await host.start({ program, history: new FileStore(path) });
    const settled = await result;
    if (settled !== calls) throw new Error(`${calls} calls were made, ${settled} settled`);
    const grown = heapUsed() - heap;
    if (grown > HEAP_SLACK) throw new Error(`the heap grew by ${grown} bytes`);
    await requireWholeHistory(path, calls);
    return { calls, outcomes, ...counts, grown, seconds: (performance.now() - started) / 1000 };
  } finally {
    await host[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
}

/** The function's own misbehaviour, by the number it is called with. */
function misbehave({ n }, { signal }) {
  switch (faultOf(Number(n))) {
    case "failed":
      return { tag: "Failed", value: "no" };
    case "throws":
    case "dies":
      throw new Error("broke");
    case "not-run":
      return { tag: "NotRun", value: "shut" };
    case "wrong":
      return { tag: "Ok", value: "no number" };
    case "late":
      return new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 100, { tag: "Ok", value: n })));
    case "never":
      return new Promise(() => {});
    default:
      return { tag: "Ok", value: n };
  }
}

function requireTrue(n, tool, fault, outcome) {
  const { tag, value } = outcome;
  if (tag === "Ok" && value !== BigInt(n)) throw new Error(`call ${n} was answered with ${value}`);
  if (ALLOWED[fault].includes(tag)) return;
  // A call to the process that dies takes those with it that were out with it, and those that it was started for again.
  if (tool === FAR && (tag === "Unknown" || tag === "NotRun")) return;
  throw new Error(`call ${n} to ${tool}, fault ${fault}, ended as ${tag}: ${String(value)}`);
}

/** Each call once, each outcome once and behind its call, and an end. */
async function requireWholeHistory(path, calls) {
  const made = new Uint8Array(calls + 1);
  let last = "";
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    last = line;
    lines++;
    const { call, outcome } = JSON.parse(line);
    const id = Number((call ?? outcome)?.call ?? 0);
    if (id === 0) continue;
    if (made[id] !== (call === undefined ? 1 : 0)) throw new Error(`line ${lines} of the history comes in the wrong place: ${line}`);
    made[id]++;
  }
  if (lines !== 2 * calls + 2) throw new Error(`the history has ${lines} lines, not ${2 * calls + 2}`);
  if (last !== '{"end":{"problem":null}}') throw new Error(`the history ends with ${last}`);
  if (made.subarray(1).some((times) => times !== 2)) throw new Error("the history lacks a call or an outcome");
}

function heapUsed() {
  collect();
  return process.memoryUsage().heapUsed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [calls = 200_000, outstanding = 1_000] = process.argv.slice(2).map(Number);
  const report = await soak({ calls, outstanding, log: console.log });
  console.log(JSON.stringify(report));
  console.log(
    `nothing lost: ${report.calls} calls, ${Object.entries(report.outcomes)
      .map(([tag, count]) => `${count} ${tag}`)
      .join(", ")}`,
  );
}
