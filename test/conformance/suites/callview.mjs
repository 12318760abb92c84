/** A call's description of its types against the served one. */
import { admits, exact, refuses } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function callview(vector, { core }) {
  const served = core.readTypeSpec(exact(core, vector.served));
  const part = (member) => (Object.hasOwn(vector, member) ? { [member]: exact(core, vector[member]) } : {});
  const act = () => core.readCallView({ ...part("schema"), ...part("types") }, served);
  return vector.valid ? admits(core, () => void act()) : refuses(core, vector, act);
}
