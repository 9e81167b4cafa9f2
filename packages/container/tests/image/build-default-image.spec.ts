import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectEngine, DEFAULT_IMAGE, type Engine, ensureImage } from '../../src/index.ts'

let engine: Engine
/** Where the build puts its files. */
let directory: string

beforeEach(async () => {
  const real = await connectEngine()
  engine = { ...real, port: { ...real.port, inspectImage: async () => undefined } }
  directory = mkdtempSync(join(tmpdir(), 'image-build-test-'))
  vi.stubEnv('TMPDIR', directory)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(directory, { recursive: true, force: true })
})

async function commandLines(): Promise<string> {
  return (await promisify(execFile)('ps', ['-eo', 'args'])).stdout
}

describe('the build of the default image', () => {
  it('that is given up leaves neither a process nor a file', async () => {
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const lines: string[] = []
    const build = ensureImage(engine, {
      reference: DEFAULT_IMAGE,
      pull: 'never',
      signal: controller.signal,
      onProgress: ({ line }) => {
        lines.push(line)
        if (lines.length === 3) controller.abort(reason)
      },
    })
    await expect(build).rejects.toBe(reason)
    expect(await commandLines()).not.toContain(directory)
    expect(readdirSync(directory)).toEqual([])
  })
})
