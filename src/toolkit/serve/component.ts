/** Serving a toolset as a WebAssembly component: the exports of the WIT world, for JavaScript that is made a component. */
import { FlowError } from "../../json/errors.ts";
import { parseJson } from "../../json/read.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/value.ts";
import { readOutcomeText } from "../../protocol/messages.ts";
import { type Reply, reasonOf } from "../../protocol/outcome.ts";
import type { Toolset } from "../../protocol/toolset.ts";
import { signatureText } from "../../signature/signature.ts";

/** Schemas nest deeper than values. */
const DEEP = { depth: 1_000 };

/** `call` of the interface `flow:tool/tool`. */
export interface ComponentCall {
  /** The run's id. */
  readonly run: string;
  /** The call's id. */
  readonly call: string;
  /** The identity of the declaration. */
  readonly tool: string;
  /** JSON text of the arguments by parameter name. */
  readonly args: string;
  /** None is `undefined` in some engines and `null` in others. */
  readonly schema?: string | null | undefined;
  /** See `schema`. */
  readonly types?: string | null | undefined;
}

/** `outcome` of the interface. */
export interface ComponentOutcome {
  /** Which outcome it is. */
  readonly tag: "ok" | "failed" | "not-run" | "unknown";
  /** JSON text of the value or the error; a reason for people otherwise. */
  readonly val: string;
}

/** What a component exports under the name `tool`. */
export interface ComponentTool {
  /** What is served, given the host's data version. */
  describe(data: string): {
    readonly data: string;
    readonly served: readonly { readonly tool: string; readonly fingerprint: string; readonly signature: string }[];
  };
  /** Answers a call, at once. Does not throw. */
  answer(call: ComponentCall): ComponentOutcome;
}

/**
 * Serves a toolset that `implement` made: `export const tool = serveComponent(toolset)`. Inside of a component nothing can be
 * waited for, so methods return their result and no promise of it; one that does is Unknown.
 * @throws FlowError `usage` for a toolset that cannot answer at once
 */
export function serveComponent(toolset: Toolset): ComponentTool {
  if (toolset.describeNow === undefined || toolset.answerNow === undefined) {
    throw new FlowError("usage", "expected a toolset that answers at once, as `implement` makes one");
  }
  const describeNow = toolset.describeNow.bind(toolset);
  const answerNow = toolset.answerNow.bind(toolset);
  return {
    describe() {
      const { data, tools } = parseJson(describeNow(), DEEP) as JsonObject;
      const served = (tools as readonly JsonValue[]).filter(isJsonObject).map(({ tool, fingerprint, signature }) => ({
        tool: tool as string,
        fingerprint: fingerprint as string,
        signature: signatureText(signature as JsonValue),
      }));
      return { data: data as string, served };
    },
    answer({ run, call, tool, args, schema, types }) {
      const views = { ...(typeof schema === "string" ? { schema } : {}), ...(typeof types === "string" ? { types } : {}) };
      try {
        return outcomeOf(readOutcomeText(answerNow({ run, call, tool, args, ...views })));
      } catch (caught) {
        return { tag: "unknown", val: reasonOf(caught) };
      }
    },
  };
}

function outcomeOf(reply: Reply): ComponentOutcome {
  switch (reply.tag) {
    case "Ok":
    case "Failed":
      // What was just written, as the text it is.
      return { tag: reply.tag === "Ok" ? "ok" : "failed", val: (reply as { readonly text: string }).text };
    case "NotRun":
      return { tag: "not-run", val: reply.reason };
    default:
      return { tag: "unknown", val: reply.reason };
  }
}
