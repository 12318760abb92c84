/** Values in strictly ascending order: each pair of them is compared, both ways round and with itself. */
import { admits, exact } from "./common.mjs";

/** @type {import("./suites.mjs").Run} */
export default function order(vector, { core }) {
  return admits(core, () => {
    const codec = core.codecFor(vector.type, exact(core, vector.declarations));
    const values = vector.sorted.map((text) => codec.decode(text));
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) {
        const met = Math.sign(codec.compare(a, b));
        if (met !== Math.sign(i - j)) return `${vector.sorted[i]} against ${vector.sorted[j]} gives ${met}, not ${Math.sign(i - j)}`;
        if (codec.equals(a, b) !== (i === j)) return `${vector.sorted[i]} and ${vector.sorted[j]} are ${i === j ? "not " : ""}equal`;
      }
    }
    return undefined;
  });
}
