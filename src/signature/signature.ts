/** A Tool's signature and its fingerprint (*Identity and fingerprints*, R21). */
import { DEEPEST_LIMIT, type Limits } from "../json/limits.ts";
import { type JsonObject, type JsonValue, jsonObject } from "../json/value.ts";
import { canonicalText } from "../json/write.ts";
import { Projection, type SchemaOptions } from "../schema/schema.ts";
import type { TypeSpec } from "../types/terms.ts";
import { sha256Hex } from "./hash.ts";
import { withoutVersion } from "./identity.ts";

/** The schemas of a Tool's parameters, success and error, which its fingerprint is taken over (R21). */
export interface Signature {
  /** As `describe` gives it: descriptions and versions included. To be read. */
  readonly described: JsonObject;
  /** The canonical signature: the text that is hashed. */
  readonly canonical: string;
}

/** Schemas nest deeper than the values they describe (an Option by four levels), so a signature may be deeper than R13's default. */
const SIGNATURE_LIMITS: Partial<Limits> = { depth: DEEPEST_LIMIT };

/** The canonical text of a signature or a schema. */
export function signatureText(value: JsonValue): string {
  return canonicalText(value, SIGNATURE_LIMITS);
}

/**
 * Both forms of a Tool's signature.
 * @throws FlowError `bounds` for schemas too large for any document, `conflict` where two types would share a key.
 */
export function signatureOf(spec: TypeSpec): Signature {
  return { described: describedSignature(spec), canonical: canonicalSignature(spec) };
}

/** The signature as `describe` gives it. @throws FlowError as {@link signatureOf} does. */
export function describedSignature(spec: TypeSpec): JsonObject {
  return project(spec, { generic: spec.generic });
}

/** The text whose hash is the fingerprint. @throws FlowError as {@link signatureOf} does. */
export function canonicalSignature(spec: TypeSpec): string {
  // Schemas are made without descriptions and versions rather than stripped of them: a field or a constructor named
  // `description` is then in no danger, and R18's numbers are given over the identities as they stand without versions.
  return signatureText(project(spec, { generic: spec.generic, docs: false, identity: withoutVersion }));
}

function project(spec: TypeSpec, options: SchemaOptions): JsonObject {
  const projection = new Projection(spec.declarations, options);
  return jsonObject({
    params: spec.params.map(({ name, type }, i) => [name, projection.root(type, `/params/${i}/type`)]),
    ok: projection.root(spec.ok, "/ok"),
    err: projection.root(spec.err, "/err"),
    generic: spec.generic,
  });
}

/** Descriptions never change once read, so each is hashed once. */
const fingerprints = new WeakMap<TypeSpec, Promise<string>>();

/**
 * The fingerprint of a Tool: `sha256:` and 64 lowercase hex digits. It moves exactly when the canonical signature does.
 * @throws FlowError (as a rejection) as {@link signatureOf} does, and `usage` on a platform without SHA-256.
 */
export function fingerprintOf(spec: TypeSpec): Promise<string> {
  let fingerprint = fingerprints.get(spec);
  if (fingerprint === undefined) {
    fingerprint = computeFingerprint(spec);
    fingerprints.set(spec, fingerprint);
  }
  return fingerprint;
}

async function computeFingerprint(spec: TypeSpec): Promise<string> {
  return `sha256:${await sha256Hex(canonicalSignature(spec))}`;
}
