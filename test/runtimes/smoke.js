/**
 * What must hold in every runtime, tried on the built bundles: each runtime hands {@link smoke} what it loaded, and what comes
 * of it is compared with {@link EXPECTED}. Plain JavaScript without imports, since some runtimes are given this file as it is;
 * results are plain JSON, since from some they come back as text.
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

const READ = "github.com/acme/docs@1.0.0/catalog.flow.read";
const FIND = "github.com/acme/docs@1.0.0/search.flow.find";

/**
 * What a runtime has loaded, and can do.
 * @typedef {{
 *   flow: typeof import("flow-host"),
 *   contracts: typeof import("flow-host/contracts"),
 *   tools: string,
 *   component: { instantiate: import("flow-host").Instantiate, getCoreModule: import("flow-host").GetCoreModule },
 *   openWorker?: () => import("flow-host").WorkerLike,
 *   address: string,
 * }} Loaded `tools` is the demo's `tools` output, `openWorker` starts the component's Worker where there are Workers,
 *   and `address` is where a service answers for `catalog.read`
 */

/**
 * @param {Loaded} loaded
 * @returns {Promise<Record<string, unknown>>} what each trial came to
 */
export async function smoke(loaded) {
  const { flow } = loaded;
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
    contractDigest: await loaded.contracts.contractDigest({ b: [1, "é"], a: null }),
    contract: await contractOf(loaded.contracts),
    hashing: await hashingOf(flow),
    ...(await runsOf(loaded)),
  };
}

/** The example's digest, and inputs judged by its schema: the verdict, the units of work, the keywords that refused. */
async function contractOf({ readContract, sessionStoreDescriptor, admitJson1 }) {
  const { digest, methods } = await readContract(JSON.stringify(sessionStoreDescriptor));
  const judged = ["s-1", ""].map((sessionId) => {
    const { valid, units, diagnostics } = methods.read.input.validate(admitJson1({ sessionId }));
    return [valid, units, ...diagnostics.map(({ keyword }) => keyword)];
  });
  return { digest, judged };
}

/** Which way hashes go, for an input of a few bytes and for a large one. */
async function hashingOf(flow) {
  const large = await flow.sha256Hex("a".repeat(100_000));
  const forLarge = flow.hashPath();
  const small = await flow.sha256Hex("abc");
  return { small: flow.hashPath(), large: forLarge, digests: [small.slice(0, 16), large.slice(0, 16)] };
}

/** A call through each way to reach a Tool that the runtime has, and a run that is refused. */
async function runsOf({ flow, tools, component, openWorker, address }) {
  const listed = await flow.readTools(tools);
  const entryOf = (tool) => listed.tools.find((entry) => entry.tool === tool);
  const outcomeOf = async (tool, args, binding) => {
    const host = flow.createHost({ bindings: { [tool]: binding } });
    try {
      const program = { tools: { ...listed, tools: [entryOf(tool)] }, run: (run) => run.call(tool, args) };
      const { tag, value } = await (await host.start({ program })).result;
      return `${tag} ${typeof value === "string" ? value : flow.canonicalText(flow.parseJson(JSON.stringify(value)))}`;
    } catch (error) {
      return `refused: ${error.errors?.map(({ code }) => code).join(", ") ?? error}`;
    } finally {
      await host[Symbol.asyncDispose]();
    }
  };
  const missing = (values) => ({ tag: "Failed", value: { tag: "NotFound", value: values.id } });
  const { instantiate, getCoreModule } = component;
  const workers = openWorker && {
    worker: await outcomeOf(FIND, { query: "" }, flow.bindComponent(openWorker, getCoreModule, { in: "worker" })),
  };
  return {
    function: await outcomeOf(READ, { id: "é" }, flow.bindFunction(entryOf(READ), missing)),
    component: await outcomeOf(FIND, { query: "" }, flow.bindComponent(instantiate, getCoreModule)),
    fetch: await outcomeOf(
      READ,
      { id: "é" },
      flow.bindFetch((url, init) => fetch(url, init), `${address}/tool`),
    ),
    misfit: await outcomeOf(READ, { id: "é" }, flow.bindFunction({ ...entryOf(FIND), tool: READ }, missing)),
    ...workers,
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

/** The outcome of a trial that is answered with the catalog's declared error. */
const NOT_FOUND = 'Failed {"tag":"NotFound","value":"é"}';
const EMPTY_QUERY = 'Failed {"tag":"BadQuery","value":"the query is empty"}';

/** What comes of it where WebAssembly may be compiled, WebCrypto is there, and so are Workers. */
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
  // The SHA-256 of that signature, which the Node test computes apart; so it does the next one.
  fingerprint: "sha256:0f808b4b66f52a04c116e8d0544db0b9e87334a4a13cf15660efbd92bd7a572b",
  contractDigest: "sha256:467edc43b426a70429c57432b316ef809beb3e4c48abdc34ea985988d6a18bf5",
  contract: {
    digest: "sha256:95717125236427f83f401e2f942bb4df46e95867ac34828d719cc9795e5b3e98",
    judged: [
      [true, 14],
      [false, 11, "minLength"],
    ],
  },
  hashing: { small: "wasm", large: "subtle", digests: ["ba7816bf8f01cfea", "6d1cf22d7cc09b08"] },
  function: NOT_FOUND,
  component: EMPTY_QUERY,
  fetch: NOT_FOUND,
  misfit: "refused: fingerprint",
  worker: EMPTY_QUERY,
};
