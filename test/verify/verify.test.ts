/** The long round goes through all its steps, and tells of each that fails. */
import { expect, it } from "vitest";
import { runSteps, stepsNamed } from "./verify.mjs";

it("goes on past what fails, and says so", async () => {
  const steps = {
    good: [["-e", "0"]],
    bad: [["-e", "process.exit(3)"]],
    dies: [["-e", "process.kill(process.pid, 'SIGKILL')"]],
    told: [["-e", "process.exit(process.env.TOLD === 'yes' ? 0 : 1)"], { TOLD: "yes" }],
  } as const;
  const lines: string[] = [];
  const { text, failed } = await runSteps(steps, (line: string) => lines.push(line.replace(/\d+ s$/, "N s")));
  expect(failed).toEqual(["bad", "dies"]);
  expect(text).toBe("2 of 4 passed; failed: bad, dies");
  expect(lines).toContain("== bad: failed with 3, N s");
  expect(lines).toContain("== dies: failed with SIGKILL, N s");
  expect((await runSteps({ good: steps.good }, () => {})).text).toBe("1 of 1 passed");
});

it("runs what is named, and all where nothing is", () => {
  expect(Object.keys(stepsNamed(["mutate", "soak"]))).toEqual(["soak", "mutate json", "mutate types", "mutate codec", "mutate protocol"]);
  expect(Object.keys(stepsNamed([]))).toContain("fuzz");
  expect(() => stepsNamed(["nothing"])).toThrow("no step nothing");
});
