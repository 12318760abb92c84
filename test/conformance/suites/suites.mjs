/** The suites, by the base name of their files. */
import { existsSync } from "node:fs";

/**
 * A suite's function: `undefined` if the vector is met, or else why not.
 * @typedef {(vector: any, modules: import("../conformance.mjs").Modules) => undefined | string | Promise<undefined | string>} Run
 */

/**
 * By name, what loads a suite's function, or gives `undefined` while the bundles can't do what it asks for.
 * @type {Record<string, (modules: import("../conformance.mjs").Modules) => Promise<Run | undefined>>}
 */
export const SUITES = {
  canonical: suite("./canonical.mjs", "core", "parseJson", "canonicalText"),
  decode: suite("./decode.mjs", "core", "codecFor"),
  order: suite("./order.mjs", "core", "codecFor"),
  schema: suite("./schema.mjs", "core", "codecFor"),
  fingerprint: suite("./fingerprint.mjs", "core", "readTypeSpec", "signatureOf", "fingerprintOf"),
  typespec: suite("./typespec.mjs", "core", "readTypeSpec"),
  callview: suite("./callview.mjs", "core", "readTypeSpec", "readCallView"),
  flowtools: suite("./flowtools.mjs", "core", "readProgram"),
  json1: suite("./json1.mjs", "contracts"),
  schema1: suite("./schema1.mjs", "contracts"),
  contract: suite("./contract.mjs", "contracts"),
  contractcall: suite("./contractcall.mjs", "contracts"),
  contractmatch: suite("./contractmatch.mjs", "contracts"),
  flowmd: suite("./flowmd.mjs", "contracts"),
};

function suite(file, bundle, ...needed) {
  const url = new URL(file, import.meta.url);
  return async (modules) => {
    const there = modules[bundle] !== undefined && needed.every((name) => name in modules[bundle]) && existsSync(url);
    return there ? (await import(url.href)).default : undefined;
  };
}
