import { expect, it } from 'vitest'
import { readVariables } from '../../src/run/variables.ts'

const callerEnv = { OWN: 'mine', EMPTY: '' }

it('takes the text after the first =, whatever is in it', () => {
  expect(readVariables(['A=1', 'B==x=', 'C=', 'D=two\nlines'], callerEnv)).toEqual({
    A: '1',
    B: '=x=',
    C: '',
    D: 'two\nlines',
  })
})

it("takes the caller's own for a name alone, and nothing where the caller has none", () => {
  expect(readVariables(['OWN', 'EMPTY', 'ABSENT'], callerEnv)).toEqual({ OWN: 'mine', EMPTY: '' })
})

it('lets the last of a name win', () => {
  expect(readVariables(['A=1', 'A=2'], callerEnv)).toEqual({ A: '2' })
})

it('keeps an empty name, so that it is refused and not lost', () => {
  expect(readVariables(['=x'], callerEnv)).toEqual({ '': 'x' })
  expect(readVariables([''], callerEnv)).toEqual({ '': '' })
})
