import { readFile } from 'node:fs/promises'
import { DockerBashExecutor } from 'dsh-bash-docker'
import { LocalBashExecutor } from 'dsh-bash-local'
import { DEFAULT_IMAGE } from 'dsh-container'
import { Config as HooksConfig } from 'dsh-hooks'
import { DockerWorld } from 'dsh-sandbox-docker'
import { describe, expect, it } from 'vitest'

const text = await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8')

/** Field and default of each row under a heading. */
function documented(heading: string): Record<string, string> {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| `([\w.]+)`\s+\| (.+?)\s+\|/gm)]
  return Object.fromEntries(rows.map(([, field, value]) => [field, value]))
}

/** Every field of the schema with its default as the document writes it. */
function actual(schema: { shape: object; parse(input: unknown): object }): Record<string, string> {
  const defaults = schema.parse({}) as Record<string, unknown>
  const limits = { openFiles: undefined, ...(defaults['limits'] as object) }
  const fields = Object.keys(schema.shape).filter((field) => field !== 'limits')
  return Object.fromEntries([
    ...fields.flatMap((field) => flatten(field, defaults[field])),
    ...('limits' in schema.shape
      ? Object.entries(limits).flatMap(([name, limit]) => flatten(`limits.${name}`, limit))
      : []),
  ])
}

function flatten(field: string, value: unknown): [string, string][] {
  if (value === undefined) return [[field, '–']]
  if (value === DEFAULT_IMAGE) return [[field, 'the default image']]
  return [[field, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
}

describe('docs/limits.md', () => {
  const shared = documented('Every executor')

  it('lists the fields of bash-local with their defaults', () => {
    expect(shared).toEqual(actual(LocalBashExecutor.Config))
  })

  it('lists the fields of bash-docker with their defaults', () => {
    expect({ ...shared, ...documented('bash-docker') }).toEqual(actual(DockerBashExecutor.Config))
  })

  it('lists the fields of the harness’s world with their defaults', () => {
    const fields = actual(DockerWorld.Config)
    const ofDocker = Object.entries(documented('bash-docker')).filter(([field]) => field in fields)
    expect({ ...Object.fromEntries(ofDocker), ...documented('dsh-sandbox-docker') }).toEqual(fields)
  })

  it('lists the fields of hooks with their defaults', () => {
    const { claudeCode, codex, ...fields } = HooksConfig.shape
    const groups = { claudeCode: claudeCode.unwrap(), codex: codex.unwrap() }
    const within = Object.entries(groups).flatMap(([group, schema]) =>
      Object.entries(actual(schema)).map(([field, value]) => [`${group}.${field}`, value]),
    )
    const outside = Object.entries(actual(HooksConfig)).filter(([field]) => field in fields)
    expect(documented('Hooks')).toEqual(Object.fromEntries([...outside, ...within]))
  })
})
