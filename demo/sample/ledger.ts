/** `ledger.post` as a function: it books a posting and gives it back as it was booked. */
import { type Binding, bindFunction, Decimal, type DeclaredTool, type Outcome, type Template } from "flow-host";

/** As the Tool's author sees it: an Int is a bigint, a Decimal exact, an Option field an optional property. */
interface Posting {
  readonly account: bigint;
  readonly amount: Decimal;
  readonly note?: string;
}

const MOST = Decimal.from("1e60");

export function bindLedger(declared: DeclaredTool): Binding {
  const booked: Posting[] = [];
  const post = (posting: Posting): Outcome => {
    if (posting.amount.abs().compare(MOST) > 0) return { tag: "Failed", value: { tag: "TooLarge", value: { limit: MOST } } };
    booked.push(posting);
    return { tag: "Ok", value: posting };
  };
  return bindFunction(declared, (values) => post(values["posting"] as Posting), { title: "function" });
}

/**
 * The declaration as it was before postings had a note. An implementation made for it does not fit any more: a
 * posting's note would vanish in it.
 */
export function olderLedger(declared: DeclaredTool): DeclaredTool {
  const { spec } = declared;
  const declarations = new Map(
    [...spec.declarations].map(([id, template]): [string, Template] => {
      if (template.kind !== "record") return [id, template];
      return [id, { ...template, fields: template.fields.filter(({ name }) => name !== "note") }];
    }),
  );
  return { tool: declared.tool, spec: { ...spec, declarations } };
}
