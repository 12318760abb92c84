/**
 * What the core bundle exports: the public surface, and beside it what the other entries of this package use of the core's
 * rooms. They import the bundle and carry no copy of it (R43), so what they need must be listed here; the build says when
 * a name is missing. Only `index.ts` is declared to users.
 */

export { codecFor } from "./codec/codec.ts";
export * from "./index.ts";
export { schemaOf } from "./schema/schema.ts";
export { readCallView } from "./signature/callview.ts";
export { hashPath, sha256Hex } from "./signature/hash.ts";
export { fingerprintOf, signatureOf } from "./signature/signature.ts";
export { readTypeSpec } from "./types/spec.ts";
