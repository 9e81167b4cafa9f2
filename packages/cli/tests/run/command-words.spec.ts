import { expect, it } from 'vitest'
import { commandOf } from '../../src/run/command-words.ts'

it('takes one word as bash code and several as an argument vector', () => {
  expect(commandOf(['exit $((3 + 4))'])).toBe('exit $((3 + 4))')
  expect(commandOf(['echo', '$HOME', "it's"])).toBe(String.raw`'echo' '$HOME' 'it'\''s'`)
})

it('keeps a blank word, so that it is refused as what it is', () => {
  expect(commandOf([''])).toBe('')
})

it('refuses no words at all', () => {
  expect(() => commandOf([])).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
