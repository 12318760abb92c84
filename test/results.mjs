/** What the output of a suite comes to. */

/**
 * How many passed, and a line for each failure; an empty one where the suite has shown it already.
 * @typedef {{ passed: number, failures: string[] }} Result
 */

/**
 * A process that ended: its standard output, its exit status and in words how it ended.
 * @typedef {{ output: string, status: number | null, how: string }} Ended
 */

/** The failures of a command that has nothing to count. @param {Ended} ended @returns {string[]} */
export function badEnd({ status, how }) {
  return status === 0 ? [] : [how];
}

/**
 * The result of a command whose last line is `N passed, N failed`.
 * @param {Ended} ended
 * @returns {Result}
 */
export function counted({ output, status, how }) {
  const [, passed, failed] = /(?:^|\n)(\d+) passed, (\d+) failed\n?$/.exec(output) ?? [];
  if (passed === undefined) return { passed: 0, failures: [`${how} without a result`] };
  const failures = Array.from({ length: Number(failed) }, () => "");
  return { passed: Number(passed), failures: failures.length === 0 ? badEnd({ output, status, how }) : failures };
}

/**
 * The result of a vitest run, from what its JSON reporter wrote. What was not run, because it was skipped or left to do, has
 * not passed, and neither has a run that failed without a failing test: then something was thrown outside of any.
 * @param {{ testResults: any[] }} report
 * @param {Ended} ended
 * @returns {Result}
 */
export function ofVitest({ testResults }, ended) {
  const failures = testResults.flatMap(failuresOf);
  const passed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === "passed").length;
  if (passed + failures.length === 0) failures.push("no tests");
  return { passed, failures: failures.length === 0 ? badEnd(ended) : failures };
}

function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults
    .filter((test) => test.status !== "passed")
    .map(
      (test) =>
        `${name}: ${test.fullName}: ${test.status === "failed" ? firstLine(test.failureMessages?.[0]) : `not run (${test.status})`}`,
    );
  return failed.length === 0 && status !== "passed" ? [`${name}: ${firstLine(message)}`] : failed;
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}
