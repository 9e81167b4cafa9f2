import { expect, it } from 'vitest'
import { renderAge } from '../../src/output/age.ts'
import { renderTable } from '../../src/output/table.ts'

it('makes columns as wide as they must be, without blanks at the end of a line', () => {
  expect(
    renderTable(
      ['NAME', 'STATE'],
      [
        ['a', 'running'],
        ['longer', 'x'],
      ],
    ),
  ).toBe('NAME    STATE\na       running\nlonger  x\n')
})

it('is nothing at all without rows', () => {
  expect(renderTable(['NAME'], [])).toBe('')
})

it.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_999, '59m'],
  [3_600_000, '1h'],
  [90_000_000, '1d'],
])('tells an age of %d ms as %s', (ageMs, text) => {
  expect(renderAge(ageMs)).toBe(text)
})
