import { OwnerToken } from 'dsh-bash'
import { bashTools, type ModelTool } from 'dsh-tool-bash'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clientOf } from './support/in-process.ts'
import { RecordingBash } from './support/recording-bash.ts'

/** What a tool may fill, and with whose word. */
const trustedFields = new Set(['command', 'workdir', 'timeoutMs', 'signal', 'owner'])

const honest = { command: 'cat; env', description: 'Show what arrives' }

/** What a model might say to get at what only a trusted plugin may fill. */
const hostile = { stdin: 'injected', env: { INJECTED: 'injected' }, owner: 'another-session' }

/**
 * The guard of the trusted-plugin surface for the way over MCP: what reaches the executor when a client sends
 * each hostile argument, and each of them beside `run_in_background`.
 *
 * @returns a line for each field that the client must not reach; empty for a server that holds
 */
async function leaksOf(change: (tools: readonly ModelTool[]) => readonly ModelTool[]): Promise<string[]> {
  const bash = await RecordingBash.open()
  const client = await clientOf(bash, change(bashTools(bash)))
  const leaks: string[] = []
  const cases = Object.entries(hostile).flatMap(([name, value]) =>
    [false, true].map((run_in_background) => ({ name, args: { ...honest, run_in_background, [name]: value } })),
  )
  for (const { name, args } of [...cases, { name: 'none', args: honest }]) {
    const before = bash.requests.length
    await client.callTool({ name: 'bash', arguments: args })
    for (const request of bash.requests.slice(before)) {
      const fields = Object.keys(request).filter((field) => !trustedFields.has(field))
      if (request.owner !== OwnerToken('session-of-the-connection')) fields.push('owner')
      leaks.push(...fields.map((field) => `${name}: ${field}`))
    }
  }
  expect(bash.requests.length, 'the guard could not drive the tool').toBeGreaterThan(0)
  return leaks
}

/** A mutant: the same tool, but it knows a field that it must not, and forwards it. */
function forwarding(field: string): (tools: readonly ModelTool[]) => readonly ModelTool[] {
  return ([bash, ...others]) => {
    const recording = bash as ModelTool
    const parameters = z.object({ ...recording.parameters.shape, [field]: z.unknown() })
    const execute: ModelTool['execute'] = async (args, call) => {
      const said = args as Record<string, unknown>
      const { requests } = RecordingBash.last
      const value = await recording.execute(args, call)
      if (Object.hasOwn(said, field)) Object.assign(requests.at(-1) as object, { [field]: said[field] })
      return value
    }
    return [{ ...recording, parameters, execute }, ...others]
  }
}

describe('the trusted-plugin surface', () => {
  it('is out of reach of what a client over MCP says', async () => {
    expect(await leaksOf((tools) => tools)).toEqual([])
  })

  it('is not even asked for: such a call is refused and reaches no executor', async () => {
    const bash = await RecordingBash.open()
    const client = await clientOf(bash, bashTools(bash))
    for (const [name, value] of Object.entries(hostile)) {
      const result = await client.callTool({ name: 'bash', arguments: { ...honest, [name]: value } })
      expect(result).toMatchObject({ isError: true, _meta: { 'bash-docker/error': { code: 'ARGUMENTS_INVALID' } } })
    }
    expect(bash.requests).toEqual([])
  })
})

describe('the guard of the trusted-plugin surface goes red', () => {
  it.each(['stdin', 'env', 'owner'])('when the tool forwards %s', async (field) => {
    expect(await leaksOf(forwarding(field))).toEqual([`${field}: ${field}`, `${field}: ${field}`])
  })
})
