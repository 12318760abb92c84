import { bindFunction, type CallContext } from "../../src/bindings/function.ts";
import type { Outcome } from "../../src/protocol/outcome.ts";
import { ACT } from "./tools.ts";
import { contractOf } from "./ways.ts";

let release: () => void = () => {};

/** What the hand-made toolset does, with values. */
function act({ order, posting }: Readonly<Record<string, unknown>>, { signal }: CallContext): Outcome | Promise<Outcome> {
  const ok: Outcome = { tag: "Ok", value: posting };
  switch (order) {
    case "ok":
      return ok;
    case "failed":
      return { tag: "Failed", value: "no" };
    case "not run":
      return { tag: "NotRun", value: "not today" };
    case "unknown":
      return { tag: "Unknown", value: "lost sight of it" };
    case "bad value":
      return { tag: "Ok", value: { account: 1.5, amount: 1 } };
    case "bad error":
      return { tag: "Failed", value: 7 };
    case "another member":
      return { tag: "Maybe", value: 1 } as unknown as Outcome;
    case "bad reply":
      return { tag: "BadReply", value: "my own" };
    case "reason no text":
      return { tag: "NotRun", value: 7 } as unknown as Outcome;
    case "throw":
      throw new Error("the code broke off");
    case "until stopped":
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ tag: "Failed", value: "stopped" })));
    case "hold":
      return new Promise((resolve) => {
        release = () => resolve(ok);
      });
    case "release":
      release();
      return ok;
    default:
      return new Promise(() => {});
  }
}

contractOf({
  name: "function",
  hasText: false,
  make: ({ tools }) =>
    new Map(
      tools.map((entry) => [
        entry.tool,
        entry.tool === ACT ? bindFunction(entry, act) : bindFunction(entry, ({ value }) => ({ tag: "Ok", value })),
      ]),
    ),
});
