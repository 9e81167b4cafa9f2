import { randomUUID } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestId } from '@modelcontextprotocol/sdk/types.js'
import { bashTools } from 'dsh-tool-bash'
import { warn } from '../output/report-error.ts'
import { clientServer } from './client-server.ts'
import { instructions } from './instructions.ts'
import type { ServedSandbox } from './mcp-settings.ts'
import { openServedBash, type ServedBash } from './served-bash.ts'
import { sessionStep } from './session-step.ts'
import { SpillResources } from './spill-resources.ts'

/** One client: what it talks to, and the world that its commands run in. */
export class Connection {
  /** To be connected to the client's transport. */
  readonly server: Server
  /** Resolves when the client cannot be talked to any more, whoever closed the connection: it is to be ended then. */
  readonly closed: Promise<void>
  private readonly bash: ServedBash
  private ending: Promise<void> | undefined

  private constructor(server: Server, bash: ServedBash) {
    this.server = server
    this.bash = bash
    this.closed = new Promise((resolve) => {
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
      server.onclose = resolve
    })
  }

  /**
   * A container is started when its first command is.
   *
   * @param abandoned told of a request that its client gave up
   */
  static async open(sandbox: ServedSandbox, abandoned: (id: RequestId) => void = () => undefined): Promise<Connection> {
    let step = 'starting'
    const bash = await openServedBash(sandbox, (event) => {
      step = sessionStep(event)
    })
    const { config } = sandbox
    const server = clientServer({
      tools: bashTools(bash),
      reach: {
        canChangeWorkspace: config.workspace.mode !== 'none' && config.workspace.access === 'read-write',
        hasNetwork: config.network !== 'none',
      },
      spills: new SpillResources(bash),
      caller: { sessionId: randomUUID(), cwd: config.cwd },
      instructions: instructions(config),
      sessionStep: () => step,
      abandoned,
    })
    return new Connection(server, bash)
  }

  /** Ends everything that the client started, and its container. Never rejects. */
  end(): Promise<void> {
    this.ending ??= this.finish()
    return this.ending
  }

  private async finish(): Promise<void> {
    await this.server.close().catch(warn)
    try {
      await this.bash[Symbol.asyncDispose]()
    } catch (error) {
      warn(error)
    }
  }
}
