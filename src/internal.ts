/**
 * What the core bundle exports: the public surface, and beside it what the other entries of this package and its tests use
 * of the core's rooms. The entries import the bundle and carry no copy of it (R43), so what they need must be listed here;
 * the build says when a name is missing. Only `index.ts` is declared to users.
 */
export * from "./index.ts";
export { asFlowError, Refusal } from "./json/errors.ts";
export { childPointer, escapeSegment } from "./json/pointer.ts";
export { decodeUtf8, exceedsUtf8, isWellFormed, utf8Length } from "./json/text.ts";
export { hashPath } from "./signature/hash.ts";
