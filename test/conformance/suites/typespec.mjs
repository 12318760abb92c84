/** A type description, valid or refused. */
import { admits, exact, refuses } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function typespec(vector, { core }) {
  const act = () => core.readTypeSpec(exact(core, vector.spec));
  return vector.valid ? admits(core, () => void act()) : refuses(core, vector, act);
}
