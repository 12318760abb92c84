/** What somebody does with the package once it is installed: each entry that runs everywhere, by its name. */
import {
  type Binding,
  bindFetch,
  bindFunction,
  type Codec,
  codecFor,
  createHost,
  Decimal,
  FlowError,
  fingerprintOf,
  type Outcome,
  type Run,
} from "flow-host";
import { contractDigest } from "flow-host/contracts";
import { readProgram } from "flow-host/declarations";
import { implement, ok, serveFetch, Decimal as ToolkitDecimal } from "flow-host/toolkit";
import { calls, tools } from "./shop.ts";

/** @returns What each came to, as text: some runtimes give it back as such. */
export async function use(): Promise<Record<string, string>> {
  const document = await tools.document();
  const [next] = document.tools;
  if (next === undefined) throw new Error("the generated module lists no Tool");

  const int: Codec<bigint> = codecFor<bigint>("Int");
  const n = int.decode("9007199254740993");
  const outcomeOf = async (binding: Binding): Promise<string> => {
    await using host = createHost({ bindings: { [next.tool]: binding } });
    const program = { tools: document, run: (run: Run) => calls(run).next({ n }) };
    const outcome: Outcome<bigint, string> = await (await host.start({ program })).result;
    return outcome.tag === "Ok" ? int.encode(outcome.value) : outcome.tag;
  };
  const source = "@tool pub flow next(n: Int) -> Result<Int, Text>";
  const { tools: declared } = await readProgram({ repositories: [], local: { files: { "shop.flow": source } } });
  const serve = serveFetch(implement(tools, { next: (args) => ok(args.n + 2n) }));

  return {
    decoded: String(n),
    fingerprint: await fingerprintOf(next.spec),
    declared: declared?.[0]?.fingerprint === next.fingerprint ? "as generated" : "otherwise",
    function: await outcomeOf(bindFunction(next, (args) => ({ tag: "Ok", value: (args["n"] as bigint) + 1n }))),
    served: await outcomeOf(bindFetch((url, init) => serve(new Request(url, init)), "https://shop.example/")),
    contract: await contractDigest({ b: [1, "é"], a: null }),
    decimal: String(Decimal.from("0.1").plus(ToolkitDecimal.from("0.2"))),
    refused: codeOf(() => int.decode("1.5")),
  };
}

function codeOf(act: () => unknown): string {
  try {
    return String(act());
  } catch (error) {
    return error instanceof FlowError ? error.code : String(error);
  }
}
