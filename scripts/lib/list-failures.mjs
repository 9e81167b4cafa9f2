import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { failedOutsideTests } from './count-tests.mjs'

/**
 * The part of vitest's JSON report that naming its failures needs.
 *
 * @typedef {object} FailureReport
 * @property {{ name: string, status: string, message?: string, assertionResults: FailureTest[] }[]} testResults
 *   one for each file, which `name` names by its whole path
 *
 * @typedef {object} FailureTest
 * @property {string} status
 * @property {string} fullName
 * @property {string[] | null} [failureMessages]
 */

const messageLines = 12

/**
 * Names what failed, each with the beginning of its message, for the end of a long run's output: what is
 * kept of a run elsewhere is often its last part alone.
 *
 * @param {FailureReport | undefined} report undefined when the run did not come to write one
 * @param {string} rootDir paths are given from here
 * @returns {string[]} one text for each failed test, and for each file that failed outside its tests
 */
export function listFailures(report, rootDir) {
  return (report?.testResults ?? []).flatMap((result) => {
    const file = relative(rootDir, result.name)
    if (failedOutsideTests(result)) return [describe(file, result.message ?? '')]
    const failed = result.assertionResults.filter((test) => test.status === 'failed')
    return failed.map((test) => describe(`${file} > ${test.fullName}`, (test.failureMessages ?? []).join('\n')))
  })
}

/**
 * The files of the failed tests, by their whole paths.
 *
 * @param {FailureReport | undefined} report
 * @returns {string[]} none when a file failed outside its tests
 */
export function filesOfFailedTests(report) {
  const failed = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  return failed.some(failedOutsideTests) ? [] : failed.map(({ name }) => name)
}

/**
 * @param {string} title
 * @param {string} message
 */
function describe(title, message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, messageLines)
  return [`FAILED ${title}`, ...lines.filter((line) => line.trim() !== '').map((line) => `    ${line}`)].join('\n')
}
