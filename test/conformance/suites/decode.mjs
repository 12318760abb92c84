/** A text decoded at a type, and the canonical text of the value. */
import { admits, exact, refuses, same } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function decode(vector, { core }) {
  const codec = core.codecFor(vector.type, exact(core, vector.declarations));
  const options = { mode: vector.mode, grant: vector.hostTokens ? "tokens" : "none", limits: vector.limits ?? {} };
  const act = () => codec.encode(codec.decode(vector.json, options));
  if (vector.error !== undefined) return refuses(core, vector, act);
  // What was written must be read again, in the strictest way, as what it was.
  const again = () => codec.encode(codec.decode(vector.canonical, { ...options, mode: "strict", limits: {} }));
  return admits(
    core,
    () => same("the canonical text", act(), vector.canonical) ?? same("the canonical text, read again,", again(), vector.canonical),
  );
}
