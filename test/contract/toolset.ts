/** A toolset made by hand that does what it is told, for every way of serving one. */
import { parseJson } from "../../src/json/read.ts";
import { type JsonObject, jsonObject } from "../../src/json/value.ts";
import { canonicalText } from "../../src/json/write.ts";
import type { ServedCall, Toolset } from "../../src/protocol/toolset.ts";
import type { ToolsDocument } from "../../src/signature/tools.ts";

/** Text of the outcome of an order that says at once how a call ends. */
const AT_ONCE: Readonly<Record<string, (posting: string) => string>> = {
  ok: (posting) => `{"Ok":${posting}}`,
  "ok with more members": (posting) => `{"Ok":{"more":[null],${posting.slice(1)}}`,
  failed: () => '{"Failed":"no"}',
  "not run": () => '{"NotRun":"not today"}',
  unknown: () => '{"Unknown":"lost sight of it"}',
  "bad value": () => '{"Ok":{"account":1.5,"amount":1}}',
  "bad error": () => '{"Failed":7}',
  "twice the same member": () => '{"Ok":{"account":1,"account":1,"amount":1}}',
  "past the digits": () => '{"Ok":{"account":1e5000,"amount":1}}',
  "no member": () => "{}",
  "two members": () => '{"Ok":1,"Failed":2}',
  "another member": () => '{"Maybe":1}',
  "bad reply": () => '{"BadReply":"my own"}',
  "reason no text": () => '{"NotRun":7}',
};

export const ORDERS_AT_ONCE: readonly string[] = Object.keys(AT_ONCE);

export function handMade(tools: ToolsDocument): Toolset {
  const described = canonicalText(
    jsonObject({ data: "0.1", tools: tools.tools.map(({ tool, fingerprint, signature }) => jsonObject({ tool, fingerprint, signature })) }),
    { depth: 1_000 },
  );
  let release: () => void = () => {};
  return {
    describe: () => described,
    answer: (call, signal) => answer(call, signal),
  };

  function answer({ tool, args }: ServedCall, signal: AbortSignal): string | Promise<string> {
    const members = parseJson(args) as JsonObject;
    if (tool.endsWith(".same")) return `{"Ok":${canonicalText(members["value"] as JsonObject)}}`;
    const order = members["order"] as string;
    const posting = canonicalText(members["posting"] as JsonObject);
    const atOnce = AT_ONCE[order];
    if (atOnce !== undefined) return atOnce(posting);
    switch (order) {
      case "throw":
        throw new Error("the code broke off");
      case "until stopped":
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve('{"Failed":"stopped"}')));
      case "never":
        return new Promise(() => {});
      case "hold":
        return new Promise((resolve) => {
          release = () => resolve(`{"Ok":${posting}}`);
        });
      case "release":
        release();
        return `{"Ok":${posting}}`;
      default:
        return `{"NotRun":"an unknown order"}`;
    }
  }
}
