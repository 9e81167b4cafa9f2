import { describe, expect, it } from 'vitest'
import type { OptionTable } from '../../src/arguments/option-table.ts'
import { optionArguments, parseOptions } from '../../src/arguments/parse-options.ts'

const table = {
  image: { type: 'string', help: '' },
  env: { type: 'string', multiple: true, help: '' },
  write: { type: 'boolean', short: 'w', help: '' },
} as const satisfies OptionTable

describe('parseOptions', () => {
  it('takes everything as words when the first argument is no option', () => {
    expect(parseOptions(table, ['ls', '--image', 'x', '--', 'y'])).toEqual({
      values: {},
      words: ['ls', '--image', 'x', '--', 'y'],
    })
  })

  it('takes options up to the first --, and words after it, dashes or not', () => {
    expect(parseOptions(table, ['--image', 'x', '-w', '--', '-l', '--', '--image=y'])).toEqual({
      values: { image: 'x', write: true },
      words: ['-l', '--', '--image=y'],
    })
  })

  it('needs neither options nor words', () => {
    expect(parseOptions(table, [])).toEqual({ values: {}, words: [] })
    expect(parseOptions(table, ['--', 'id'])).toEqual({ values: {}, words: ['id'] })
    expect(parseOptions(table, ['--write'])).toEqual({ values: { write: true }, words: [] })
  })

  it('takes values with = and without, empty ones, a lone dash and negative numbers', () => {
    expect(parseOptions(table, ['--image=a=b']).values).toEqual({ image: 'a=b' })
    expect(parseOptions(table, ['--image=']).values).toEqual({ image: '' })
    expect(parseOptions(table, ['--image', '']).values).toEqual({ image: '' })
    expect(parseOptions(table, ['--image', '-']).values).toEqual({ image: '-' })
    expect(parseOptions(table, ['--image', '-1']).values).toEqual({ image: '-1' })
    expect(parseOptions(table, ['--image=--x']).values).toEqual({ image: '--x' })
  })

  it('collects what may be repeated, and lets the last of anything else win', () => {
    expect(parseOptions(table, ['--env', 'A=1', '--image', 'x', '--env', 'B', '--image', 'y']).values).toEqual({
      env: ['A=1', 'B'],
      image: 'y',
    })
  })

  it.each([
    [['--bogus'], 'unknown option --bogus'],
    [['--bogus=1'], 'unknown option --bogus'],
    [['-x'], 'unknown option -x'],
    [['--no-write'], 'unknown option --no-write'],
    [['--constructor'], 'unknown option --constructor'],
    [['--image'], '--image needs a value'],
    [['--image', '--write'], '--image needs a value'],
    [['--image', '--', 'id'], '--image needs a value'],
    [['--write=yes'], '--write takes no value'],
    [['--write', 'id'], '"id" is no option'],
  ])('refuses %j: %s', (args, message) => {
    expect(() => parseOptions(table, args)).toThrow(
      expect.objectContaining({ code: 'USAGE', message, hint: expect.stringMatching(/\S/) }),
    )
  })
})

describe('optionArguments', () => {
  it.each([
    [[], []],
    [['id', '--json'], []],
    [['--json'], ['--json']],
    [['--json', '--', '--quiet'], ['--json']],
    [['--', '--json'], []],
  ])('of %j are %j', (args, expected) => {
    expect(optionArguments(args)).toEqual(expected)
  })
})
