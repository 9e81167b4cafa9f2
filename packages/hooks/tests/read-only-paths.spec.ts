import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookReadOnlyPaths } from '../src/index.ts'
import { HookFiles } from './support/hook-files.ts'

it('are the folders of hooks that exist, and of the user nothing that also holds logins', async () => {
  await using files = await HookFiles.create()
  const at = (...names: string[]): string => join(files.root, ...names)
  expect(hookReadOnlyPaths(files.config())).toEqual([files.plugin])
  for (const path of ['claude/hooks', 'codex', 'project/.claude/hooks', 'project/.codex']) {
    await mkdir(at(path), { recursive: true })
  }
  expect(hookReadOnlyPaths(files.config())).toEqual([
    at('claude/hooks'),
    files.plugin,
    at('project/.claude'),
    at('project/.codex'),
  ])
  expect(hookReadOnlyPaths(files.config({ trustProject: false }))).toEqual([at('claude/hooks'), files.plugin])
})

it('are given once where one lies in another', async () => {
  await using files = await HookFiles.create()
  await mkdir(join(files.plugin, 'inner'))
  const plugins = [join(files.plugin, 'inner'), files.plugin]
  expect(hookReadOnlyPaths(files.config({ claudeCode: { directory: join(files.root, 'none'), plugins } }))).toEqual([
    files.plugin,
  ])
})
