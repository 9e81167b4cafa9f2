import { readFile } from 'node:fs/promises'
import { behaviours, type BehaviourName, describeBashExecutor } from 'dsh-bash-conformance'
import { describe, expect, it } from 'vitest'
import { dockerCapabilities } from './support/capabilities.ts'

const text = await readFile(new URL('../docs/semantics.md', import.meta.url), 'utf8')
const types = await readFile(new URL('../packages/bash/src/types.ts', import.meta.url), 'utf8')

/** `behaviour: title` of every test that the suite registers. */
function suiteTests(): Set<string> {
  const titles = new Set<string>()
  for (const name of Object.keys(behaviours) as BehaviourName[]) {
    describeBashExecutor(
      {
        describe: (_title, register) => register(),
        it: (title) => void titles.add(`${name}: ${title}`),
        expect: expect as never, // nothing is run, so nothing is expected
      },
      {
        name: 'none',
        capabilities: dockerCapabilities,
        only: [name],
        create: () => Promise.reject(new Error('nothing is run')),
      },
    )
  }
  return titles
}

/** A declaration without its comments and with single spaces. */
function normalise(declaration: string): string {
  return declaration
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('docs/semantics.md', () => {
  it('names for each statement tests that exist', () => {
    const known = suiteTests()
    const statements = text.split('\n').filter((line) => line.startsWith('- '))
    expect(statements.length).toBeGreaterThan(30)
    for (const statement of statements) {
      const named = [...statement.matchAll(/`([a-z-]+: [^`]+)`/g)].map((match) => match[1] as string)
      expect(named, statement).not.toEqual([])
      for (const title of named) expect(known, title).toContain(title)
    }
  })

  it('shows the types as they are', () => {
    const shown = [...text.matchAll(/```ts\n(export interface (\w+) [\s\S]*?)```/g)]
    expect(shown.map((match) => match[2])).toEqual([
      'BashExecRequest',
      'BashExecSpec',
      'CollectedOutput',
      'BashRunResult',
      'BashTask',
      'BashTaskRead',
    ])
    for (const [, block = '', name = ''] of shown) {
      const declaration = new RegExp(`export interface ${name} \\{[\\s\\S]*?\\n\\}`).exec(types)?.[0] ?? ''
      expect(normalise(block)).toBe(normalise(declaration))
    }
  })
})
