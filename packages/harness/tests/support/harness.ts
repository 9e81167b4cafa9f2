import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import AgentRegistry, { type Agent, Inbox } from '@deepseek-ai/dsh-agent'
import LocalBashExecutor from '@deepseek-ai/dsh-bash-local'
import SandboxBashExecutor from '@deepseek-ai/dsh-bash-sandbox'
import LocalJobs from '@deepseek-ai/dsh-jobs-local'
import { CallId } from '@deepseek-ai/dsh-llm'
import type { SandboxMode } from '@deepseek-ai/dsh-sandbox'
import SandboxPolicy from '@deepseek-ai/dsh-sandbox-policy'
import { createScope } from '@deepseek-ai/dsh-scope'
import SessionStore, { SessionId } from '@deepseek-ai/dsh-session'
import * as shellEnv from '@deepseek-ai/dsh-shell-env'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import * as toolBash from '@deepseek-ai/dsh-tool-bash'
import * as toolFs from '@deepseek-ai/dsh-tool-fs'
import * as toolFsSearch from '@deepseek-ai/dsh-tool-fs-search'
import * as toolJobs from '@deepseek-ai/dsh-tool-jobs'
import ToolRuntime, { type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { connectEngine } from 'dsh-container'
import DockerFileSystem from '../../src/fs/index.ts'
import PermittedFileSystem from '../../src/permission/fs.ts'
import DockerSandbox from '../../src/permission/sandbox.ts'
import DockerSubprocess from '../../src/subprocess/index.ts'
import DockerWorld, { type DockerWorldConfig } from '../../src/world/index.ts'
import DockerSpill from '../../src/spill/index.ts'

/** The world's plugins alone, over a workspace of their own. */
export interface TestWorld extends AsyncDisposable {
  readonly ctx: Context
  readonly workspace: string
}

export async function testWorld(
  config: DockerWorldConfig = {},
  fileSystem: typeof DockerFileSystem = DockerFileSystem,
): Promise<TestWorld> {
  const workspace = mkdtempSync(join(tmpdir(), 'dsh-sandbox-docker-'))
  const ctx = new Context()
  const dispose = async (): Promise<void> => {
    await ctx.fiber.dispose()
    rmSync(workspace, { recursive: true, force: true })
  }
  try {
    await ctx.plugin(DockerWorld, { workspace: { path: workspace, access: 'read-write' }, ...config })
    await ctx.plugin(DockerSubprocess)
    await ctx.plugin(fileSystem, {})
  } catch (error) {
    await dispose()
    throw error
  }
  return { ctx, workspace, [Symbol.asyncDispose]: dispose }
}

interface HarnessOptions {
  readonly withBash?: boolean
  readonly mode?: SandboxMode
}

/** The world under the real tools of the harness. */
export class TestHarness implements AsyncDisposable {
  readonly ctx: Context
  readonly workspace: string
  readonly agent: Agent
  private callCount = 0
  private readonly world: TestWorld

  private constructor(world: TestWorld) {
    this.world = world
    this.ctx = world.ctx
    this.workspace = world.workspace
    this.agent = createAgent(world.ctx, world.workspace)
  }

  /**
   * @param options `withBash`: the tool that starts a shell for each call; `mode`: of the permission
   *   dialogue, which is not there without one
   */
  static async start(config: DockerWorldConfig = {}, options: HarnessOptions = {}): Promise<TestHarness> {
    const { withBash = true, mode } = options
    const world = await testWorld(config, mode === undefined ? DockerFileSystem : PermittedFileSystem)
    const { ctx } = world
    await ctx.plugin(SystemPrompt, {})
    await ctx.plugin(ToolRuntime, {})
    await ctx.plugin(SessionStore)
    await ctx.plugin(AgentRegistry)
    await ctx.plugin(SandboxPolicy, { mode: mode ?? 'danger-full-access', workspaceRoot: world.workspace })
    await ctx.plugin(DockerSpill)
    await ctx.plugin(LocalJobs, {})
    await ctx.plugin(toolJobs, {})
    await ctx.plugin(shellEnv, {})
    if (mode === undefined) await ctx.plugin(LocalBashExecutor, {})
    else {
      await ctx.plugin(DockerSandbox)
      await ctx.plugin(SandboxBashExecutor, {})
    }
    if (withBash) await ctx.plugin(toolBash, {})
    await ctx.plugin(toolFs, {})
    await ctx.plugin(toolFsSearch, { sampleOverCapGlobResults: false })
    return new TestHarness(world)
  }

  /** Calls a tool as the agent loop would. */
  call(name: string, args: unknown): Promise<ToolExecutionResult> {
    this.callCount += 1
    return this.ctx.tools.execute({
      callId: CallId(`call-${this.callCount}`),
      name,
      arguments: args,
      signal: new AbortController().signal,
      agent: this.agent,
    })
  }

  /** The text of a result, as the model reads it. */
  async text(name: string, args: unknown): Promise<string> {
    const result = await this.call(name, args)
    return result.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)).join('')
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.world[Symbol.asyncDispose]()
  }
}

/** An agent with a real session that no loop drives. */
function createAgent(ctx: Context, cwd: string): Agent {
  const session = ctx.sessions.create(SessionId('session-1'), { meta: { cwd } })
  const ignore = (): void => undefined
  const inbox = new Inbox(session, { inserted: ignore, discarded: ignore, claimed: ignore })
  const agent = { id: session.id, session, inbox, options: {}, status: 'idle' } satisfies Partial<Agent>
  // The rest drives a model, which nothing here does.
  const live = Object.assign(agent, { ctx: createScope(ctx, agent).ctx }) as unknown as Agent
  ctx.get('agents')?.register(live)
  return live
}

/** The sessions that the engine still knows of this process. */
export async function leftContainers(): Promise<string[]> {
  const engine = await connectEngine()
  const containers = await engine.port.listContainers(`bash-docker.owner-pid=${process.pid}`)
  return containers.map(({ id }) => id)
}
