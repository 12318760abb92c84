/** Reading and writing the `tools` output (R34): every Tool of a program, over one map of types. */
import { DEEPEST_LIMIT, type Limits } from "../json/limits.ts";
import { parseJson } from "../json/read.ts";
import { describeJson, emptyObject, isJsonObject, type JsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { canonicalText } from "../json/write.ts";
import { TypesMap } from "../types/program.ts";
import { pointer, quoted, refusal } from "../types/refuse.ts";
import { ShapeReader } from "../types/shape.ts";
import type { Declarations, Template, TypeSpec } from "../types/terms.ts";
import { parametersJson, templateJson, termJson } from "../types/write.ts";
import { compareDataVersion, DATA_VERSION, requireDataVersion } from "./dataversion.ts";
import { difference } from "./difference.ts";
import { parseIdentity } from "./identity.ts";
import { describedSignature, fingerprintOf } from "./signature.ts";

/** One listed Tool. */
export interface ToolEntry {
  /** Its identity. */
  readonly tool: string;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** `sha256:` and hex; computed from `spec`, not taken on trust. */
  readonly fingerprint: string;
  /** As `describe` gives it. */
  readonly signature: JsonObject;
  /** Its own roots with exactly the templates that they reach. */
  readonly spec: TypeSpec;
}

/** A `tools` output that was read (R34). */
export interface ToolsDocument {
  /** The data version it is written in. */
  readonly data: string;
  /** In the order of the document. */
  readonly tools: readonly ToolEntry[];
  /** The program-wide map: exactly what the Tools reach. */
  readonly types: Declarations;
}

/** Signatures hold schemas, which nest deeper than values (an Option by four levels). */
const LIMITS: Partial<Limits> = { depth: DEEPEST_LIMIT };

const DOCUMENT = ["data", "tools", "types"];
const TOOL = ["tool", "doc", "fingerprint", "signature", "generic", "params", "ok", "err"];

/**
 * Reads a `tools` output.
 * @param source Its text, the text's UTF-8 bytes, or its JSON value (an object).
 * @returns Each Tool with its TypeSpec, signature and fingerprint.
 * @throws FlowError (as a rejection), with a JSON Pointer into the document: the codes of JSON texts, `version` for
 *   another major data version, the codes of R35's second list, and of those `mismatch` for a stated signature or
 *   fingerprint that is not the Tool's, `duplicate-name` for a Tool listed twice.
 */
export async function readTools(source: string | Uint8Array | JsonValue): Promise<ToolsDocument> {
  const json = typeof source === "string" || source instanceof Uint8Array ? parseJson(source, LIMITS) : source;
  const reader = new ShapeReader("");
  const document = reader.open(json, ["data"], "a tools output");
  requireDataVersion(document["data"], "/data");
  const data = document["data"] as string;
  // Minors only add: what a newer one has beside these members is none of ours. Metadata shapes stay exact.
  const isNewer = compareDataVersion(data, DATA_VERSION) > 0;
  const check = (value: JsonValue | undefined, members: readonly string[], what: string): JsonObject =>
    isNewer ? reader.open(value, members, what) : reader.exact(value, members, what);
  const { tools: list, types: map } = check(json, DOCUMENT, "a tools output");
  const types = new TypesMap(map as JsonValue, "/types");
  const seen = new Set<string>();
  const tools: ToolEntry[] = [];
  const listed = reader.within("tools", () => reader.list(list, "Tools", (item) => head(reader, check(item, TOOL, "a Tool"), seen)));
  for (const [i, { tool, doc, members }] of listed.entries()) {
    const at = pointer(["tools", i]);
    const { generic, params, ok, err, signature: statedSignature, fingerprint: stated } = members as Record<string, JsonValue>;
    const spec = types.join({ at, generic, params, ok, err } as Parameters<TypesMap["join"]>[0]);
    const signature = describedSignature(spec);
    const path = difference(statedSignature as JsonValue, signature);
    if (path !== undefined) {
      throw refusal("mismatch", `${at}/signature${pointer(path)}`, `the signature of ${quoted(tool)}`, "another one");
    }
    const fingerprint = await fingerprintOf(spec);
    if (stated !== fingerprint) throw refusal("mismatch", `${at}/fingerprint`, fingerprint, describeJson(stated));
    tools.push({ tool, doc, fingerprint, signature, spec });
  }
  types.requireReached();
  return { data, tools, types: types.declarations };
}

/** What of a listed Tool is no type. */
function head(reader: ShapeReader, members: JsonObject, seen: Set<string>): { tool: string; doc: string | null; members: JsonObject } {
  const tool = reader.within("tool", () => {
    const identity = reader.text(members["tool"], "a Tool's identity");
    parseIdentity(identity, reader.here());
    if (seen.has(identity)) reader.fail("duplicate-name", "each Tool once", `${quoted(identity)} again`);
    seen.add(identity);
    return identity;
  });
  reader.within("signature", () => {
    if (!isJsonObject(members["signature"])) reader.fail("shape", "a signature, an object", describeJson(members["signature"]));
  });
  reader.within("fingerprint", () => reader.text(members["fingerprint"], "a fingerprint"));
  return { tool, doc: reader.within("doc", () => reader.doc(members["doc"])), members };
}

/** A Tool to be listed. */
export interface ToolSource {
  /** Its identity (R19). */
  readonly tool: string;
  /** The text of its `///` comment, `null` where it has none. */
  readonly doc: string | null;
  /** Its types. */
  readonly spec: TypeSpec;
}

/**
 * The `tools` output of some Tools, in the order given. Their descriptions use one set of local ids (R34): an id stands
 * for the same template object wherever it occurs.
 * @throws FlowError (as a rejection) `conflict` where it does not, and as {@link fingerprintOf} does.
 */
export async function writeTools(sources: readonly ToolSource[]): Promise<JsonObject> {
  const templates = new Map<string, Template>();
  const types = emptyObject();
  const tools: JsonValue[] = [];
  for (const { tool, doc, spec } of sources) {
    for (const [id, template] of spec.declarations) {
      const known = templates.get(id);
      if (known === template) continue;
      if (known !== undefined) throw refusal("conflict", pointer(["types", id]), "one template for each local id", "two");
      templates.set(id, template);
      types[id] = templateJson(template);
    }
    tools.push(
      jsonObject({
        tool,
        doc,
        fingerprint: await fingerprintOf(spec),
        signature: describedSignature(spec),
        generic: spec.generic,
        params: parametersJson(spec.params),
        ok: termJson(spec.ok),
        err: termJson(spec.err),
      }),
    );
  }
  return jsonObject({ data: DATA_VERSION, tools, types });
}

/** The canonical text of {@link writeTools}. */
export async function toolsText(sources: readonly ToolSource[]): Promise<string> {
  return canonicalText(await writeTools(sources), LIMITS);
}
