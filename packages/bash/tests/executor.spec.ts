import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import {
  type BashExecRequest,
  type BashExecSpec,
  BashExecutor,
  type BashRunResult,
  type BashTask,
  BashTaskId,
  type BashTaskRead,
  OwnerToken,
} from '../src/index.ts'

/** An executor that runs nothing: the seam's own rules are what is tested. */
class ScriptedExecutor extends BashExecutor {
  private readonly tasks = new Map<BashTaskId, { task: BashTask; owner: OwnerToken | undefined }>()

  resolve(request: BashExecRequest): BashExecSpec {
    return { command: request.command, workdir: '/', timeoutMs: 1, owner: request.owner }
  }

  run(): Promise<BashRunResult> {
    return Promise.reject(new Error('runs nothing'))
  }

  start(spec: BashExecSpec): BashTask {
    const task: BashTask = {
      id: BashTaskId(`bash-${this.tasks.size + 1}`),
      command: spec.command,
      status: 'running',
      exitCode: null,
      signal: null,
      done: Promise.resolve(),
    }
    this.tasks.set(task.id, { task, owner: spec.owner })
    return task
  }

  get(id: BashTaskId): BashTask | undefined {
    return this.tasks.get(id)?.task
  }

  list(): BashTask[] {
    return [...this.tasks.values()].map((entry) => entry.task)
  }

  ownerOf(id: BashTaskId): OwnerToken | undefined {
    return this.tasks.get(id)?.owner
  }

  readOutput(id: BashTaskId): BashTaskRead {
    const task = this.get(id)
    if (task === undefined) throw new Error(`unknown bash task "${id}"`)
    return { task, delta: '', lossy: false }
  }

  kill(): boolean {
    return false
  }

  finish(task: BashTask): void {
    this.notifyTaskDone(task)
  }
}

async function load() {
  const ctx = new Context()
  const fiber = await ctx.plugin(ScriptedExecutor)
  const bash = ctx.bash as ScriptedExecutor
  const task = bash.start(bash.resolve({ command: 'true', owner: OwnerToken('') }))
  return { ctx, fiber, bash, task }
}

describe('BashExecutor', () => {
  it('registers as ctx.bash and hands the owner back verbatim', async () => {
    const { ctx, task } = await load()
    expect(ctx.bash.get(task.id)).toBe(task)
    expect(ctx.bash.ownerOf(task.id)).toBe('')
  })

  it('throws when a second one is loaded into the same context', async () => {
    const { ctx } = await load()
    await expect(
      (async () => {
        await ctx.plugin(class Second extends ScriptedExecutor {})
      })(),
    ).rejects.toThrow(/bash/)
  })

  it('tells each listener once for each registration, until it is disposed', async () => {
    const { bash, task } = await load()
    const listener = vi.fn()
    const disposeFirst = bash.onTaskDone(listener)
    bash.onTaskDone(listener)
    bash.finish(task)
    expect(listener).toHaveBeenCalledTimes(2)
    disposeFirst()
    bash.finish(task)
    expect(listener).toHaveBeenCalledTimes(3)
  })

  it('logs a listener that throws and tells the others', async () => {
    const { bash, task } = await load()
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const other = vi.fn()
    bash.onTaskDone(() => {
      throw new Error('of the listener')
    })
    bash.onTaskDone(other)
    bash.finish(task)
    expect(other).toHaveBeenCalledWith(task)
    expect(logged).toHaveBeenCalledOnce()
    logged.mockRestore()
  })

  it('drops the listeners of a plugin with that plugin', async () => {
    const { ctx, bash, task } = await load()
    const listener = vi.fn()
    const plugin = await ctx.plugin({
      inject: ['bash'],
      apply: (inner: Context) => void inner.bash.onTaskDone(listener),
    })
    bash.finish(task)
    await plugin.dispose()
    bash.finish(task)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('tells nobody after the executor was disposed', async () => {
    const { fiber, bash, task } = await load()
    const listener = vi.fn()
    bash.onTaskDone(listener)
    await fiber.dispose()
    bash.finish(task)
    expect(listener).not.toHaveBeenCalled()
  })
})
