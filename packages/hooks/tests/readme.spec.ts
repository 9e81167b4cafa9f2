import { execFile } from 'node:child_process'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { HookFiles } from './support/hook-files.ts'

it('the example of README.md prints what it says', async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const block = (language: string): string =>
    text.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? expect.unreachable()
  const [, promised = ''] = /it prints `([^`]+)`/.exec(text) ?? []
  await using files = await HookFiles.create()
  const settings = await files.write('project/.claude/settings.json', block('json'))
  await chmod(dirname(settings), 0o755)
  // Beside this test, where the packages can be found.
  const program = fileURLToPath(new URL(`readme-example-${process.pid}.ts`, import.meta.url))
  await writeFile(program, block('ts'))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=bash-docker-source', program], {
      cwd: files.project,
      // Without the hooks of whoever runs the tests.
      env: { ...process.env, CLAUDE_CONFIG_DIR: files.root, CODEX_HOME: files.root },
    })
    expect(stdout).toBe(`${promised}\n`)
  } finally {
    await rm(program)
  }
})
