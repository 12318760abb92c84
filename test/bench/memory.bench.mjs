/** What values weigh. */
import { Decimal as DecimalJs } from "decimal.js";
import { parse as parseLossless } from "lossless-json";
import { makeDocument, SIZES } from "./documents.mjs";
import { collect } from "./measure.mjs";

const COUNT = 100_000;

/** Heap bytes for each of the values that `make` gives in an array of {@link COUNT}. */
function each(make) {
  return () => grown(() => Array.from({ length: COUNT }, (_, i) => make(i))) / COUNT;
}

/** By how much the heap grows through what `make` gives. */
function grown(make) {
  // The first time, shapes and code are made as well.
  make();
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = make();
  collect();
  const after = process.memoryUsage().heapUsed;
  // Used here, it has lived until here.
  return kept === undefined ? Number.NaN : after - before;
}

const unit = "bytes";

export default {
  title: "Memory of values",
  about:
    "Bytes of the heap for each of 100,000 values, the 8 bytes of their place in an array included, and for each character of a document's text.",
  async *groups({ flow, kinds }) {
    const { Decimal, Duration, Instant } = flow;
    yield {
      title: "one number",
      rows: [
        { name: "number with a fraction", unit, amount: each((i) => i + 0.25) },
        { name: "Int", note: "bigint", unit, amount: each((i) => BigInt(i)) },
        { name: "Decimal", note: "a price", unit, amount: each((i) => Decimal.from(`${i}.25`)) },
        { name: "Decimal", note: "25 digits", unit, amount: each((i) => Decimal.from(`12345678901234567${i % 10}.1234567`)) },
        { name: "decimal.js", note: "a price", unit, amount: each((i) => new DecimalJs(`${i}.25`)) },
        { name: "lossless-json", note: "a price", unit, amount: each((i) => parseLossless(`${i}.25`)) },
      ],
    };
    yield {
      title: "one time",
      rows: [
        { name: "Date", unit, amount: each((i) => new Date(i)) },
        { name: "Instant", unit, amount: each((i) => Instant.fromEpochNanoseconds(BigInt(i) * 1_000_000n)) },
        { name: "Duration", unit, amount: each((i) => Duration.fromNanoseconds(BigInt(i) * 1_000_000n)) },
      ],
    };
    for (const kind of kinds) {
      const { text, type, declarations } = makeDocument(kind, SIZES["8 MB"]);
      const codec = flow.codecFor(type, flow.parseJson(JSON.stringify(declarations)));
      const share = (read) => () => grown(read) / text.length;
      yield {
        title: `one character of ${kind} 8 MB`,
        rows: [
          { name: "JSON.parse", unit, amount: share(() => JSON.parse(text)) },
          { name: "flow-host", unit, amount: share(() => codec.decode(text)) },
          { name: "lossless-json", unit, amount: share(() => parseLossless(text)) },
        ],
      };
    }
  },
};
