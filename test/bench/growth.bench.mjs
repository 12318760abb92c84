/** How work grows with size: what is made to cost too much must not cost more for each piece as it gets longer. */
import { SIZES } from "./documents.mjs";

const declarations = {
  Row: {
    name: "Row",
    identity: "bench.flow.Row",
    lexical_ordinal: 1,
    generic: [],
    opaque: false,
    kind: "record",
    doc: null,
    fields: [
      { name: "name", type: "Text", doc: null },
      { name: "rank", type: "Int", doc: null },
    ],
  },
};

const refused = (work) => {
  try {
    work();
  } catch (caught) {
    return caught;
  }
  throw new Error("this should have been refused");
};

export default {
  title: "Growth",
  about:
    "Time for each item at two sizes, ten to one. Reading, checking and refusing are linear; sorting may take a factor of 1.3 (n log n).",
  clock: "processor",
  async *groups({ flow }) {
    const { codecFor, FlowSet, parseJson } = flow;
    const rows = codecFor({ Set: { Named: { declaration: "Row", args: [] } } }, parseJson(JSON.stringify(declarations)));
    const dict = codecFor({ Dict: ["Text", "Int"] });
    const int = codecFor("Int");
    const text = codecFor("Text");
    const many = (count, item) => Array.from({ length: count }, (_, i) => item(i)).join(",");
    const row = (i) => `{"name":"row","rank":${i}}`;
    const cases = {
      "a set of records, read": (n) => {
        const sorted = `[${many(n, row)}]`;
        return () => rows.decode(sorted);
      },
      "a set of records, the last one out of order": (n) => {
        const unsorted = `[${many(n, (i) => row(i + 1))},${row(0)}]`;
        return () => refused(() => rows.decode(unsorted));
      },
      "a set of records in reverse, written": (n) => {
        const value = FlowSet.from([...rows.decode(`[${many(n, row)}]`)], (a, b) => Number(b.rank - a.rank));
        return () => rows.encode(value);
      },
      "members of an object, read": (n) => {
        const members = `{${many(n, (i) => `"m${i}":1`)}}`;
        return () => dict.decode(members);
      },
      "members of one name": (n) => {
        const twice = `{${many(n, () => '"m":1')}}`;
        return () => refused(() => dict.decode(twice));
      },
      "ten digits of one number": (n) => {
        const digits = "9".repeat(10 * n);
        return () => refused(() => int.decode(digits));
      },
      "ten brackets without end": (n) => {
        const brackets = "[".repeat(10 * n);
        return () => refused(() => rows.decode(brackets));
      },
      "escapes in one string": (n) => {
        const escapes = `"${"\\n".repeat(n)}"`;
        return () => text.decode(escapes);
      },
    };
    for (const [title, prepare] of Object.entries(cases)) {
      const [small, large] = [SIZES["160 KB"] / 8, (10 * SIZES["160 KB"]) / 8];
      yield {
        title: `each of ${title}`,
        rows: [
          { name: `${small} of them`, per: small, run: prepare(small) },
          { name: `${large} of them`, per: large, run: prepare(large) },
        ],
      };
    }
  },
};
