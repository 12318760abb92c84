/** Full collections, for tests that say what is no longer held. */
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects everything that is garbage, also what is only let go of in the turns that follow a collection. */
export async function collect(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    gc();
    await pause(5);
  }
}
