import type { BashExecRequest, OwnerToken } from 'dsh-bash'
import type { Suite } from '../suite.ts'

/** `resolve` fills in every default and cap, once, and carries everything else verbatim. */
export function resolve({ test, expect, shared }: Suite): void {
  test('carries every given field verbatim', async () => {
    const { bash } = await shared()
    const request: BashExecRequest = {
      command: '  echo "x"\n',
      workdir: '/some/where/../else',
      timeoutMs: 1234,
      signal: new AbortController().signal,
      stdin: '',
      env: { A: '1' },
      owner: 'someone' as OwnerToken,
    }
    const spec = bash.resolve(request)
    expect(spec).toEqual(request)
    expect(spec.signal).toBe(request.signal)
  })

  test('leaves out what is absent, and shows a missing owner as undefined', async () => {
    const { bash } = await shared()
    const spec = bash.resolve({ command: 'true' })
    expect(Object.keys(spec).sort()).toEqual(['command', 'owner', 'timeoutMs', 'workdir'])
    expect(spec.owner).toBe(undefined)
    const ofUndefined = bash.resolve({ command: 'true', signal: undefined, stdin: undefined, env: undefined })
    expect(Object.keys(ofUndefined).sort()).toEqual(['command', 'owner', 'timeoutMs', 'workdir'])
  })

  test('keeps an owner that is the empty string', async () => {
    const { bash } = await shared()
    expect(bash.resolve({ command: 'true', owner: '' as OwnerToken }).owner).toBe('')
  })

  test('takes the timeout of the request, else the configured one, and caps it', async () => {
    const { bash } = await shared({ timeoutMs: 5000, maxTimeoutMs: 8000 })
    expect(bash.resolve({ command: 'true' }).timeoutMs).toBe(5000)
    expect(bash.resolve({ command: 'true', timeoutMs: 1 }).timeoutMs).toBe(1)
    expect(bash.resolve({ command: 'true', timeoutMs: 8000 }).timeoutMs).toBe(8000)
    expect(bash.resolve({ command: 'true', timeoutMs: 8001 }).timeoutMs).toBe(8000)
  })

  test('defaults to 120 s and caps at 600 s', async () => {
    const { bash } = await shared()
    expect(bash.resolve({ command: 'true' }).timeoutMs).toBe(120_000)
    expect(bash.resolve({ command: 'true', timeoutMs: 1e9 }).timeoutMs).toBe(600_000)
  })

  test('takes the workdir of the request, else the configured one', async () => {
    const { world } = await shared()
    const { bash } = await shared({ cwd: world.workdir })
    expect(bash.resolve({ command: 'true' }).workdir).toBe(world.workdir)
    expect(bash.resolve({ command: 'true', workdir: '/else' }).workdir).toBe('/else')
  })

  test('refuses a timeout that is no positive, finite number, by its name', async () => {
    const { bash } = await shared()
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      let message = 'it was not refused'
      try {
        bash.resolve({ command: 'true', timeoutMs })
      } catch (error) {
        message = error instanceof Error ? error.message : String(error)
      }
      expect(message).toContain('timeoutMs')
    }
  })

  test('is synchronous, changes nothing and gives the same answer again', async () => {
    const { bash } = await shared()
    const request = Object.freeze({ command: 'true', env: Object.freeze({ A: '1' }) })
    const first = bash.resolve(request)
    expect('then' in first).toBe(false)
    expect(bash.resolve(request)).toEqual(first)
  })
}
