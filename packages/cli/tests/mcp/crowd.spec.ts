import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { EngineWorld } from '../support/engine-world.ts'
import { workspaceFolder } from '../support/folder.ts'
import { eventually } from '../support/poll.ts'
import { httpServer } from './support/mcp-server.ts'

const programPath = fileURLToPath(new URL('support/crowd-program.ts', import.meta.url))
const testMs = 300_000
const endMs = 90_000

it(
  'a hundred clients of one server have a hundred containers, of which none is left when they have gone',
  { timeout: testMs },
  async () => {
    const engine = await EngineWorld.open()
    const server = await httpServer(workspaceFolder(), ['--reconnect=300', '--memory=64m'])
    const crowd = spawn(
      process.execPath,
      ['--conditions=bash-docker-source', programPath, server.url, server.token, '100'],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void crowd.kill('SIGKILL'))
    const lines = createInterface({ input: crowd.stdout })[Symbol.asyncIterator]()
    expect(await lines.next()).toEqual({ done: false, value: 'ready' })
    expect(await engine.containersOf(server.child.pid)).toHaveLength(100)

    crowd.stdin.write('60\n')
    expect(await lines.next()).toEqual({ done: false, value: 'left' })
    expect(await engine.containersOf(server.child.pid)).toHaveLength(40)

    crowd.kill('SIGKILL')
    await once(crowd, 'exit')
    await eventually('all are gone', async () => (await engine.objectsOf(server.child.pid)).length === 0, endMs)
    expect(server.child.exitCode).toBeNull()
  },
)
