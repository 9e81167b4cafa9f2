import { randomUUID } from 'node:crypto'
import { posix } from 'node:path'
import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { harnessTool } from '../../src/harness-tool.ts'
import * as toolBash from '../../src/index.ts'
import { inBackground, running } from './calls.ts'
import { Harness, textOf } from './harness.ts'
import { leakingTool } from './leaking-tool.ts'
import { hostileArguments } from './trusted-surface.ts'

/** An executor to run the tools on. */
export interface ExecutorUnderTest {
  /** Loads it into the context. */
  load(ctx: Context): PromiseLike<unknown>
  /** An absolute directory that exists where its commands run: the directory of the sessions. */
  workdir: string
  /** After everything else. */
  cleanUp?(): Promise<void>
}

/**
 * The tools on a real executor through the real registry. Everything is looked at from where the
 * commands run, by commands of the same session, so that it holds for a host and for a container.
 */
export function describeToolIntegration(name: string, setUp: () => Promise<ExecutorUnderTest>): void {
  describe(`the tools on ${name}`, () => {
    let executor: ExecutorUnderTest
    let harness: Harness
    let tools: Fiber
    let agent: Agent
    let stranger: Agent

    beforeAll(async () => {
      executor = await setUp()
      harness = await Harness.start()
      await executor.load(harness.ctx)
      tools = await harness.ctx.plugin(toolBash)
      agent = harness.agent('session-a', executor.workdir)
      stranger = harness.agent('session-b', executor.workdir)
    })

    afterAll(async () => {
      await harness?.[Symbol.asyncDispose]()
      await executor?.cleanUp?.()
    })

    const bash = (command: string, more: Record<string, unknown> = {}): Promise<ToolExecutionResult> =>
      harness.call('bash', running(command, more), { agent })
    const textOfBash = async (command: string): Promise<string> => textOf(await bash(command))
    const touch = async (tool: 'bash_output' | 'bash_kill', id: string, by = agent): Promise<string> =>
      textOf(await harness.call(tool, { task_id: id }, { agent: by }))
    /** A path in the world of the commands that no other test uses. */
    const freshPath = (): string => `${executor.workdir}/${randomUUID()}`

    async function start(command: string): Promise<string> {
      const text = textOf(await harness.call('bash', inBackground(command), { agent }))
      return /^started background task (bash-\d+)$/.exec(text)?.[1] ?? expect.unreachable(text)
    }

    /** Until the process that wrote its id there is gone. */
    async function expectGone(pidFile: string): Promise<void> {
      const probe = `if kill -0 "$(cat ${pidFile})" 2>/dev/null; then echo alive; else echo gone; fi`
      await expect.poll(() => textOfBash(probe)).toBe('gone\n')
    }

    async function expectFile(path: string): Promise<void> {
      const probe = `if [ -s ${path} ]; then echo there; else echo missing; fi`
      await expect.poll(() => textOfBash(probe)).toBe('there\n')
    }

    it('reports stdout, stderr and the exit code', async () => {
      const result = await bash('echo out; echo err >&2; exit 3')
      expect(textOf(result)).toBe('out\n[stderr]\nerr\n[exit code: 3]')
      expect(result).toMatchObject({ isError: false, meta: { exitCode: 3, signal: null } })
    })

    it('runs in the directory of the session, or from there', async () => {
      expect(await textOfBash('pwd')).toBe(`${executor.workdir}\n`)
      expect(textOf(await bash('pwd', { workdir: '../' }))).toBe(`${posix.dirname(executor.workdir)}\n`)
      expect(textOf(await bash('pwd', { workdir: '/' }))).toBe('/\n')
    })

    it('is an error when the command could not run', async () => {
      const result = await bash('true', { workdir: freshPath() })
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('ENOENT')])
    })

    it('ends a command at its timeout', async () => {
      const pidFile = freshPath()
      const result = await bash(`echo $$ > ${pidFile}; echo begun; exec sleep 300`, { timeoutMs: 1000 })
      expect(result.isError).toBe(false)
      expect(textOf(result)).toMatch(/^begun\n\[timed out after 1000ms\]\n/)
      await expectGone(pidFile)
    })

    it('ends a command when its call is aborted', async () => {
      const pidFile = freshPath()
      const controller = new AbortController()
      const command = running(`echo $$ > ${pidFile}; exec sleep 300`)
      const call = harness.call('bash', command, { agent, signal: controller.signal })
      await expectFile(pidFile)
      controller.abort()
      const result = await call
      expect([result.isError, textOf(result)]).toEqual([true, 'Error: command aborted'])
      await expectGone(pidFile)
    })

    it('names the file with all of a long output, which the next command can read', async () => {
      const text = await textOfBash('seq 1 100000')
      const [, path] = /\n100000\n\[output truncated; full output: (\/.+)\]$/.exec(text) ?? []
      expect(path).toBeDefined()
      expect(await textOfBash(`seq 1 100000 | cmp - ${path}`)).toBe('(no output)')
    })

    it('reads a background task in pieces and then its exit', async () => {
      const gate = freshPath()
      const id = await start(`echo one; until [ -e ${gate} ]; do sleep 0.05; done; echo two >&2; exit 4`)
      const reads: string[] = []
      const readUntil = (status: RegExp | string): Promise<void> =>
        expect.poll(async () => reads[reads.push(await touch('bash_output', id)) - 1]).toMatch(status)
      await readUntil(/^one\n\[status: running\]$/)
      expect(await touch('bash_output', id)).toBe('(no new output)\n[status: running]')
      await bash(`touch ${gate}`)
      await readUntil('[status: completed, exit code: 4]')
      const output = reads.join('\n')
      expect([...output.matchAll(/one|\[stderr\]\ntwo/g)].map(([piece]) => piece)).toEqual(['one', '[stderr]\ntwo'])
      expect(agent.inbox.nextStep.flatMap(({ content }) => content)).toContainEqual({
        type: 'text',
        text: `background task ${id} ended [status: completed, exit code: 4]. Read its output with bash_output.`,
      })
    })

    it('kills a background task', async () => {
      const pidFile = freshPath()
      const id = await start(`echo $$ > ${pidFile}; exec sleep 300`)
      await expectFile(pidFile)
      expect(await touch('bash_kill', id)).toBe(`killed background task ${id}`)
      await expectGone(pidFile)
      await expect.poll(() => touch('bash_kill', id)).toMatch(/had already ended \[status: killed/)
    })

    it('fences a task against other sessions, before and after a reload of the tools', async () => {
      const id = await start('sleep 300')
      const expectFenced = async (): Promise<void> => {
        for (const tool of ['bash_output', 'bash_kill'] as const) {
          expect(await touch(tool, id, stranger)).toBe(`Error: task ${id} belongs to another session`)
        }
        expect(await touch('bash_output', id)).toBe('(no new output)\n[status: running]')
      }
      await expectFenced()
      await tools.dispose()
      tools = await harness.ctx.plugin(toolBash)
      await expectFenced()
      expect(await touch('bash_kill', id)).toBe(`killed background task ${id}`)
    })

    describe('what a model says as stdin and env', () => {
      const look = { ...hostileArguments, command: 'cat; echo "${INJECTED-unset}"' }

      it('never reaches the command', async () => {
        expect(textOf(await harness.call('bash', look, { agent }))).toBe('unset\n')
      })

      it('would be seen here if the tool forwarded it', async () => {
        await tools.dispose()
        const unregister = harness.ctx.tools.register(harnessTool(leakingTool(['stdin', 'env'])(harness.ctx.bash)))
        expect(textOf(await harness.call('bash', look, { agent }))).toBe('injectedinjected\n')
        unregister()
        tools = await harness.ctx.plugin(toolBash)
      })
    })
  })
}
