import { afterEach, expect, it } from "vitest";
import { bindWorker } from "../../src/bindings/worker.ts";
import { createHost, type Host } from "../../src/host/host.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { ACT, contractTools } from "../contract/tools.ts";
import { contractOf } from "../contract/ways.ts";

const open = () => new Worker(new URL("./contract-worker.ts", import.meta.url), { type: "module" });

contractOf({ name: "module Worker of a page", make: () => bindWorker(open, { graceMs: 2_000 }) });

const hosts: Host[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host[Symbol.asyncDispose]()));
});

async function outcomes(orders: readonly string[], makeWorker: () => Worker = open): Promise<{ all: Outcome[]; log: string[] }> {
  const tools = await contractTools([ACT]);
  const log: string[] = [];
  const host = createHost({ bindings: { [ACT]: bindWorker(makeWorker) }, log: (line) => log.push(line) });
  hosts.push(host);
  const all: Outcome[] = [];
  const { result } = await host.start({
    program: {
      tools,
      async run(run) {
        for (const order of orders) all.push(await run.call(ACT, { order, posting: { account: 1n, amount: Decimal.from("1") } }));
      },
    },
  });
  await result;
  return { all, log };
}

it("row 7: a Worker that closes itself during a call is noticed, and started again for the next", async () => {
  const { all } = await outcomes(["ok", "close", "ok"]);
  expect(all).toMatchObject([{ tag: "Ok" }, { tag: "Unknown" }, { tag: "Ok" }]);
});

it("an error in a Worker that nobody caught ends none of its calls", async () => {
  const { all } = await outcomes(["error aside", "ok"]);
  expect(all).toMatchObject([{ tag: "Ok" }, { tag: "Ok" }]);
});

it("row 2: a Worker whose script is not there refuses the run", async () => {
  const missing = () => new Worker(new URL("./no-such-script.js", location.href), { type: "module" });
  await expect(outcomes(["ok"], missing)).rejects.toMatchObject({ errors: [{ code: "start" }] });
});
