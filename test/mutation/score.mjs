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
 * What is kept, without the survivors of one file. Stryker asks again of a survivor where a test that runs it is known to have
 * changed, which it does not know of every test; a test that was written to notice one has to be asked.
 * @template {{ files: Record<string, { mutants: { status: string }[] }> }} T
 * @param {T} kept
 * @param {string} path
 * @returns {T}
 */
export function forgetful(kept, path) {
  const file = kept.files[path];
  if (file === undefined) return kept;
  const mutants = file.mutants.filter(({ status }) => !SURVIVED.includes(status));
  return { ...kept, files: { ...kept.files, [path]: { ...file, mutants } } };
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
