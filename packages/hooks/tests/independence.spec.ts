import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// A process of its own: here the harness may already be loaded.
const program = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      if (/^@deepseek-ai\\/dsh-|^dsh-(?!bash$|bash-error$)/.test(specifier)) throw new Error('loaded ' + specifier)
      return next(specifier, context)
    },
  })
  const { apply, createHooks } = await import(process.argv[1])
  console.log(typeof apply, typeof createHooks)
`

it('loads nothing of the harness and no executor', async () => {
  const entry = new URL('../src/index.ts', import.meta.url).href
  const flags = ['--conditions=bash-docker-source', '--input-type=module', '--eval', program, entry]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  expect(stdout).toBe('function function\n')
})

it('depends on the seam and its errors alone', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> }
  expect(Object.keys(dependencies).filter((name) => name.startsWith('dsh-'))).toEqual(['dsh-bash', 'dsh-bash-error'])
})
