import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { SubprocessRuntime } from '@deepseek-ai/dsh-subprocess'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestWorld, testWorld } from './support/harness.ts'
import { bashSpec, collectedText, run, textOf, until } from './support/processes.ts'

const pipes = { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' } as const

describe('a process of the harness in the container', () => {
  let world: TestWorld
  let subprocess: SubprocessRuntime
  beforeAll(async () => {
    world = await testWorld()
    subprocess = world.ctx.subprocess
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** How many processes of the container have this on their command line. */
  const count = async (marker: string): Promise<number> => {
    const script = 'grep -lz -- "$1" /proc/[0-9]*/cmdline 2>/dev/null | grep -cv "/$$/"'
    const { stdout } = await run(subprocess, '', { argv: ['bash', '-c', script, 'bash', `^${marker}$`] })
    return Number(stdout)
  }
  const gone = (marker: string): Promise<boolean> =>
    until(`no process ${marker} is left`, async () => ((await count(marker)) === 0 ? true : undefined))

  it('runs there and not here', async () => {
    const { stdout, exitCode, signal } = await run(subprocess, 'hostname; cat /proc/1/cmdline | tr "\\0" " "; exit 3')
    const [name, init] = stdout.split('\n')
    expect(name).not.toBe(hostname())
    expect(init).toContain('supervisor')
    expect({ exitCode, signal }).toEqual({ exitCode: 3, signal: null })
  })

  it('has the workspace at the same path', async () => {
    await run(subprocess, 'echo here > from-inside', { cwd: world.workspace })
    expect(readFileSync(join(world.workspace, 'from-inside'), 'utf8')).toBe('here\n')
  })

  it('is told apart by its exit code and by a signal', async () => {
    expect(await run(subprocess, 'exit 143')).toMatchObject({ exitCode: 143, signal: null })
    expect(await run(subprocess, 'kill -TERM $$')).toMatchObject({ exitCode: null, signal: 'SIGTERM' })
  })

  it('gets its arguments as they are, through no shell', async () => {
    const argv = ['printf', '%s|', '$HOME', '', 'a b', '*', "it's", '"', 'é']
    expect((await run(subprocess, '', { argv })).stdout).toBe('$HOME||a b|*|it\'s|"|é|')
  })

  it('has a pid as soon as it exists', async () => {
    const handle = subprocess.spawn(bashSpec('echo $$'))
    expect(handle.pid).toBe(-1)
    await handle.done
    expect(handle.pid).toBe(Number(collectedText(handle, 'stdout')))
  })

  describe('its stdin', () => {
    it('is /dev/null when it is ignored', async () => {
      expect((await run(subprocess, 'readlink /proc/self/fd/0; cat')).stdout).toBe('/dev/null\n')
    })

    it('is the data that was given, then its end', async () => {
      const data = 'é'.repeat(400_000)
      const stdio = { stdin: { data }, stdout: { maxBytes: 100 }, stderr: { maxBytes: 100 } }
      expect((await run(subprocess, 'wc -c', { stdio })).stdout.trim()).toBe('800000')
    })

    it('may never be read', async () => {
      const stdio = { stdin: { data: 'x'.repeat(4_000_000) }, stdout: { maxBytes: 100 }, stderr: { maxBytes: 100 } }
      expect(await run(subprocess, 'echo done', { stdio })).toMatchObject({ stdout: 'done\n', exitCode: 0 })
    })

    it('is a stream, written before the process exists and answered while it runs', async () => {
      const handle = subprocess.spawn(bashSpec('while read -r line; do echo "<$line>"; done', { stdio: pipes }))
      handle.stdin?.write('one\n')
      const first = await new Promise<string>((resolve) =>
        handle.stdout?.once('data', (chunk) => resolve(String(chunk))),
      )
      expect(first).toBe('<one>\n')
      handle.stdin?.end('two\n')
      expect(await textOf(handle.stdout)).toBe('<two>\n')
      expect(await handle.done).toEqual({ exitCode: 0, signal: null })
    })
  })

  describe('its output', () => {
    it('comes through pipes without a byte lost, however slowly it is read', async () => {
      const handle = subprocess.spawn(bashSpec('head -c 20000000 /dev/zero; echo end >&2', { stdio: pipes }))
      let sizeBytes = 0
      for await (const chunk of handle.stdout ?? []) {
        sizeBytes += (chunk as Buffer).length
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(sizeBytes).toBe(20_000_000)
      expect(await textOf(handle.stderr)).toBe('end\n')
    })

    it('is collected beside a pipe, as a language server has it', async () => {
      const stdio = { stdin: 'pipe', stdout: 'pipe', stderr: { maxBytes: 4 } } as const
      const handle = subprocess.spawn(bashSpec('cat; echo diagnostics >&2', { stdio }))
      handle.stdin?.end('protocol')
      expect(await textOf(handle.stdout)).toBe('protocol')
      await handle.done
      expect(handle.collected.stdout).toBeUndefined()
      expect(handle.collected.stderr?.readFrom(0)).toEqual({ text: 'ics\n', nextOffset: 12, lossy: true })
    })

    it('goes to a stream of the harness when it is inherited', async () => {
      const written: string[] = []
      const { write } = process.stderr
      process.stderr.write = (chunk: string | Uint8Array) => written.push(Buffer.from(chunk).toString()) > 0
      try {
        const stdio = { stdin: 'ignore', stdout: { maxBytes: 100 }, stderr: 'inherit' } as const
        await subprocess.spawn(bashSpec('echo out; echo diagnostics >&2', { stdio })).done
      } finally {
        process.stderr.write = write
      }
      expect(written.join('')).toContain('diagnostics\n')
    })

    it('is read by offset, again and again, and after the end', async () => {
      const handle = subprocess.spawn(bashSpec('printf äb; read -r _ < /dev/null; printf cd'))
      await handle.done
      const reader = handle.collected.stdout
      expect(reader?.readFrom(0)).toEqual({ text: 'äbcd', nextOffset: 5, lossy: false })
      expect(reader?.readFrom(3)).toEqual({ text: 'cd', nextOffset: 5, lossy: false })
      expect(reader?.readFrom(0).text).toBe('äbcd')
    })

    it('keeps its tail, and spills the whole into a file of the container', async () => {
      const stream = { maxBytes: 100, spill: { maxBytes: 1_000_000 } }
      const stdio = { stdin: 'ignore', stdout: stream, stderr: stream } as const
      const handle = subprocess.spawn(bashSpec('seq 10000', { stdio }))
      await handle.done
      const { text, lossy, spillPath = '' } = handle.collected.stdout?.readFrom(0) ?? {}
      expect({ lossy, length: text?.length, end: text?.endsWith('\n9999\n10000\n') }).toEqual({
        lossy: true,
        length: 100,
        end: true,
      })
      expect(existsSync(spillPath)).toBe(false)
      expect((await run(subprocess, `wc -l < ${spillPath}`)).stdout.trim()).toBe('10000')
      expect(handle.collected.stderr?.readFrom(0)).toEqual({ text: '', nextOffset: 0, lossy: false })
    })

    it('is kept by the cap of each stream, and spills beside a pipe', async () => {
      const stderr = { maxBytes: 10, spill: { maxBytes: 1_000_000 } }
      const caps = { stdin: 'ignore', stdout: { maxBytes: 20 }, stderr } as const
      const capped = subprocess.spawn(bashSpec('seq 1000 | tee /dev/stderr', { stdio: caps }))
      await capped.done
      expect(capped.collected.stdout?.readFrom(0)).toEqual({
        text: '96\n997\n998\n999\n1000\n'.slice(-20),
        nextOffset: 3893,
        lossy: true,
      })
      expect(capped.collected.stderr?.readFrom(0)).toMatchObject({ text: '\n999\n1000\n'.slice(-10), lossy: true })
      const piped = subprocess.spawn(bashSpec('echo out; seq 1000 >&2', { stdio: { ...caps, stdout: 'pipe' } }))
      expect(await textOf(piped.stdout)).toBe('out\n')
      await piped.done
      const { spillPath } = piped.collected.stderr?.readFrom(0) ?? {}
      expect((await run(subprocess, `wc -l < ${spillPath}`)).stdout.trim()).toBe('1000')
    })

    it('withholds the path of a spill that outgrew its cap', async () => {
      const stream = { maxBytes: 100, spill: { maxBytes: 1000 } }
      const stdio = { stdin: 'ignore', stdout: stream, stderr: stream } as const
      const handle = subprocess.spawn(bashSpec('seq 10000', { stdio }))
      await handle.done
      const read = handle.collected.stdout?.readFrom(0)
      expect(read).toMatchObject({ lossy: true })
      expect(read).not.toHaveProperty('spillPath')
    })

    it('of a survivor delays the outcome by no more than the grace', async () => {
      const { stdout, exitCode } = await run(subprocess, 'sleep 3600.5 & echo started')
      expect({ stdout, exitCode }).toEqual({ stdout: 'started\n', exitCode: 0 })
      expect(await count('3600.5')).toBe(1)
    })
  })

  describe('its environment', () => {
    it('is the caller’s over the harness’s over the image’s', async () => {
      process.env['PLAIN_VARIABLE'] = 'ambient'
      process.env['SOME_API_KEY'] = 'secret'
      process.env['DSH_SESSION_ID'] = 'of an outer harness'
      try {
        const env = { GIVEN_TOKEN: 'given', HOME: undefined, LANG: '' }
        const { stdout } = await run(subprocess, 'env', { env })
        const lines = stdout.split('\n')
        expect(lines).toContain('PLAIN_VARIABLE=ambient')
        expect(lines).toContain('GIVEN_TOKEN=given')
        expect(lines).toContain('LANG=')
        expect(stdout).not.toMatch(/^(?:SOME_API_KEY|DSH_SESSION_ID|HOME)=/m)
        expect(lines).not.toContain(`PATH=${process.env['PATH']}`)
      } finally {
        delete process.env['PLAIN_VARIABLE']
        delete process.env['SOME_API_KEY']
        delete process.env['DSH_SESSION_ID']
      }
    })

    it('decides where a bare name is looked for', async () => {
      await run(subprocess, 'mkdir bin; printf "#!/bin/sh\\necho mine\\n" > bin/own-tool; chmod +x bin/own-tool', {
        cwd: world.workspace,
      })
      const env = { PATH: `${join(world.workspace, 'bin')}:/usr/bin:/bin` }
      expect((await run(subprocess, '', { argv: ['own-tool'], env })).stdout).toBe('mine\n')
      await expect(subprocess.spawn(bashSpec('', { argv: ['own-tool'] })).done).rejects.toMatchObject({
        code: 'PROGRAM_NOT_FOUND',
      })
      expect(await subprocess.resolveExecutable('own-tool', env)).toBe(join(world.workspace, 'bin/own-tool'))
    })

    it.each([{ 'A=B': 'c' }, { '': 'c' }, { NUL: 'a\0b' }])('refuses %j', async (env) => {
      await expect(subprocess.spawn(bashSpec('env', { env })).done).rejects.toMatchObject({ code: 'ENV_INVALID' })
    })
  })

  describe('is looked up', () => {
    it('by name on the image’s PATH, or by a path that can be run', async () => {
      expect(await subprocess.resolveExecutable('bash')).toMatch(/^\/(?:usr\/)?bin\/bash$/)
      expect(await subprocess.resolveExecutable('/bin/sh')).toBe('/bin/sh')
    })

    it.each(['/etc/passwd', '/no/such', 'no-such-tool', '/tmp'])('and not found as %s', async (command) => {
      await expect(subprocess.resolveExecutable(command)).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' })
    })

    it.each(['./bash', 'bin/bash', ''])('and refused as %j', async (command) => {
      await expect(subprocess.resolveExecutable(command)).rejects.toMatchObject({ code: 'COMMAND_INVALID' })
    })
  })

  describe('ends', () => {
    it('as a tree, whatever its parts did to get away', async () => {
      const handle = subprocess.spawn(
        bashSpec('trap "" TERM; setsid sleep 3601.5 & (sleep 3601.5 &) & echo up; sleep 3601.5', { graceMs: 200 }),
      )
      await until('it runs', () => (collectedText(handle, 'stdout') === 'up\n' ? true : undefined))
      handle.terminate()
      handle.terminate()
      expect(await handle.waitForExit()).toBe(true)
      expect(await handle.done).toEqual({ exitCode: null, signal: 'SIGKILL' })
      expect(await gone('3601.5')).toBe(true)
    })

    it('with TERM first', async () => {
      const handle = subprocess.spawn(
        bashSpec('trap "echo trapped; exit 5" TERM; echo up; while :; do sleep 0.05; done'),
      )
      await until('it runs', () => (collectedText(handle, 'stdout') === 'up\n' ? true : undefined))
      handle.terminate()
      expect(await handle.done).toEqual({ exitCode: 5, signal: null })
      expect(collectedText(handle, 'stdout')).toBe('up\ntrapped\n')
    })

    it('when it is terminated at once, before it has a pid', async () => {
      const handle = subprocess.spawn(bashSpec('sleep 3602.5'))
      handle.terminate()
      await expect(handle.done).rejects.toMatchObject({ code: 'ABORTED_BEFORE_SPAWN' })
      expect(await handle.waitForExit()).toBe(true)
      expect(await gone('3602.5')).toBe(true)
    })

    it('at whatever moment its signal aborts', async () => {
      for (let turn = 0; turn < 40; turn++) {
        const controller = new AbortController()
        const handle = subprocess.spawn(bashSpec('sleep 3603.5', { signal: controller.signal }))
        for (let tick = 0; tick < turn; tick++) await Promise.resolve()
        if (turn % 4 === 3) await new Promise((resolve) => setImmediate(resolve))
        controller.abort(new Error('enough'))
        await handle.done.catch(() => undefined)
        expect(await handle.waitForExit()).toBe(true)
      }
      expect(await gone('3603.5')).toBe(true)
    })

    it('never begins when its signal has aborted already', () => {
      const signal = AbortSignal.abort(new Error('too late'))
      expect(() => subprocess.spawn(bashSpec('true', { signal }))).toThrow('aborted before spawn: too late')
    })

    it('and its survivors are waited for, within a bound', async () => {
      const handle = subprocess.spawn(bashSpec('setsid sleep 3604.5 > /dev/null 2>&1 &'))
      await handle.done
      expect(await handle.waitForExit(AbortSignal.timeout(50))).toBe(false)
      handle.terminate()
      expect(await handle.waitForExit()).toBe(true)
      expect(await gone('3604.5')).toBe(true)
    })
  })

  it.each([
    ['no program', { argv: [''] }, 'COMMAND_BLANK'],
    ['a NUL in an argument', { argv: ['echo', 'a\0b'] }, 'COMMAND_INVALID'],
    ['a NUL in the directory', { cwd: '/\0' }, 'WORKDIR_INVALID'],
    ['no grace', { graceMs: 0 }, 'TIMEOUT_INVALID'],
  ])('is refused with %s', (_what, changes, code) => {
    expect(() => subprocess.spawn(bashSpec('true', changes))).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    ['a program that is not there', { argv: ['/no/such/program'] }, 'PROGRAM_NOT_FOUND'],
    ['a directory that is not there', { cwd: '/no/such/directory' }, 'WORKDIR_NOT_FOUND'],
  ])('fails with %s, and nothing runs', async (_what, changes, code) => {
    const handle = subprocess.spawn(bashSpec('true', { ...changes, stdio: pipes }))
    await expect(handle.done).rejects.toMatchObject({ code })
    expect(await textOf(handle.stdout)).toBe('')
    expect(await handle.waitForExit()).toBe(true)
  })
})
