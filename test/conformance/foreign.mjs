/**
 * Suites that another implementation answers, line by line: `test/vectors/README.md` says how. It makes the answers, the comparison
 * is made here.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";

/** What a suite's function gives for a vector of a suite that the implementation does not have. */
export const NOT_THERE = Symbol("not there");

/** The members of vectors that are expectations. */
const EXPECTED = [
  ...["canonical", "canonicalSha256", "error", "at", "sorted", "schema", "signature", "canonicalSignature", "fingerprint", "valid"],
  ...["tools", "refused", "compile", "cases", "units", "digest", "verdict", "outcome", "calls", "match", "equivocation", "uses"],
];
/** Where a member of one of these names is given, not expected. */
const GIVEN = { callview: ["schema"], schema1: ["schema"] };

/**
 * Starts the implementation.
 * @param {string} command for a shell
 * @returns {{ run: (suite: string, vector: any) => Promise<undefined | string | typeof NOT_THERE>, close: () => void }}
 */
export function foreign(command) {
  const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  // Whoever has ended gives no line; that it can't be written to either is the same news.
  child.stdin.on("error", () => {});
  return {
    run: async (suite, vector) => {
      child.stdin.write(`${JSON.stringify([suite, vector])}\n`);
      const { value: line, done } = await lines.next();
      if (done) return "the implementation has ended";
      try {
        return compared(suite, vector, JSON.parse(line));
      } catch (error) {
        return `the answer is no line of JSON: ${error.message}`;
      }
    },
    close: () => child.stdin.end(),
  };
}

/** `undefined` if an answer meets the vector, or else why not. */
export function compared(suite, vector, answer) {
  if (answer === null) return NOT_THERE;
  const members = EXPECTED.filter((member) => Object.hasOwn(vector, member) && !GIVEN[suite]?.includes(member));
  const missed = members.find((member) => !meets(member, vector, answer?.[member]));
  return missed === undefined ? undefined : `${missed} is not as expected, the answer is ${JSON.stringify(answer)}`;
}

function meets(member, vector, met) {
  const expected = vector[member];
  switch (member) {
    case "error":
      return expected === true ? met !== undefined : [expected, ...(vector.also ?? [])].includes(met);
    case "verdict":
      return expected === "UNKNOWN_METHOD" ? typeof met === "string" && met !== "ok" : met === expected;
    case "refused":
      return isDeepStrictEqual(places(met), places(expected));
    case "cases":
      return (
        Array.isArray(met) && met.length === expected.length && expected.every((one, i) => compared("case", one, met[i]) === undefined)
      );
    default:
      return isDeepStrictEqual(met, expected);
  }
}

function places(refused) {
  return Array.isArray(refused) ? refused.map(({ file, line }) => `${file}:${line}`).sort() : refused;
}
