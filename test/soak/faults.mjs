/** Which call misbehaves, and how: known on both sides from the call's number alone. */
const FAULTS = ["failed", "throws", "not-run", "wrong", "twice", "late", "never"];

/** @param {number} n The call's number. One in five misbehaves; one in 997 takes its process with it. */
export function faultOf(n) {
  if (n % 997 === 501) return "dies";
  // Multiplying by a number without a common factor spreads the faults over both Tools.
  const mixed = (n * 7919) % 35;
  return mixed < FAULTS.length ? FAULTS[mixed] : "none";
}
