/** A text read as json.Value, and its canonical text. */
import { admits, refuses, same } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function canonical(vector, { core }) {
  const act = () => core.canonicalText(core.parseJson(vector.json));
  if (vector.error !== undefined) return refuses(core, vector, act);
  return admits(
    core,
    () =>
      same("the canonical text", act(), vector.canonical) ??
      same("its own canonical text", core.canonicalText(core.parseJson(vector.canonical)), vector.canonical),
  );
}
