/**
 * What must hold in every runtime, tried on the built bundle: each runtime's own test hands the bundle's namespace to
 * {@link smoke} and expects {@link EXPECTED}, and the way of hashing that the runtime has. Plain JavaScript without imports, since
 * some runtimes are given this file as it is; results are plain JSON, since from some they come back as text.
 */

/** A whole number that no binary floating point holds, and a Decimal of thirty digits. */
const BIG = "340282366920938463463374607431768211457";
const PRECISE = "123456789012345678.901234567890";

const ENTRY = {
  name: "Entry",
  identity: "example.org/ledger@1.0.0/ledger.flow.Entry",
  lexical_ordinal: 1,
  generic: [],
  opaque: false,
  kind: "record",
  doc: null,
  fields: [
    { name: "units", type: "Int", doc: null },
    { name: "price", type: "Decimal", doc: null },
    { name: "tags", type: { Set: "Text" }, doc: null },
    { name: "note", type: { Option: "Text" }, doc: null },
  ],
};
const TYPE = { Named: { declaration: "t1", args: [] } };
const SPEC = { generic: [], params: [{ name: "entry", type: TYPE }], ok: TYPE, err: "Text", declarations: { t1: ENTRY } };

/**
 * @param {typeof import("flow-host")} flow the core bundle's exports
 * @returns {Promise<Record<string, unknown>>} what each trial came to
 */
export async function smoke(flow) {
  const json = (value) => flow.parseJson(JSON.stringify(value));
  const spec = flow.readTypeSpec(json(SPEC));
  const codec = flow.codecFor(spec.ok, spec.declarations);
  const decoded = codec.decode(`{"tags": ["a", "b"], "price": ${PRECISE}, "units": ${BIG}, "skipped": null}`);
  return {
    roundTrip: codec.encode(decoded),
    kept: typeof decoded.units === "bigint" && decoded.units === 2n ** 128n + 1n,
    refused: refusalOf(flow, () => codec.decode('{"units": 1.5, "price": 1, "tags": []}')),
    duplicate: refusalOf(flow, () => flow.parseJson('{"a": 1, "a": 2}')),
    signature: flow.signatureOf(spec).canonical,
    fingerprint: await flow.fingerprintOf(spec),
    hashPath: flow.hashPath(),
  };
}

function refusalOf(flow, act) {
  try {
    act();
  } catch (error) {
    return flow.isFlowError(error) ? `${error.code} at ${error.at}` : String(error);
  }
  return "not refused";
}

export const EXPECTED = {
  roundTrip: `{"price":123456789012345678.90123456789,"tags":["a","b"],"units":${BIG}}`,
  kept: true,
  refused: "not-whole at /units",
  duplicate: "duplicate-member at /a",
  signature:
    '{"err":{"type":"string"},"generic":[],"ok":{"$defs":{"example.org/ledger/ledger.flow.Entry":ENTRY},"$ref":REF},"params":[["entry",{"$defs":{"example.org/ledger/ledger.flow.Entry":ENTRY},"$ref":REF}]]}'
      .replaceAll(
        "ENTRY",
        '{"properties":{"note":{"type":"string"},"price":{"type":"number"},"tags":{"items":{"type":"string"},"type":"array","uniqueItems":true},"units":{"type":"integer"}},"required":["units","price","tags"],"type":"object"}',
      )
      .replaceAll("REF", '"#/$defs/example.org~1ledger~1ledger.flow.Entry"'),
  // The SHA-256 of that signature, which the Node test computes apart.
  fingerprint: "sha256:0f808b4b66f52a04c116e8d0544db0b9e87334a4a13cf15660efbd92bd7a572b",
};
