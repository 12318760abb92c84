/**
 * The contract suites of the conformance runner: each takes one vector and the built entry `flow-host/contracts`, and
 * answers with nothing, or with a sentence of what differs.
 */
import { createHash } from "node:crypto";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The text or bytes of a vector's source: a string, `{ base64 }`, or `{ generate }` with parts to repeat. */
function source(given) {
  if (typeof given === "string") return given;
  if (typeof given.base64 === "string") return Uint8Array.from(Buffer.from(given.base64, "base64"));
  return given.generate
    .map(({ text, times = 1, join = "" }) => Array.from({ length: times }, (_, i) => text.replaceAll("@i@", String(i))).join(join))
    .join("");
}

/** What an action gives, or the FlowError it throws; anything else thrown is a fault of the library. */
async function outcome(contracts, action) {
  try {
    return { value: await action() };
  } catch (error) {
    if (!contracts.isFlowError(error)) throw error;
    return { error };
  }
}

function json1(vector, contracts) {
  const text = typeof vector.json === "string" ? vector.json : source(vector);
  let value;
  try {
    value = contracts.readJson1(text);
  } catch (error) {
    if (!contracts.isFlowError(error)) throw error;
    return vector.error === true ? undefined : `refused with ${error.code}: ${error.message}`;
  }
  if (vector.error === true) return "read although it is to be refused";
  const canonical = contracts.canonicalJson1(value);
  if (vector.canonicalSha256 !== undefined) {
    const met = createHash("sha256").update(canonical).digest("hex");
    return met === vector.canonicalSha256 ? undefined : `the canonical text's SHA-256 is ${met}`;
  }
  return canonical === vector.canonical ? undefined : `the canonical text is ${canonical}`;
}

function schema1(vector, contracts) {
  let schema;
  try {
    schema = contracts.compileSchema(source(vector.schema));
  } catch (error) {
    if (!contracts.isFlowError(error)) throw error;
    return error.code === vector.error ? undefined : `refused with ${error.code}: ${error.message}`;
  }
  if (vector.compile !== "ok") return "compiled although it is to be refused";
  for (const [i, given] of vector.cases.entries()) {
    const differs = schemaCase(given, schema, contracts);
    if (differs !== undefined) return `case ${i}: ${differs}`;
  }
  return undefined;
}

function schemaCase(given, schema, contracts) {
  const value = contracts.readJson1(source(given.instance));
  let result;
  try {
    result = schema.validate(value);
  } catch (error) {
    if (!contracts.isFlowError(error)) throw error;
    return error.code === given.error ? undefined : `refused with ${error.code}: ${error.message}`;
  }
  if (given.error !== undefined) return `validated in ${result.units} units although it goes past the budget`;
  if (result.valid !== given.valid || result.units !== given.units) return `valid is ${result.valid}, units are ${result.units}`;
  // The quick verdict and the one with its reasons come from two evaluators.
  const quick = schema.validate(value, { diagnostics: 0 });
  if (quick.valid !== given.valid || quick.units !== given.units)
    return `without diagnostics valid is ${quick.valid}, units are ${quick.units}`;
  return result.valid || result.diagnostics.length > 0 ? undefined : "no diagnostic tells why";
}

/** Whether an error belongs to the word of a vector, or to another that the vector admits. */
function misses(vector, error, contracts) {
  const words = [vector.error, ...(vector.also ?? [])];
  return words.includes(contracts.wordOf(error.code)) ? undefined : `refused with ${error.code}: ${error.message}`;
}

async function contract(vector, contracts) {
  const text = vector.base64 === undefined ? source(vector.descriptor) : source(vector);
  const { value, error } = await outcome(contracts, () => contracts.readContract(text));
  if (error !== undefined) {
    if (vector.error === undefined) return `refused with ${error.code}: ${error.message}`;
    return misses(vector, error, contracts) ?? shippedSchemaDiffers(text, error.code, contracts);
  }
  if (vector.error !== undefined) return "read although it is to be refused";
  return value.digest === vector.digest ? shippedSchemaDiffers(text, undefined, contracts) : `the digest is ${value.digest}`;
}

/** What the JSON Schema of descriptors cannot say: the text itself, its size, and where references lead. */
const BEYOND_JSON_SCHEMA = new Set(["CONTRACT_JSON_INVALID", "SCHEMA_REFERENCE_INVALID", "SCHEMA_LIMIT_EXCEEDED"]);

let shipped;

/** Whether the JSON Schema that the entry ships disagrees with the reader, which refused with `code` or not at all. */
function shippedSchemaDiffers(text, code, contracts) {
  if (BEYOND_JSON_SCHEMA.has(code) || text.length > contracts.CONTRACT_LIMITS.bytes) return undefined;
  shipped ??= new Ajv2020({ strict: true, allowUnionTypes: true }).compile(contracts.capabilityContractSchema);
  const accepts = shipped(JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text)));
  return accepts === (code === undefined)
    ? undefined
    : `the shipped JSON Schema ${accepts ? "accepts" : "refuses"} it: ${JSON.stringify(shipped.errors)}`;
}

async function contractcall(vector, contracts) {
  const slot = await contracts.readContract(vector.descriptor);
  const provided = vector.provider === undefined ? slot : await contracts.readContract(vector.provider);
  let calls = 0;
  const provider = {
    call: async () => {
      calls++;
      return new contracts.Json1Text(vector.reply);
    },
  };
  const host = contracts.createContractCalls({ effects: { slot: { contract: slot, offered: provided, provider } } });
  const params = { operationId: "op-1", slot: "slot", method: vector.method, input: new contracts.Json1Text(vector.input) };
  const answer = await host.handle("effect/call", params);
  if (calls !== vector.calls) return `the provider was reached ${calls} times`;
  if (answer.error === undefined) {
    if (vector.verdict !== "ok") return `answered with ${JSON.stringify(answer.result)}`;
    return Object.keys(answer.result).join() === vector.outcome ? undefined : `the outcome is ${Object.keys(answer.result).join()}`;
  }
  const { code, data } = answer.error;
  const shown = code === -32000 ? data.code : String(code);
  if (vector.verdict === "UNKNOWN_METHOD") return undefined;
  return shown === vector.verdict ? undefined : `the verdict is ${shown}: ${answer.error.message}`;
}

async function contractmatch(vector, contracts) {
  const slot = await contracts.readContract(vector.slot);
  const claims = [];
  for (const { authority, trusted, descriptor, contract: bare } of vector.claims) {
    claims.push({ authority, trusted, contract: bare ?? (await contracts.readContract(descriptor)) });
  }
  const result = contracts.matchClaims(slot, claims);
  if (vector.match !== undefined && JSON.stringify(result.match) !== JSON.stringify(vector.match))
    return `the match is ${JSON.stringify(result.match)}`;
  const authorities = [...new Set(result.equivocations.map(({ authority }) => authority))];
  return JSON.stringify(authorities) === JSON.stringify(vector.equivocation) ? undefined : `equivocation is ${JSON.stringify(authorities)}`;
}

async function flowmd(vector, contracts) {
  const encoder = new TextEncoder();
  const files = new Map();
  for (const [path, given] of Object.entries(vector.files)) {
    const content = source(given);
    files.set(path, typeof content === "string" ? encoder.encode(content) : content);
  }
  const { value, error } = await outcome(contracts, () => contracts.readPackage(files));
  if (error !== undefined)
    return vector.error === undefined ? `refused with ${error.code}: ${error.message}` : misses(vector, error, contracts);
  if (vector.error !== undefined) return "read although it is to be refused";
  const uses = {};
  for (const [slot, use] of Object.entries(value.uses)) {
    uses[slot] =
      use.local === true
        ? { local: true }
        : { contract: { id: use.contract.id, version: use.contract.version, digest: use.contract.digest } };
  }
  return sameUses(uses, vector.uses) ? undefined : `uses are ${JSON.stringify(uses)}`;
}

function sameUses(a, b) {
  const ordered = (uses) => JSON.stringify(Object.entries(uses).sort(([x], [y]) => (x < y ? -1 : 1)));
  return ordered(a) === ordered(b);
}

export const suites = { json1, schema1, contract, contractcall, contractmatch, flowmd };
