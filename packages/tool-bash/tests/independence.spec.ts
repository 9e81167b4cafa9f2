import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// A process of its own: here the harness may already be loaded.
const program = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@deepseek-ai/dsh-')) throw new Error('loaded ' + specifier)
      return next(specifier, context)
    },
  })
  const { apply, bashTools } = await import(process.argv[1])
  console.log(typeof apply, bashTools({}).map((tool) => tool.name).join())
`

it('loads nothing of the harness', async () => {
  const entry = new URL('../src/index.ts', import.meta.url).href
  const flags = ['--conditions=bash-docker-source', '--input-type=module', '--eval', program, entry]
  const { stdout } = await promisify(execFile)(process.execPath, flags)
  expect(stdout).toBe('function bash,bash_output,bash_kill\n')
})
