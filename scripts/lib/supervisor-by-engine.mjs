import { join } from 'node:path'
import { toolEnv } from './child-env.mjs'
import { repoDir } from './places.mjs'
import { runTool } from './run-tool.mjs'
import { isSupervisorBuilt, ownTarget, placeSupervisor } from './supervisor.mjs'

/**
 * Has the engine that the environment names build the supervisor, where this machine could not: no Linux, or no
 * compiler. The engine needs the base image of `docker/supervisor/Dockerfile`, or a registry that has it.
 *
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @param {import('./context.mjs').SetupContext} context
 */
export async function ensureSupervisorByEngine({ node, binDirs }, { progress, signal }) {
  const target = ownTarget
  if (target === undefined || (await isSupervisorBuilt(target))) return
  const env = toolEnv(process.env, binDirs)
  const child = join(repoDir, 'scripts/children/build-supervisor.mjs')
  await progress.step('Building the supervisor on the engine', () =>
    placeSupervisor(target, (path) => runTool(node, [child, target, path], { title: 'the supervisor', env, signal })),
  )
}
