import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { ModelTool } from 'dsh-tool-bash'
import { onTestFinished } from 'vitest'
import { clientServer } from '../../../src/mcp/client-server.ts'
import { SpillResources } from '../../../src/mcp/spill-resources.ts'
import type { RecordingBash } from './recording-bash.ts'

/** A client of the server over these tools, in this process. */
export async function clientOf(bash: RecordingBash, tools: readonly ModelTool[]): Promise<Client> {
  const server = clientServer({
    tools,
    reach: { canChangeWorkspace: false, hasNetwork: false },
    spills: new SpillResources(bash),
    caller: { sessionId: 'session-of-the-connection', cwd: '/work' },
    instructions: 'For a test.',
    sessionStep: () => 'starting',
    abandoned: () => undefined,
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(serverSide), client.connect(clientSide)])
  onTestFinished(() => client.close())
  return client
}
