/** Fingerprints of a large program, and SHA-256 by the ways that a platform may have. */
import { createHash } from "node:crypto";
import { createSHA256 } from "hash-wasm";

const TOOLS = 10_000;

/** Of one input, so that a whole sample is not one hash. */
const HASHES = { 200: 1_000, 10000: 100, 1000000: 1 };

export default {
  title: "Fingerprints",
  about: `A program of ${TOOLS} Tools: describing and hashing them all, against writing their signatures alone. Then SHA-256 by itself, of a text of 200 bytes, 10 KB and 1 MB.`,
  async *groups({ flow }) {
    const { fingerprintOf, signatureOf, sha256Hex } = flow;
    // Descriptions remember their fingerprint, so every run has its own; the parts they are made of are shared.
    const sources = Array.from({ length: TOOLS }, (_, i) => flow.readTypeSpec(description(i)));
    const fresh = () => sources.map((spec) => ({ ...spec }));
    yield {
      title: `${TOOLS} Tools`,
      rows: [
        { name: "writing the signatures", note: "canonical text", run: () => fresh().map((spec) => signatureOf(spec).canonical.length) },
        { name: "fingerprinting", note: "goal: at most 2x", run: () => Promise.all(fresh().map(fingerprintOf)) },
        {
          name: "fingerprinting, one by one",
          note: "each awaited",
          run: async () => {
            let last;
            for (const spec of fresh()) last = await fingerprintOf(spec);
            return last;
          },
        },
      ],
    };
    const wasm = await createSHA256();
    for (const [size, times] of Object.entries(HASHES)) {
      const bytes = new Uint8Array(Number(size)).map((_, i) => 32 + (i % 90));
      yield {
        title: `SHA-256 of ${Number(size).toLocaleString("en")} bytes${times === 1 ? "" : `, ${times} times`}`,
        bytes: Number(size) * times,
        rows: [
          { name: "node:crypto", note: "synchronous", run: repeated(times, () => createHash("sha256").update(bytes).digest("hex")) },
          { name: "WebCrypto", run: repeated(times, () => crypto.subtle.digest("SHA-256", bytes)) },
          { name: "hash-wasm", note: "synchronous", run: repeated(times, () => wasm.init().update(bytes).digest("hex")) },
          { name: "flow-host", note: "the better of the last two", run: repeated(times, () => sha256Hex(bytes)) },
        ],
      };
    }
  },
};

function repeated(times, hash) {
  return async () => {
    let last;
    for (let i = 0; i < times; i++) {
      last = hash();
      if (last instanceof Promise) last = await last;
    }
    return last;
  };
}

/** A Tool as programs have them: two parameters, a record in a list, an enum of errors. */
function description(i) {
  const template = (name, kind, members) =>
    flowObject({
      name,
      identity: `r${i}@1.0.0/m.flow.${name}`,
      lexical_ordinal: 1n,
      generic: [],
      opaque: false,
      kind,
      doc: `About ${name}.`,
      ...members,
    });
  const field = (name, type) => flowObject({ name, type, doc: null });
  const named = (declaration) => flowObject({ Named: flowObject({ declaration, args: [] }) });
  return flowObject({
    generic: [],
    params: [flowObject({ name: "query", type: "Text" }), flowObject({ name: `limit${i % 7}`, type: flowObject({ Option: "Int" }) })],
    ok: flowObject({ List: named("t1") }),
    err: named("t2"),
    declarations: flowObject({
      t1: template("Item", "record", {
        fields: [
          field("id", "Text"),
          field("at", "Instant"),
          field("price", "Decimal"),
          field("next", flowObject({ Option: named("t1") })),
        ],
      }),
      t2: template("Fault", "enum", {
        constructors: [
          flowObject({ name: "Unavailable", doc: null, payload: null }),
          flowObject({ name: "BadQuery", doc: null, payload: flowObject({ positional: ["Text"] }) }),
        ],
      }),
    }),
  });
}

function flowObject(members) {
  return Object.assign(Object.create(null), members);
}
