import type { HookDialect } from './event.ts'

/** Says whether any of the names is meant. */
export type Matches = (names: readonly string[]) => boolean

/**
 * Names alone, in a list, are compared whole; anything else is a regular expression. Claude Code
 * allows spaces, commas and hyphens in such a list, Codex the bar alone.
 */
const nameList: Readonly<Record<HookDialect, { only: RegExp; separator: RegExp }>> = {
  'claude-code': { only: /^[\w\- ,|]+$/, separator: /[,|]/ },
  codex: { only: /^[\w|]+$/, separator: /\|/ },
}

/**
 * What a matcher means: nothing, the empty string and `*` match everything; names are exact, case
 * included; a regular expression is not anchored.
 *
 * @throws `SyntaxError` when it is neither
 */
export function parseMatcher(matcher: string | undefined, dialect: HookDialect): Matches {
  if (matcher === undefined || matcher === '' || matcher === '*') return () => true
  const { only, separator } = nameList[dialect]
  if (only.test(matcher)) {
    const wanted = new Set(matcher.split(separator).map((name) => name.trim()))
    return (names) => names.some((name) => wanted.has(name))
  }
  const pattern = new RegExp(matcher)
  return (names) => names.some((name) => pattern.test(name))
}
