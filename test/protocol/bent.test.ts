/** Messages bent in every way, by the targets of fuzzing, from one seed: what they hold of all inputs holds of these. */
import { expect, it } from "vitest";
import { fuzz } from "../fuzz/driver.ts";
import type { Target } from "../fuzz/target.ts";
import { lines } from "../fuzz/targets/lines.ts";
import { messages } from "../fuzz/targets/messages.ts";

it.each<[string, Target]>([
  ["lines come out the same however they are cut, and large messages are told as small ones are", lines],
  ["members and items are where JSON.parse sees them, and what was read is written and read again", messages],
])("%s", async (_, target) => {
  expect((await fuzz(target, { seed: 28, goesOn: (run) => run < 640 })).findings).toEqual([]);
});
