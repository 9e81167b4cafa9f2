import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ExitFacts, exitMarker, splitExit, splitKnownExit } from '../src/exit-marker.ts'

const clean: ExitFacts = { exitCode: 0, signal: null }

describe('the exit in a text', () => {
  it.each<[string, string, ExitFacts]>([
    ['a\n[exit code: 3]', 'a', { exitCode: 3, signal: null }],
    ['(no output)\n[killed by signal: SIGKILL]', '(no output)', { exitCode: null, signal: 'SIGKILL' }],
    ['a\n[timed out after 9ms]\n[exit code: 1]', 'a\n[timed out after 9ms]', { exitCode: 1, signal: null }],
    ['a\n[exit code: 3]\n[exit code: 4]', 'a\n[exit code: 3]', { exitCode: 4, signal: null }],
    ['a\n[exit code: 3]\n[killed by signal: SIGHUP]', 'a\n[exit code: 3]', { exitCode: null, signal: 'SIGHUP' }],
  ])('%j is its last line', (text, body, exit) => {
    expect(splitExit(text)).toEqual({ body, exit })
  })

  it.each([
    'done\n',
    '[exit code: 3]',
    'a\n[exit code: 3]\n',
    'a\n[exit code: 3] ',
    'a [exit code: 3]',
    'a\n [exit code: 3]',
    'a\n[exit code: 0]',
    'a\n[exit code: 03]',
    'a\n[exit code: -1]',
    'a\n[exit code: 3]\n[stderr]\nb',
    'a\n[killed by signal: SIGKILL]\n',
    'a\n[killed by signal: the king]',
    'a\n[timed out after 9ms]',
  ])('%j has none, so the command exited with 0', (text) => {
    expect(splitExit(text)).toEqual({ body: text, exit: clean })
  })

  it('is what the facts say, whatever the output looks like', () => {
    expect(splitKnownExit('a\n[exit code: 3]', clean)).toEqual({ body: 'a\n[exit code: 3]', exit: clean })
  })

  const exits = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map((exitCode): ExitFacts => ({ exitCode, signal: null })),
    fc.constantFrom('SIGTERM', 'SIGKILL', 'SIGUSR1').map((signal): ExitFacts => ({ exitCode: null, signal })),
  )
  const parts = fc.array(fc.oneof(fc.string(), fc.constantFrom('\n', '[stderr]'), exits.map(exitMarker)))
  const output = parts.map((strings) => `${strings.join('')}.`)

  it('is found again behind any output, with the facts and without', () => {
    fc.assert(
      fc.property(output, exits, (body, exit) => {
        const marker = exitMarker(exit)
        const text = marker === '' ? body : `${body}\n${marker}`
        expect(splitKnownExit(text, exit)).toEqual({ body, exit })
        expect(splitExit(text)).toEqual({ body, exit })
      }),
    )
  })
})
