/** A module Worker of the contract test. */
import { serveWorker } from "../../src/toolkit/serve/worker.ts";
import { contractTools } from "../contract/tools.ts";
import { handMade } from "../contract/toolset.ts";

const toolset = handMade(await contractTools());
serveWorker({
  describe: (data) => toolset.describe(data),
  answer(call, signal) {
    const { order } = JSON.parse(call.args) as { order?: string };
    if (order === "close") {
      close();
      return new Promise(() => {});
    }
    if (order === "error aside") setTimeout(() => Promise.reject(new Error("nobody caught it")));
    if (order === "error aside") return toolset.answer({ ...call, args: call.args.replace("error aside", "ok") }, signal);
    return toolset.answer(call, signal);
  },
});
