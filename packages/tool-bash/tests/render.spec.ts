import type { BashRunResult } from 'dsh-bash'
import { describe, expect, it } from 'vitest'
import { bashTool } from '../src/index.ts'
import { anonymous, running } from './support/calls.ts'
import { runResult, scriptedBash } from './support/scripted-bash-executor.ts'

const printed = (text: string): BashRunResult['stdout'] => ({ text, truncated: false })

async function textOf(facts: Partial<BashRunResult>): Promise<string> {
  const bash = await scriptedBash()
  bash.answer = async () => runResult(facts)
  const tool = bashTool(bash)
  return tool.render(await tool.execute(running('x'), anonymous))
}

describe('the text of a finished command', () => {
  it.each<[string, Partial<BashRunResult>, string]>([
    ['is its stdout as it is', { stdout: printed('a\nb\n') }, 'a\nb\n'],
    ['says when there is none', {}, '(no output)'],
    ['puts stderr into its own section', { stdout: printed('a\n'), stderr: printed('b\n') }, 'a\n[stderr]\nb\n'],
    [
      'adds a newline before the section only when missing',
      { stdout: printed('a'), stderr: printed('b') },
      'a\n[stderr]\nb',
    ],
    ['starts with the section when only stderr was written', { stderr: printed('b') }, '[stderr]\nb'],
    ['reports a non-zero exit', { exitCode: 3, stdout: printed('a\n') }, 'a\n[exit code: 3]'],
    ['reports a non-zero exit without output', { exitCode: 255 }, '(no output)\n[exit code: 255]'],
    ['reports the signal', { exitCode: null, signal: 'SIGSEGV' }, '(no output)\n[killed by signal: SIGSEGV]'],
    [
      'reports a timeout and the signal that it sent',
      { exitCode: null, signal: 'SIGTERM', timedOut: true, timeoutMs: 250, stdout: printed('half') },
      'half\n[timed out after 250ms]\n[killed by signal: SIGTERM]',
    ],
    [
      'reports a timeout of a command that then exited with 0',
      { timedOut: true, timeoutMs: 250 },
      '(no output)\n[timed out after 250ms]',
    ],
    [
      'ends a truncated stream with the path of the whole',
      { stdout: { text: 'tail', truncated: true, spillPath: '/spill/1' }, stderr: printed('e') },
      'tail\n[output truncated; full output: /spill/1]\n[stderr]\ne',
    ],
    [
      'says when the whole is not available',
      { stderr: { text: 'tail\n', truncated: true }, exitCode: 1 },
      '[stderr]\ntail\n[output truncated; full output: (unavailable)]\n[exit code: 1]',
    ],
  ])('%s', async (_, facts, text) => {
    expect(await textOf(facts)).toBe(text)
  })
})
