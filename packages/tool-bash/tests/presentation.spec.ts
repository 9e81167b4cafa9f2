import { describe, expect, it } from 'vitest'
import { bashTools, type ResultView, type ToolOutcome } from '../src/index.ts'
import { inBackground, running } from './support/calls.ts'
import { scriptedBash } from './support/scripted-bash-executor.ts'

const [bash, bashOutput, bashKill] = bashTools(await scriptedBash())

describe('a pending call', () => {
  it('in the foreground is a terminal with the command as its title', () => {
    expect(bash?.presentCall(running('ls -l', { workdir: 'src' }))).toEqual({
      card: 'terminal',
      title: 'ls -l',
      description: 'Run it for the test',
      cwd: 'src',
    })
  })

  it('in the background is a plain card with the command as its title', () => {
    expect(bash?.presentCall(inBackground('serve'))).toEqual({
      card: 'generic',
      title: 'serve',
      kind: 'execute',
      rawInput: 'serve',
      content: [{ type: 'text', text: 'Run it for the test' }],
    })
  })

  it('of a task names the task', () => {
    const call = { task_id: 'bash-7' }
    expect(bashOutput?.presentCall(call)).toMatchObject({
      title: 'Read output of background task bash-7',
      kind: 'read',
    })
    expect(bashKill?.presentCall(call)).toMatchObject({ title: 'Kill background task bash-7', kind: 'execute' })
  })

  it.each([undefined, {}, { command: 7 }])('that nobody can read is left to the user interface: %j', (args) => {
    for (const tool of [bash, bashOutput, bashKill]) {
      expect(tool?.presentCall(args)).toBeUndefined()
      expect(tool?.presentResult(args, { text: '', isError: false })).toBeUndefined()
    }
  })
})

describe('a finished call', () => {
  const present = (args: unknown, outcome: Partial<ToolOutcome>): ResultView | undefined =>
    bash?.presentResult(args, { text: '', isError: false, ...outcome })

  it('shows the exit code as a pill and not in the output', () => {
    const view = present(running('x'), { text: 'a\n[exit code: 3]', facts: { exitCode: 3, signal: null } })
    expect(view).toEqual({ card: 'terminal', output: 'a', exitCode: 3 })
  })

  it('shows the signal as a pill', () => {
    const text = 'a\n[timed out after 9ms]\n[killed by signal: SIGTERM]'
    const view = present(running('x'), { text, facts: { exitCode: null, signal: 'SIGTERM' } })
    expect(view).toEqual({ card: 'terminal', output: 'a\n[timed out after 9ms]', signal: 'SIGTERM' })
  })

  it('is not fooled by output that ends like a marker', () => {
    const view = present(running('x'), { text: 'a\n[exit code: 3]', facts: { exitCode: 0, signal: null } })
    expect(view).toEqual({ card: 'terminal', output: 'a\n[exit code: 3]', exitCode: 0 })
  })

  it('keeps a text whole that was changed after the command', () => {
    const view = present(running('x'), { text: '(withheld)', facts: { exitCode: 3, signal: null } })
    expect(view).toEqual({ card: 'terminal', output: '(withheld)', exitCode: 3 })
  })

  it.each([undefined, null, { exitCode: '3' }])('reads the text alone when the facts are %j', (facts) => {
    const view = present(running('x'), { text: 'a\n[exit code: 3]', facts })
    expect(view).toEqual({ card: 'terminal', output: 'a', exitCode: 3 })
  })

  it('has no pill when it is an error or a background start', () => {
    const fenced = (text: string): ResultView => ({ card: 'generic', content: [{ type: 'text', text }] })
    expect(present(running('x'), { text: 'Error: command aborted', isError: true })).toEqual(
      fenced('```console\nError: command aborted\n```'),
    )
    expect(present(inBackground('x'), { text: 'started background task bash-1' })).toEqual(
      fenced('```console\nstarted background task bash-1\n```'),
    )
  })

  it('fences a text that holds a fence', () => {
    const view = present(running('x'), { text: 'Error: ````\n', isError: true })
    expect(view).toMatchObject({ content: [{ text: '`````console\nError: ````\n`````' }] })
  })
})
