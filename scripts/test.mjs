// npm test [-- vitest arguments]: sets up what is missing, then checks and tests everything, against a real engine.
// The last line it prints is `N passed, N failed, N skipped`.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addCounts, countTests, formatCounts } from './lib/count-tests.mjs'
import { watchLeftovers } from './lib/leftovers.mjs'
import { filesOfFailedTests, listFailures } from './lib/list-failures.mjs'
import { main } from './lib/main.mjs'
import { repoDir } from './lib/places.mjs'
import { prepareCheckout } from './lib/prepare.mjs'
import { repeatFailed } from './lib/repeat-failed.mjs'
import { runChecks } from './lib/run-checks.mjs'
import { runForeground } from './lib/run-foreground.mjs'
import { withTestEngine } from './lib/test-engine.mjs'
import { ensureGvisor, ensureTestTools, gvisorConfig } from './lib/test-tools.mjs'

const args = process.argv.slice(2)
/** Arguments narrow the run to some tests: whoever gives them wants these and no more. */
const isWhole = args.length === 0

await main(async (context) => {
  const toolchain = await prepareCheckout(context)
  await ensureTestTools(context)
  if (isWhole) await ensureGvisor(context)
  const failedChecks = isWhole ? await runChecks(toolchain, context.signal) : 0
  const { counts, failures, unsteady, leftCount } = await withTestEngine(toolchain, context, async (env, { isOwn }) => {
    const findLeftovers = await watchLeftovers(toolchain, env, context.signal)
    /** @param {string[]} vitestArgs */
    const run = async (vitestArgs) => {
      const first = await runTests(toolchain.node, env, vitestArgs)
      if (!isWhole) return { ...first, unsteady: [] }
      return repeatFailed(first, (files) => runTests(toolchain.node, env, [...vitestArgs, ...files]))
    }
    const runs = [await run(args)]
    if (isWhole) {
      // Nobody's engine but our own is known to know gVisor.
      if (isOwn) runs.push(await run(['--config', gvisorConfig]))
      else console.log('Not tested: gVisor, on an engine that is not our own. `npm run test:gvisor` does.')
    }
    const left = await findLeftovers()
    for (const { kind, name } of left) console.log(`left on the engine: ${kind} ${name}`)
    return {
      counts: runs.map((each) => each.counts).reduce(addCounts),
      failures: runs.flatMap((each) => each.failures),
      unsteady: runs.flatMap((each) => each.unsteady),
      leftCount: left.length,
    }
  })
  for (const text of unsteady) console.log(`unsteady, for it passed when it was repeated: ${text}`)
  for (const failure of failures) console.log(failure)
  if (failedChecks > 0) console.log(`${failedChecks} of the checks failed; each counts as one failed test`)
  if (leftCount > 0) console.log('what was left on the engine counts as one failed test')
  const failed = counts.failed + failedChecks + Math.min(leftCount, 1)
  console.log(formatCounts({ ...counts, failed }))
  return failed === 0 && counts.passed > 0 ? 0 : 1
})

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env names the engine
 * @param {string[]} vitestArgs
 */
async function runTests(node, env, vitestArgs) {
  const reportDir = await mkdtemp(join(tmpdir(), 'bash-docker-test-'))
  try {
    const reportPath = join(reportDir, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
    const vitest = join(repoDir, 'node_modules/vitest/vitest.mjs')
    const status = await runForeground(node, [vitest, 'run', ...reporters, ...vitestArgs], { env, cwd: repoDir })
    const text = await readFile(reportPath, 'utf8').catch(() => undefined)
    const report = text === undefined ? undefined : JSON.parse(text)
    return {
      counts: countTests(report, status),
      failures: listFailures(report, repoDir),
      failedFiles: filesOfFailedTests(report),
    }
  } finally {
    await rm(reportDir, { recursive: true })
  }
}
