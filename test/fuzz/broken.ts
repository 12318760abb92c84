/** A reader that breaks in every way, to see that fuzzing tells of each. */
import { FlowError } from "../../src/json/errors.ts";
import { attempt, type Target } from "./target.ts";
import { mutateText } from "./text.ts";

const CODES: ReadonlySet<string> = new Set(["known"]);

function broken(name: string, breaks: (input: string) => void): Target {
  return {
    name,
    seeds: ["one [two] three", "[a] [b] [c]"],
    mutate: (input, random, other) => mutateText(input, random, ["[", "]]", "x"], other),
    check(input) {
      attempt(() => breaks(input), CODES);
    },
  };
}

export const TARGETS: readonly Target[] = [
  broken("sound", (input) => {
    if (input.includes("]]")) throw new FlowError("known", "two of them");
  }),
  broken("throws", (input) => {
    if (/\]\].*x/s.test(input)) (undefined as unknown as { at(): void }).at();
  }),
  broken("unlisted", (input) => {
    if (input.includes("]]")) throw new FlowError("unknown", "two of them");
  }),
  broken("talks", (input) => {
    if (input.length > 3_000) throw new FlowError("known", `met ${input}`);
  }),
  broken("hangs", (input) => {
    while (input.includes("]]"));
  }),
  broken("labours", (input) => {
    let met = 0;
    // Each with each: nothing to see of it in short inputs.
    const { length } = input.slice(0, 4_000);
    for (let i = 0; i < length; i++) for (let j = 0; j < length; j++) if (input[i] === input[j]) met++;
    if (met < 0) throw new Error("never");
  }),
];

export { Coverage } from "./coverage.ts";
export { fuzz } from "./driver.ts";
