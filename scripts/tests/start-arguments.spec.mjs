import { expect, it } from 'vitest'
import { needsDiscovery } from '../lib/start-arguments.mjs'

it.each([
  [['exit 7'], true],
  [['ls', '--local'], true],
  [['--write', '--', 'make', 'test'], true],
  [['--write', '--', 'tool', '--local'], true],
  [[], true],
  [['--local', '--', 'id'], false],
  [['--engine', 'unix:///x.sock', '--', 'id'], false],
  [['--engine=unix:///x.sock', '--', 'id'], false],
  [['--write', '--context', 'other', '--', 'id'], false],
  [['--help'], false],
])('%j asks for whatever engine there is: %s', (args, expected) => {
  expect(needsDiscovery(args)).toBe(expected)
})
