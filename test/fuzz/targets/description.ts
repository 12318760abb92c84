/** The readers of type descriptions: refused with a place that is there, or whole, writable and read the same again. */
import { codecFor } from "../../../src/codec/codec.ts";
import { parseJson } from "../../../src/json/read.ts";
import { type JsonValue, jsonObject } from "../../../src/json/value.ts";
import { canonicalText } from "../../../src/json/write.ts";
import { schemaOf } from "../../../src/schema/schema.ts";
import { fingerprintOf } from "../../../src/signature/signature.ts";
import { readTools, toolsText } from "../../../src/signature/tools.ts";
import { readTypeSpec, readTypesView } from "../../../src/types/spec.ts";
import type { Term, TypeSpec } from "../../../src/types/terms.ts";
import { typeSpecJson, typesViewJson } from "../../../src/types/write.ts";
import { randomSpec } from "../../types/random.ts";
import { mutateJson } from "../json-text.ts";
import { type Attempt, attempt, attemptAsync, require, requireSame, type Target, TEXT_CODES } from "../target.ts";
import { fileText, vectors } from "../vectors.ts";
import { requirePlace } from "./json.ts";

const DEEP = { depth: 1_000 };

/** R35's second list. */
const TYPE_CODES: ReadonlySet<string> = new Set(
  "member shape unknown-term duplicate-name unresolved arity owner index free-param disconnected conflict recursion bounds crossing mismatch".split(
    " ",
  ),
);
const TOOLS_CODES: ReadonlySet<string> = new Set([...TYPE_CODES, ...TEXT_CODES, "version"]);
/** What a description that is fine may still be too large for. */
const SIZE_CODES: ReadonlySet<string> = new Set(["bounds", "limit"]);

const words = [
  ...'"Int"|"Decimal"|"Bool"|"Text"|"Bytes"|"Duration"|"Instant"|"Unit"|"Never"|"json.Value"|"record"|"enum"|"host"|"nondata"'.split("|"),
  ...'{"List":"Int"}|{"Set":"Text"}|{"Option":"Int"}|{"Task":"Int"}|{"Dict":["Text","Int"]}|{"Tuple":["Int","Text"]}|{"Tuple":[]}'.split(
    "|",
  ),
  '{"Function":{"params":["Int"],"result":"Text"}}',
  '{"Named":{"declaration":"t1","args":[]}}',
  '{"Named":{"declaration":"t2","args":["Int"]}}',
  '{"Named":{"declaration":"t1","args":[{"List":{"Param":{"owner":"t1","index":0}}}]}}',
  '{"Param":{"owner":"tool","index":0}}',
  '{"Param":{"owner":"t1","index":0}}',
  '{"Param":{"owner":"t1","index":4294967296}}',
  '{"positional":["Int"]}',
  '{"named":[{"name":"x","type":"Int","doc":null}]}',
  '{"name":"x","type":"Int"}',
  '["T"]',
  '"T"',
  '"a.flow.T"',
  '"example.org/m@1.0.0/m.flow.E"',
];

function randomSeeds(): string[] {
  return Array.from({ length: 24 }, (_, i) => canonicalText(jsonObject(randomSpec(i, { templates: 4, hosts: true, generic: 2 })), DEEP));
}

export const description: Target = {
  name: "description",
  seeds: [
    ...vectors("typespec").map(({ spec }) => JSON.stringify(spec)),
    ...vectors("fingerprint").map(({ spec }) => JSON.stringify(spec)),
    ...randomSeeds(),
    '{"bindings":[{"name":"T","type":"Int"}],"params":[{"name":"x","type":{"List":"Int"}}],"ok":"Int","err":"Never","declarations":{}}',
    JSON.stringify(JSON.parse(fileText("demo/tools.json"))),
  ],
  mutate: (input, random, other) => mutateJson(input, random, words, other),
  async check(text) {
    const { value: json } = attempt(() => parseJson(text, DEEP), TEXT_CODES);
    if (json === undefined) return;
    const view = placed(
      json,
      attempt(() => readTypesView(json), TYPE_CODES),
    );
    if (view.value !== undefined) {
      const written = typesViewJson(view.value);
      requireSame(canonicalText(typesViewJson(readTypesView(written)), DEEP), canonicalText(written, DEEP), "a view read again");
    }
    placed(json, await attemptAsync(() => readTools(json), TOOLS_CODES));
    const spec = placed(
      json,
      attempt(() => readTypeSpec(json), TYPE_CODES),
    );
    if (spec.value !== undefined) await requireUsable(spec.value);
  },
};

/** A refusal of what was read names a place in it. */
function placed<T>(json: JsonValue, attempted: Attempt<T>): Attempt<T> {
  if (attempted.refused !== undefined) requirePlace(json, String(attempted.refused.at));
  return attempted;
}

async function requireUsable(spec: TypeSpec): Promise<void> {
  const written = typeSpecJson(spec);
  requireSame(canonicalText(typeSpecJson(readTypeSpec(written)), DEEP), canonicalText(written, DEEP), "a description read again");
  if (spec.generic.length === 0) {
    for (const term of [...spec.params.map(({ type }) => type), spec.ok, spec.err]) requireCodec(term, spec);
  }
  const fingerprint = await attemptAsync(() => fingerprintOf(spec), SIZE_CODES);
  if (fingerprint.refused !== undefined) return;
  const text = await attemptAsync(() => toolsText([{ tool: "a.flow.f", doc: null, spec }]), SIZE_CODES);
  if (text.refused !== undefined) return;
  const listed = await attemptAsync(() => readTools(text.value), SIZE_CODES);
  if (listed.refused !== undefined) return;
  const [entry] = listed.value.tools;
  requireSame(entry?.fingerprint, fingerprint.value, "the fingerprint in a tools output");
  require(entry !== undefined, "a tools output of no Tool");
  requireSame(canonicalText(typeSpecJson(entry.spec), DEEP), canonicalText(written, DEEP), "the description in a tools output");
}

function requireCodec(term: Term, { declarations }: TypeSpec): void {
  const codec = attempt(() => codecFor(term, declarations), SIZE_CODES);
  if (codec.refused !== undefined) return;
  require(codec.value.title.length > 0, "a type without a title");
  const schema = attempt(() => schemaOf(term, declarations), SIZE_CODES);
  if (schema.refused === undefined) attempt(() => canonicalText(schema.value, DEEP), SIZE_CODES);
}
