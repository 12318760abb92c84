/** What a round of mutation tests comes to. */

const SURVIVED = ["Survived", "NoCoverage"];
/** A mutant that never ends is noticed as well. */
const KILLED = ["Killed", "Timeout"];

/**
 * @param {readonly { mutants: readonly { status: string }[] }[]} files as the report of a round has them
 * @returns {{ percent: number, text: string }} of the mutants that were judged; those that are left alone count nowhere
 */
export function scoreOf(files) {
  const of = (statuses) => files.flatMap(({ mutants }) => mutants).filter(({ status }) => statuses.includes(status)).length;
  const killed = of(KILLED);
  const survived = of(SURVIVED);
  const percent = killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
  return { percent, text: `${killed} of ${killed + survived} mutants killed, ${percent.toFixed(1)} %` };
}

/**
 * What is kept, without the survivors that no test is known to run: what happens when a module is loaded. Stryker asks again
 * of a survivor where one of the tests that run it has changed, and would never ask of these.
 * @template {{ files: Record<string, { mutants: { status: string, coveredBy?: string[] }[] }> }} T
 * @param {T} kept
 * @returns {T}
 */
export function forgetful(kept) {
  const knows = ({ status, coveredBy = [] }) => !SURVIVED.includes(status) || coveredBy.length > 0;
  const files = Object.entries(kept.files).map(([path, file]) => [path, { ...file, mutants: file.mutants.filter(knows) }]);
  return { ...kept, files: Object.fromEntries(files) };
}

/**
 * One line for each survivor: where, and what was put there.
 * @param {readonly { status: string, mutatorName: string, replacement?: string, location: { start: { line: number, column: number } } }[]} mutants
 * @returns {string[]}
 */
export function survivorsOf(path, mutants) {
  return mutants
    .filter(({ status }) => SURVIVED.includes(status))
    .map(({ location: { start }, status, mutatorName, replacement = "" }) => {
      const by = replacement.replaceAll(/\s+/g, " ").slice(0, 120);
      return `${path}:${start.line}:${start.column} ${status === "NoCoverage" ? "not run" : "survived"}, ${mutatorName}: ${by}`;
    });
}
