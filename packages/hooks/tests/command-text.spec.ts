import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandText } from '../src/command-text.ts'
import { readDecision } from '../src/decision.ts'
import type { HookHandler } from '../src/index.ts'
import { bashCall } from './support/events.ts'

const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))

function handler(args: readonly string[], payload: HookHandler['payload']): HookHandler {
  return {
    source: { dialect: 'codex', scope: 'user', path: '/config.toml' },
    event: 'Stop',
    matcher: undefined,
    command: 'printf',
    args: ['%s\\0', ...args],
    timeoutMs: undefined,
    isAsync: false,
    rule: undefined,
    payload,
  }
}

/** The words that a program gets, as bash makes them. */
function wordsOf(command: string, input: string): string[] {
  const { stdout } = spawnSync('bash', ['--norc', '-c', command], {
    input,
    env: { HOME: '/h', PATH: process.env['PATH'] },
  })
  return stdout.toString('utf8').split('\0').slice(0, -1)
}

describe('the command of a program with arguments', () => {
  it('gives it each argument as it was configured', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (args) => {
        expect(wordsOf(commandText(handler(args, 'stdin'), {}), '')).toEqual(args)
      }),
      { numRuns: 40 },
    )
  })

  it('gives it the event as its last argument, as it was, where that is the way', () => {
    fc.assert(
      fc.property(word, fc.json(), (argument, event) => {
        expect(wordsOf(commandText(handler([argument], 'argument'), {}), event)).toEqual([argument, event])
      }),
      { numRuns: 40 },
    )
  })
})

describe('what a hook prints', () => {
  it('is a decision or is refused, whatever it is', () => {
    const known = [
      'continue',
      'decision',
      'reason',
      'hookSpecificOutput',
      'systemMessage',
      'stopReason',
      'suppressOutput',
    ]
    const object = fc.dictionary(fc.constantFrom(...known), fc.jsonValue()).map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.json(), object),
        fc.constantFrom('claude-code', 'codex'),
        (text, dialect) => {
          const read = readDecision(text, dialect, bashCall('ls'))
          expect('invalid' in read ? typeof read.invalid : typeof read.decision).toMatch(/^(string|object)$/)
        },
      ),
    )
  })
})
