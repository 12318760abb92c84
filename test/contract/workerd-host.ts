/** An edge worker that hosts a run whose Tools are behind a service binding, and another behind plain fetch. */
import { bindFetch, type Fetcher } from "../../src/bindings/fetch.ts";
import { createHost } from "../../src/host/host.ts";
import { Decimal } from "../../src/json/decimal.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { ACT, contractTools } from "./tools.ts";

export default {
  async fetch(_request: Request, env: { readonly SERVICE: Fetcher }): Promise<Response> {
    const tools = await contractTools([ACT]);
    const host = createHost({ bindings: { [ACT]: bindFetch(env.SERVICE, "http://tools.example/") }, graceMs: 200 });
    const posting = { account: 73786976294838206465n, amount: Decimal.from("0.1"), note: "\u{1f600}" };
    const { result } = await host.start({
      program: {
        tools,
        async run(run) {
          const act = (order: string, timeoutMs?: number) =>
            run.call(ACT, { order, posting }, timeoutMs === undefined ? {} : { timeoutMs });
          const orders = ["ok", "failed", "not run", "throw", "bad value", "two members"];
          const outcomes = await Promise.all([...orders.map((order) => act(order)), act("never", 30)]);
          const [ok] = outcomes as [Outcome];
          return [(ok.value as typeof posting).account === posting.account, ...outcomes.map(({ tag }) => tag)];
        },
      },
    });
    return Response.json(await result);
  },
};
