import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseTreeReport, treeScript } from '../src/tree-script.ts'

const marker = `TREE_SCRIPT_SPEC=${process.pid}.`
const [name = '', value = ''] = marker.split('=')

/** Looks at this host's processes, as it would at a container's. */
async function look(signal: 'SIGTERM' | 'SIGKILL' | 'probe') {
  const [file = '', ...args] = treeScript(marker, signal, [])
  const { stdout } = await promisify(execFile)(file, args, { env: { PATH: process.env['PATH'] } })
  return parseTreeReport(stdout)
}

describe('the look at the processes of a command', () => {
  it('finds nobody where nobody carries the marker', async () => {
    expect(await look('probe')).toEqual({ aliveCount: 0, sessions: [] })
  })

  it('finds the whole session of whoever carries it, marker or not, and ends it by signal', async () => {
    const env = { PATH: process.env['PATH'], [name]: value }
    const command = 'env -i /bin/sleep 4711 & exec sleep 4711'
    const leader = spawn('bash', ['-c', command], { env, detached: true, stdio: 'ignore' })
    const ended = once(leader, 'exit')
    const session = String(leader.pid)
    await expect.poll(async () => await look('probe')).toEqual({ aliveCount: 2, sessions: [session] })
    expect(await look('SIGTERM')).toEqual({ aliveCount: 2, sessions: [session] })
    expect(await ended).toEqual([null, 'SIGTERM'])
    await expect.poll(async () => (await look('probe'))?.aliveCount).toBe(0)
  })

  it('reads its report, and nothing else', () => {
    expect(parseTreeReport('3 17 40\n')).toEqual({ aliveCount: 3, sessions: ['17', '40'] })
    expect(parseTreeReport('0\n')).toEqual({ aliveCount: 0, sessions: [] })
    expect(parseTreeReport('bash: fork: retry\n')).toBeUndefined()
    expect(parseTreeReport('')).toBeUndefined()
  })
})
