import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteWords } from '../../src/arguments/quote.ts'

/** What bash makes of a command line. */
function wordsThatBashSees(command: string): string[] {
  const output = execFileSync('bash', ['-c', `printf '%s\\0' ${command}`])
  return output.toString('utf8').split('\0').slice(0, -1)
}

describe('quoteWords', () => {
  it('keeps every word as it stands, whatever bash would make of it', () => {
    const words = [
      '',
      ' ',
      "'",
      "it's",
      '"',
      '$HOME',
      '`id`',
      '*',
      '~',
      '{a,b}',
      '\\',
      '\n',
      'a;b',
      '#',
      '!',
      '-n',
      'é',
    ]
    expect(wordsThatBashSees(quoteWords(words))).toEqual(words)
  })

  it('keeps any word at all', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        expect(wordsThatBashSees(quoteWords(words))).toEqual(words)
      }),
      { numRuns: 50 },
    )
  })

  it('makes neither a keyword nor an assignment of the first word', () => {
    const run = (words: string[]) => () => execFileSync('bash', ['-c', quoteWords(words)], { stdio: 'pipe' })
    expect(run(['if', 'true'])).toThrow(/if: command not found/)
    expect(run(['NAME=value', 'true'])).toThrow(/NAME=value: command not found/)
  })
})
