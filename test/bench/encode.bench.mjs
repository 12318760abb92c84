/** Writing canonical text. */
import canonicalize from "canonicalize";
import { canonicalize as jsonCanonicalize } from "json-canonicalize";
import safeStableStringify from "safe-stable-stringify";
import { makeDocument, SIZES } from "./documents.mjs";

export let seen = 0;

/**
 * Long text is a tree of pieces until somebody reads it, JSON.stringify's as well; whoever sends it does. What is read is
 * kept: a look that nobody needs is optimized away, and with it the joining, for some of the rows.
 */
function flat(text) {
  seen ^= text.charCodeAt(text.length >> 1);
  return text;
}

export default {
  title: "Writing canonical text",
  about: [
    "One value to its text in one piece. flow-host checks the value against its type on the way, writes exact numbers and puts members in",
    "canonical order; JSON.stringify does none of that. The others sort members of plain objects with JavaScript numbers.",
  ].join("\n"),
  clock: "processor",
  async *groups({ flow, kinds, sizes }) {
    for (const kind of kinds) {
      for (const size of sizes) {
        const { text, plain, type, declarations } = makeDocument(kind, SIZES[size]);
        const codec = flow.codecFor(type, flow.parseJson(JSON.stringify(declarations)));
        const value = codec.decode(text);
        const json = flow.parseJson(text);
        yield {
          title: `${kind} ${size}`,
          bytes: text.length,
          rows: [
            { name: "JSON.stringify", run: () => flat(JSON.stringify(plain)) },
            { name: "flow-host", run: () => flat(codec.encode(value)) },
            { name: "flow-host", note: "JSON of no type", run: () => flat(flow.canonicalText(json)) },
            { name: "safe-stable-stringify", run: () => flat(safeStableStringify(plain)) },
            { name: "canonicalize", run: () => flat(canonicalize(plain)) },
            { name: "json-canonicalize", run: () => flat(jsonCanonicalize(plain)) },
          ],
        };
      }
    }
  },
};
