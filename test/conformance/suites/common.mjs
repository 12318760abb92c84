/** What the suites have in common: exact JSON out of a vector's plain JSON, and the comparison of refusals. */

/** A part of a vector, which is plain JSON, as the library's own JSON values, where whole numbers are bigints. */
export function exact(core, json) {
  return core.parseJson(JSON.stringify(json), { depth: 1_000 });
}

/**
 * Compares a refusal with what the vector expects.
 * @param {{ error: string, at?: string }} expected
 * @param {() => unknown} act what must throw
 * @returns {undefined | string}
 */
export function refuses(core, { error, at }, act) {
  let result;
  try {
    result = act();
  } catch (caught) {
    if (!core.isFlowError(caught)) throw caught;
    if (caught.code !== error) return `refused with ${caught.code}, not ${error}: ${caught.message}`;
    return at === undefined || caught.at === at
      ? undefined
      : `refused at ${JSON.stringify(caught.at)}, not ${JSON.stringify(at)}: ${caught.message}`;
  }
  return `not refused with ${error}${typeof result === "string" ? `, but read as ${result}` : ""}`;
}

/** `undefined` if both texts are the same. */
export function same(what, met, expected) {
  return met === expected ? undefined : `${what} is ${met}, not ${expected}`;
}

/**
 * Runs what must not be refused: a refusal is a vector that is not met, any other error breaks the suite off.
 * @param {() => undefined | string | Promise<undefined | string>} act
 */
export async function admits(core, act) {
  try {
    return await act();
  } catch (caught) {
    if (!core.isFlowError(caught)) throw caught;
    return `refused with ${caught.code} at ${JSON.stringify(caught.at)}: ${caught.message}`;
  }
}
