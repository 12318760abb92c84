/** A type description's signature in both its forms, and its fingerprint. */
import { admits, exact, same } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function fingerprint(vector, { core }) {
  return admits(core, async () => {
    const spec = core.readTypeSpec(exact(core, vector.spec));
    const { described, canonical } = core.signatureOf(spec);
    return (
      same("the signature", core.canonicalText(described), vector.signature) ??
      same("the canonical signature", canonical, vector.canonicalSignature) ??
      same("the fingerprint", await core.fingerprintOf(spec), vector.fingerprint)
    );
  });
}
