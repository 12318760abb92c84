/** What the tests of faults share: a child process that breaks as told, and a host in front of it. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DropEvent, RestartEvent } from "../../src/host/hooks.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import type { CallOptions, Run } from "../../src/host/run.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { ProcessOptions } from "../../src/node/options.ts";
import { bindProcess } from "../../src/node/process.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { ACT, contractTools } from "../contract/tools.ts";
import { handMade } from "../contract/toolset.ts";

const SCRIPT = fileURLToPath(new URL("./faulty.mjs", import.meta.url));
/** Long enough for a reply on a busy machine where one is meant to come in time; nothing waits for all of it otherwise. */
const GRACE_MS = 150;

export interface Faulty {
  readonly host: Host;
  readonly directory: string;
  readonly drops: readonly DropEvent[];
  readonly restarts: readonly RestartEvent[];
  readonly log: readonly string[];
  /** Runs a program that makes calls by their orders. */
  run<T>(
    work: (call: (order: string, options?: CallOptions & { readonly note?: string }) => Promise<Outcome>, run: Run) => Promise<T>,
  ): Promise<T>;
  /** One run of one call. */
  call(order: string, options?: CallOptions): Promise<Outcome>;
  /** The process ids of those that were started. */
  pids(): readonly number[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param starts What the first process does when it starts, the second, and so on; all are well by default. */
export async function faulty(
  starts: readonly string[] = ["well"],
  options: ProcessOptions = {},
  graceMs: number = GRACE_MS,
): Promise<Faulty> {
  const directory = await mkdtemp(join(tmpdir(), "flow-host-faults-"));
  const tools = await contractTools([ACT]);
  await writeFile(join(directory, "describe.json"), await handMade(tools).describe("0.1"));
  const binding = bindProcess([process.execPath, SCRIPT, directory, ...starts], directory, { closeMs: 500, ...options });
  const drops: DropEvent[] = [];
  const restarts: RestartEvent[] = [];
  const log: string[] = [];
  const host = createHost({
    bindings: { [ACT]: binding },
    graceMs,
    onDrop: (event) => drops.push(event),
    onRestart: (event) => restarts.push(event),
    log: (line) => log.push(line),
  });
  const run: Faulty["run"] = async (work) => {
    const { result } = await host.start({
      program: {
        tools,
        run: (run) =>
          work(
            (order, { note, ...rest } = {}) =>
              run.call(ACT, { order, posting: { account: 1n, amount: Decimal.from("2"), ...(note === undefined ? {} : { note }) } }, rest),
            run,
          ),
      },
    });
    return (await result) as Awaited<ReturnType<typeof work>>;
  };
  return {
    host,
    directory,
    drops,
    restarts,
    log,
    run,
    call: (order, options) => run((call) => call(order, options)),
    pids() {
      const pids: number[] = [];
      for (let i = 1; existsSync(join(directory, `started-${i}`)); i++)
        pids.push(Number(readFileSync(join(directory, `started-${i}`), "utf8")));
      return pids;
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended stays until its parent has looked at it, which init does in its own time.
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until something holds. The test's own time limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function trace(directory: string): Promise<string> {
  return readFile(join(directory, "trace"), "utf8").catch(() => "");
}
