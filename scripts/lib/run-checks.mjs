import { availableParallelism } from 'node:os'
import { toolEnv } from './child-env.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/** Scripts of package.json, the longest first. */
const checks = ['exports', 'unused', 'typecheck', 'lint', 'format:check']

/**
 * Runs every static check and prints a line for each, with what it printed when it fails.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {AbortSignal} signal
 * @returns {Promise<number>} how many failed
 */
export async function runChecks({ pnpm, binDirs }, signal) {
  const env = { ...toolEnv(process.env, binDirs), NO_COLOR: '1' }
  const waiting = [...checks]
  let failedCount = 0
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const output = await outputOfFailure(() =>
        runTool(pnpm, ['run', name], { title: name, cwd: repoDir, env, signal }),
      )
      if (output !== undefined) failedCount += 1
      console.log(output === undefined ? `check ok      ${name}` : `check FAILED  ${name}\n${output}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return failedCount
}

/**
 * @param {() => Promise<unknown>} run
 * @returns {Promise<string | undefined>} undefined when it did not fail
 */
async function outputOfFailure(run) {
  try {
    await run()
    return undefined
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    return error.output ?? error.message
  }
}
