/** The suites, by the base name of their files. */

/**
 * A suite's function: `undefined` if the vector is met, or else why not.
 * @typedef {(vector: any, modules: import("../conformance.mjs").Modules) => undefined | string | Promise<undefined | string>} Run
 */

/**
 * By name, what loads a suite's function.
 * @type {Record<string, () => Promise<Run>>}
 */
export const SUITES = {
  canonical: suite("./canonical.mjs"),
  decode: suite("./decode.mjs"),
  order: suite("./order.mjs"),
  schema: suite("./schema.mjs"),
  fingerprint: suite("./fingerprint.mjs"),
  typespec: suite("./typespec.mjs"),
  callview: suite("./callview.mjs"),
  flowtools: suite("../declarations-suite.mjs"),
  json1: contractsSuite("json1"),
  schema1: contractsSuite("schema1"),
  contract: contractsSuite("contract"),
  contractcall: contractsSuite("contractcall"),
  contractmatch: contractsSuite("contractmatch"),
  flowmd: contractsSuite("flowmd"),
};

/** A suite in a file of its own. */
function suite(file) {
  return async () => (await import(file)).default;
}

/** One of the suites that know of the bundle of contracts only. */
function contractsSuite(name) {
  return async () => {
    const run = (await import("../contracts-suites.mjs")).suites[name];
    return (vector, { contracts }) => run(vector, contracts);
  };
}
