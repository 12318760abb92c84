import { expect, it } from "vitest";
import { soak } from "./soak.mjs";

it("a short soak: nothing is lost, nothing ends twice, the history is whole", async () => {
  const report = (await soak({ calls: 4_000, outstanding: 200 })) as { calls: number; outcomes: Record<string, number>; restarts: number };
  expect(report.calls).toBe(4_000);
  expect(Object.keys(report.outcomes).sort()).toEqual(["BadReply", "Failed", "NotRun", "Ok", "Unknown"]);
  expect(report.restarts).toBeGreaterThan(0);
}, 120_000);
