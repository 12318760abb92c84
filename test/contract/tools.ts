/** The declarations of the contract test. */
import type { JsonObject } from "../../src/json/value.ts";
import { readTools, type ToolsDocument, writeTools } from "../../src/signature/tools.ts";
import { readTypeSpec } from "../../src/types/spec.ts";

export const ACT = "probe.flow.act";
export const SAME = "probe.flow.same";

const POSTING = {
  name: "Posting",
  identity: "probe.flow.Posting",
  lexical_ordinal: 1n,
  generic: [],
  opaque: false,
  kind: "record",
  doc: null,
  fields: [
    { name: "account", type: "Int", doc: null },
    { name: "amount", type: "Decimal", doc: null },
    { name: "note", type: { Option: "Text" }, doc: null },
  ],
};

const posting = { Named: { declaration: "t1", args: [] } };

const ACT_SPEC = {
  generic: [],
  params: [
    { name: "order", type: "Text" },
    { name: "posting", type: posting },
  ],
  ok: posting,
  err: "Text",
  declarations: { t1: POSTING },
};

const T = { Param: { owner: "tool", index: 0n } };
const SAME_SPEC = { generic: ["T"], params: [{ name: "value", type: T }], ok: T, err: "Text", declarations: {} };

/** `act` does what it is told with a posting, and `same` gives any value back. */
export async function contractTools(which: readonly string[] = [ACT, SAME]): Promise<ToolsDocument> {
  const specs: Readonly<Record<string, unknown>> = { [ACT]: ACT_SPEC, [SAME]: SAME_SPEC };
  const sources = which.map((tool) => ({ tool, doc: null, spec: readTypeSpec(specs[tool] as JsonObject) }));
  return readTools(await writeTools(sources));
}

/** What is given to `act` beside the order: numbers that binary floating point would bend. */
export const POSTED = '{"account":73786976294838206465,"amount":123456789012345.678901234567891,"note":"\u00e9\u{1f600}\\n"}';
