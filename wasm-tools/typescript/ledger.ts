/** `ledger.post`, as its author writes it: typed by the declaration, exact numbers, and nothing about components. */
import { Decimal, err, implement, ok, serveComponent } from "flow-host/toolkit";
import { tools } from "./generated/ledger.ts";

/** The most that may be posted at once. */
const LIMIT: Decimal = Decimal.from("1e60");

export const tool = serveComponent(
  implement(tools, {
    post({ posting }) {
      return posting.amount.abs().compare(LIMIT) > 0 ? err({ tag: "TooLarge", value: { limit: LIMIT } }) : ok(posting);
    },
  }),
);
