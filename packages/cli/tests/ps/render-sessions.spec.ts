import { expect, it } from 'vitest'
import { renderSessions } from '../../src/ps/render-sessions.ts'

it('is a table of everything on the engine, with what is not known left open', () => {
  const text = renderSessions([
    {
      kind: 'container',
      id: 'c0ffee',
      name: 'bash-docker-one',
      state: 'running',
      ageMs: 61_000,
      owner: { pid: 42, state: 'alive' },
      sessionId: 'one',
      image: 'debian:12',
      workspace: '/work',
    },
    { kind: 'volume', id: 'v', name: 'v', owner: { state: 'unknown' } },
  ])
  expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['KIND', 'NAME', 'STATE', 'AGE', 'OWNER', 'IMAGE', 'WORKSPACE'],
    ['container', 'bash-docker-one', 'running', '1m', '42 (alive)', 'debian:12', '/work'],
    ['volume', 'v', '–', '–', 'unknown', '–', '–'],
    [''],
  ])
})

it('is nothing when there is nothing', () => {
  expect(renderSessions([])).toBe('')
})
