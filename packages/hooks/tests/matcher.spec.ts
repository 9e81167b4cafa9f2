import { describe, expect, it } from 'vitest'
import { parseMatcher } from '../src/matcher.ts'

const both = ['claude-code', 'codex'] as const

describe.each(both)('a matcher of %s', (dialect) => {
  const matches = (matcher: string | undefined, ...names: string[]): boolean => parseMatcher(matcher, dialect)(names)

  it.each([undefined, '', '*'])('%j means everything', (matcher) => {
    expect([matches(matcher, 'Bash'), matches(matcher)]).toEqual([true, true])
  })

  it.each([
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['Bash', 'bash', false],
    ['Edit|Write', 'Write', true],
    ['Edit|Write', 'MultiEdit', false],
    ['mcp__memory', 'mcp__memory__create', false],
    ['mcp__memory__.*', 'mcp__memory__create', true],
    ['^Bash$', 'Bash', true],
    ['^Bash', 'BashOutput', true],
    ['Notebook.*', 'OldNotebookEdit', true],
  ])('%j of %j is %j', (matcher, name, expected) => {
    expect(matches(matcher, name)).toBe(expected)
  })

  it('knows a tool by its other names too', () => {
    expect(matches('Edit', 'apply_patch', 'Edit', 'Write')).toBe(true)
  })

  it('is refused when it is no regular expression', () => {
    expect(() => parseMatcher('[', dialect)).toThrow(SyntaxError)
  })
})

it('lists of Claude Code may have commas, blanks and hyphens', () => {
  const matches = parseMatcher('Edit, Write|my-tool', 'claude-code')
  expect(['Edit', 'Write', 'my-tool', 'my', ' Write'].map((name) => matches([name]))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
