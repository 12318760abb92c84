/** Reading text into typed values. */
import jsonBigint from "json-bigint";
import { parse as parseLossless } from "lossless-json";
import { makeDocument, SIZES } from "./documents.mjs";
import { validators } from "./peers.mjs";

export default {
  title: "Reading typed values",
  about: [
    "One document from its text to a checked value. flow-host gives bigint and exact decimals and refuses names that are twice; of the",
    "others, lossless-json and json-bigint keep digits and check no type, and those that check types have lost the digits by then. ajv",
    "and zod build their checks as source text, which edge runtimes and strict pages forbid; zod without it is its jitless setting.",
  ].join("\n"),
  clock: "processor",
  async *groups({ flow, kinds, sizes }) {
    const bigints = jsonBigint({ useNativeBigInt: true });
    for (const kind of kinds) {
      const { ajv, zod, zodJitless, valibot } = validators(kind);
      for (const size of sizes) {
        const { text, type, declarations } = makeDocument(kind, SIZES[size]);
        const codec = flow.codecFor(type, flow.parseJson(JSON.stringify(declarations)));
        const bytes = new TextEncoder().encode(text);
        // As many services write it: a space behind each colon and comma.
        const spaced = JSON.stringify(JSON.parse(text), null, 1);
        yield {
          title: `${kind} ${size}`,
          bytes: bytes.length,
          rows: [
            { name: "JSON.parse alone", run: () => JSON.parse(text) },
            { name: "flow-host", run: () => codec.decode(text) },
            { name: "flow-host", note: "from bytes", run: () => codec.decode(bytes) },
            { name: "flow-host", note: "indented text", run: () => codec.decode(spaced) },
            { name: "lossless-json", run: () => parseLossless(text) },
            { name: "json-bigint", run: () => bigints.parse(text) },
            { name: "JSON.parse + valibot", run: () => valibot(JSON.parse(text)) },
            { name: "JSON.parse + zod, jitless", run: () => zodJitless(JSON.parse(text)) },
            { name: "JSON.parse + zod", note: "builds source", run: () => zod(JSON.parse(text)) },
            { name: "JSON.parse + ajv", note: "builds source", run: () => ajv(JSON.parse(text)) },
          ],
        };
      }
    }
  },
};
