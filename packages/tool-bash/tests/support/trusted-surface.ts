import { type BashExecutor, OwnerToken } from 'dsh-bash'
import { harnessTool } from '../../src/harness-tool.ts'
import type { ModelTool } from '../../src/index.ts'
import { Harness } from './harness.ts'
import { ScriptedBashExecutor } from './scripted-bash-executor.ts'

/** The `bash` tool over one executor. */
export type MakeTool = (bash: BashExecutor) => ModelTool

/** What a model might say to get at what only a trusted plugin may fill. */
export const hostileArguments = {
  command: 'cat; env',
  description: 'Show what arrives',
  stdin: 'injected',
  env: { INJECTED: 'injected' },
  owner: 'another-session',
}

/** What a tool may fill, and with whose word. */
const trustedFields = new Set(['command', 'workdir', 'timeoutMs', 'signal', 'owner'])

/**
 * The guard of the trusted-plugin surface: drives a `bash` tool through the real registry with
 * hostile arguments, in the foreground and in the background, and looks at what the executor gets.
 *
 * @returns a line for each field that the model must not reach; empty for a tool that holds
 */
export async function trustedSurfaceLeaks(makeTool: MakeTool): Promise<string[]> {
  await using harness = await Harness.start()
  await harness.ctx.plugin(ScriptedBashExecutor)
  const bash = harness.ctx.bash as ScriptedBashExecutor
  harness.ctx.tools.register(harnessTool(makeTool(bash)))
  const agent = harness.agent('session-a', '/work')
  const leaks: string[] = []
  for (const [mode, run_in_background] of Object.entries({ foreground: false, background: true })) {
    const result = await harness.call('bash', { ...hostileArguments, run_in_background }, { agent })
    if (result.isError) throw new Error(`the guard could not drive the tool: ${result.error.message}`)
    const received = { request: bash.requests.at(-1), spec: bash.specs.at(-1) }
    for (const [kind, fields] of Object.entries(received)) {
      if (fields === undefined) throw new Error(`no ${kind} reached the executor`)
      const names = Object.keys(fields).filter((name) => !trustedFields.has(name))
      if (fields.owner !== OwnerToken(agent.session.id)) names.push('owner')
      leaks.push(...names.map((name) => `${mode} ${kind}: ${name}`))
    }
  }
  return leaks
}
