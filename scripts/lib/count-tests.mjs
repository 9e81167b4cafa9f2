/**
 * The part of vitest's JSON report that counting needs.
 *
 * @typedef {object} TestReport
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults one for each file
 *
 * @typedef {object} TestCounts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 */

/**
 * Counts over all tests. What fails outside a test counts as one failed test each: a file that does not load or has
 * no test, a hook, and an error that belongs to no file. A `todo` counts as skipped.
 *
 * @param {TestReport | undefined} report undefined when the run did not come to write one
 * @param {number} exitStatus of the run
 * @returns {TestCounts}
 */
export function countTests(report, exitStatus) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report?.testResults ?? []) {
    for (const test of file.assertionResults) {
      if (test.status === 'passed') counts.passed += 1
      else if (test.status === 'failed') counts.failed += 1
      else counts.skipped += 1
    }
    if (failedOutsideTests(file)) counts.failed += 1
  }
  if (exitStatus !== 0 && counts.failed === 0) counts.failed = 1
  return counts
}

/**
 * Whether a file failed without a failed test: it did not load or has no test, or a hook failed.
 *
 * @param {{ status: string, assertionResults: { status: string }[] }} file of vitest's JSON report
 */
export function failedOutsideTests({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
}

/**
 * @param {TestCounts} one
 * @param {TestCounts} other
 * @returns {TestCounts}
 */
export function addCounts(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** @param {TestCounts} counts */
export function formatCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
