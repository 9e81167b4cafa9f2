import { join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { engineFiles } from './engine-files.mjs'
import { stopEngine } from './engine-process.mjs'
import { ensurePrivateEngine, findEngine } from './ensure-engine.mjs'
import { withLock } from './lock.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { SetupError } from './setup-error.mjs'

/**
 * Runs something with an engine that has the default image: the one that is there, else one of the
 * tests' own, which is ended afterwards. What is given to `run` is the environment that names it, and
 * whether it is the tests' own.
 *
 * @template T
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 * @param {(env: NodeJS.ProcessEnv, engine: { isOwn: boolean }) => Promise<T>} run
 * @param {{ prefersOwn?: boolean }} [options] `prefersOwn`: an engine that nobody chose does not count
 * @returns {Promise<T>}
 */
export async function withTestEngine(toolchain, context, run, { prefersOwn = false } = {}) {
  const env = toolEnv(process.env, toolchain.binDirs)
  const found = await findEngine(toolchain, context.signal)
  if (found.host === undefined && found.isChosen) {
    throw new SetupError('the engine that was chosen cannot be used', { output: found.tried.join('\n') })
  }
  if (found.host !== undefined && (found.isChosen || !prefersOwn)) {
    return withImage(found.isChosen ? env : { ...env, DOCKER_HOST: found.host }, { isOwn: false })
  }
  const files = engineFiles('test-engine')
  // Ending it ends it for everybody, so one run at a time uses it.
  return withLock(`${files.dir}.in-use`, context, async () => {
    try {
      await ensurePrivateEngine(found, files, context)
      return await withImage({ ...env, DOCKER_HOST: `unix://${files.socketPath}` }, { isOwn: true })
    } finally {
      await withLock(files.lockPath, context, () => stopEngine(files))
    }
  })

  /**
   * @param {NodeJS.ProcessEnv} engineEnv
   * @param {{ isOwn: boolean }} engine
   */
  async function withImage(engineEnv, engine) {
    const { progress, signal } = context
    await progress.step('Making sure of the default image', () =>
      runTool(toolchain.node, [join(repoDir, 'scripts/children/ensure-image.mjs')], {
        title: 'the default image',
        env: engineEnv,
        signal,
      }),
    )
    return run(engineEnv, engine)
  }
}
