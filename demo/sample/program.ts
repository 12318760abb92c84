/** The sample program: one call for each way in which a call can end. */
import { Decimal, type Program, type Run, type ToolsDocument } from "flow-host";

const READ = "github.com/acme/docs@1.0.0/catalog.flow.read";
const FIND = "github.com/acme/docs@1.0.0/search.flow.find";
export const POST = "ledger.flow.post";

/** A number past 2^64 and one of 30 digits, which binary floating point would both bend. */
export const ACCOUNT = 73786976294838206465n;
export const AMOUNT = Decimal.from("123456789012345.678901234567891");

export function sampleProgram(tools: ToolsDocument): Program {
  return {
    tools,
    input: [{ name: "query", type: "Text" }],
    async run(run, input) {
      const found = await run.call(FIND, { query: input["query"] });
      const documents = found.tag === "Ok" ? (found.value as readonly { readonly id: string }[]) : [];
      await run.call(FIND, { query: "" });
      await run.call(FIND, { query: "a query that is longer than this Tool takes; ".repeat(8) });
      await run.call(READ, { id: documents[0]?.id ?? "tool" });
      await run.call(READ, { id: "no such document" });
      await run.call(READ, { id: "damaged" });
      await run.call(READ, { id: "withdrawn" });
      return post(run);
    },
  };
}

/** A program of one posting, for the run that is refused. */
export function ledgerProgram(tools: ToolsDocument): Program {
  return { tools: { ...tools, tools: tools.tools.filter(({ tool }) => tool === POST) }, run: post };
}

/** Posts and says whether the ledger's numbers came back as they went out. */
async function post(run: Run): Promise<string> {
  const outcome = await run.call(POST, { posting: { account: ACCOUNT, amount: AMOUNT, note: "as exact as it went" } });
  if (outcome.tag !== "Ok") return `the posting was not booked: ${outcome.tag}`;
  const back = outcome.value as { account: bigint; amount: Decimal };
  return back.account === ACCOUNT && back.amount.equals(AMOUNT)
    ? "the ledger's numbers came back unchanged"
    : "the ledger's numbers changed";
}
