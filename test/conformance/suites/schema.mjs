/** The schema of a type, as its canonical text. */
import { admits, exact, same } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function schema(vector, { core }) {
  return admits(core, () => {
    const met = core.codecFor(vector.type, exact(core, vector.declarations)).schema();
    return same("the schema", core.canonicalText(met), vector.schema);
  });
}
