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
  flowtools: roomSuite("../declarations-suite.mjs", "flowtools", "core", "readProgram"),
  json1: roomSuite("../contracts-suites.mjs", "json1", "contracts", "readJson1"),
  schema1: roomSuite("../contracts-suites.mjs", "schema1", "contracts", "compileSchema"),
  contract: roomSuite("../contracts-suites.mjs", "contract", "contracts", "readContract"),
  contractcall: roomSuite("../contracts-suites.mjs", "contractcall", "contracts", "createContractCalls"),
  contractmatch: roomSuite("../contracts-suites.mjs", "contractmatch", "contracts", "matchClaims"),
  flowmd: roomSuite("../contracts-suites.mjs", "flowmd", "contracts", "readPackage"),
};

/** A suite in a file of its own. */
function suite(file, bundle, ...needed) {
  return async (modules) => (can(modules, bundle, needed) ? (await import(file)).default : undefined);
}

/** One of several suites in a file, which know of one bundle only. */
function roomSuite(file, name, bundle, ...needed) {
  return async (modules) => {
    if (!can(modules, bundle, needed) || !existsSync(new URL(file, import.meta.url))) return undefined;
    const run = (await import(file)).suites[name];
    return (vector) => run(vector, modules[bundle]);
  };
}

function can(modules, bundle, needed) {
  return modules[bundle] !== undefined && needed.every((name) => name in modules[bundle]);
}
