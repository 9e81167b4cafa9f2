/**
 * @typedef {import('./count-tests.mjs').TestCounts} TestCounts
 *
 * @typedef {object} TestRun
 * @property {TestCounts} counts
 * @property {string[]} failures a text for each
 * @property {string[]} failedFiles files with a failed test; none when something failed outside the tests
 *
 * @typedef {TestRun & { unsteady: string[] }} SettledRun `unsteady`: a text for each that failed and then passed
 */

/** More than this is no chance. */
const repeatedAtMost = 3

/**
 * Runs the files of a few failed tests once more, by themselves. What passes then is reported as
 * unsteady rather than failed: it has a cause that wants to be found, and it is no change's fault. A
 * test that fails twice, many that fail, and what fails outside the tests stay failed.
 *
 * @param {TestRun} run
 * @param {(files: string[]) => Promise<TestRun>} runFiles
 * @returns {Promise<SettledRun>}
 */
export async function repeatFailed(run, runFiles) {
  const { counts, failures, failedFiles } = run
  if (failedFiles.length === 0 || counts.failed > repeatedAtMost) return { ...run, unsteady: [] }
  const again = await runFiles(failedFiles)
  if (again.counts.failed > 0 || again.counts.passed < counts.failed) return { ...run, unsteady: [] }
  const settled = { ...counts, passed: counts.passed + counts.failed, failed: 0 }
  return { counts: settled, failures: [], failedFiles: [], unsteady: failures }
}
