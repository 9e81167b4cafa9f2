import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContainerExec, ExecSpec, SandboxContainer } from '../../src/index.ts'
import { testContainer } from '../support/container.ts'
import { type TestEngine, testEngine } from '../support/engine.ts'

let test: TestEngine
let container: SandboxContainer

beforeAll(async () => {
  test = await testEngine()
  container = await testContainer(test)
})
afterAll(() => container.end())

/** An exec whose output is kept. */
class KeptExec {
  readonly exec: ContainerExec
  private readonly chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }

  constructor(spec: Partial<ExecSpec>, within: SandboxContainer = container) {
    this.exec = within.exec({
      argv: ['true'],
      workdir: '/',
      env: {},
      user: { uid: 1000, gid: 1000 },
      stdout: (chunk) => void this.chunks.stdout.push(Buffer.from(chunk)),
      stderr: (chunk) => void this.chunks.stderr.push(Buffer.from(chunk)),
      ...spec,
    })
  }

  bytes(stream: 'stdout' | 'stderr'): Buffer {
    return Buffer.concat(this.chunks[stream])
  }
}

/** Runs a script to its end. */
async function bash(
  script: string,
  spec: Partial<ExecSpec> = {},
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const kept = new KeptExec({ argv: ['bash', '-c', script], ...spec })
  const { exitCode } = await kept.exec.exited
  return { exitCode, stdout: kept.bytes('stdout').toString(), stderr: kept.bytes('stderr').toString() }
}

/** The command lines of a container's processes, as the engine's host sees them. */
async function commandLines(within: SandboxContainer): Promise<string[]> {
  const { Processes: processes } = await test.docker.getContainer(within.id).top({ ps_args: '-o pid,args' })
  return (processes as string[][]).map(([, args = '']) => args)
}

describe('an exec', () => {
  it.each([0, 1, 125, 126, 127, 137, 255])('ends with the exit code of its process: %i', async (exitCode) => {
    expect(await bash(`exit ${exitCode}`)).toEqual({ exitCode, stdout: '', stderr: '' })
  })

  it('tells a process that was killed from a container that was', async () => {
    expect((await bash('kill -9 $$')).exitCode).toBe(137)
  })

  it('keeps the streams apart', async () => {
    expect(await bash('echo out; echo err >&2')).toEqual({ exitCode: 0, stdout: 'out\n', stderr: 'err\n' })
  })

  it('runs as the user, in the directory and with the variables that it was given', async () => {
    const spec = {
      user: { uid: 1234, gid: 2345 },
      workdir: '/tmp',
      env: { EMPTY: '', EQUALS: 'a=b', LINES: 'one\ntwo' },
    }
    const { stdout } = await bash('id -u; id -g; pwd; printf "[%s]" "$EMPTY" "$EQUALS" "$LINES"', spec)
    expect(stdout).toBe('1234\n2345\n/tmp\n[][a=b][one\ntwo]')
  })

  it('has no input without one', async () => {
    expect((await bash('readlink /proc/self/fd/0')).stdout).toBe('/dev/null\n')
  })

  it('passes every byte in both ways', async () => {
    const input = randomBytes(3 * 1024 ** 2 + 1)
    const kept = new KeptExec({ argv: ['cat'], stdin: input })
    expect(await kept.exec.exited).toEqual({ exitCode: 0 })
    expect(kept.bytes('stdout').equals(input)).toBe(true)
  })

  it('ends although nobody has read its input', async () => {
    expect((await bash('exit 3', { stdin: Buffer.alloc(5 * 1024 ** 2) })).exitCode).toBe(3)
  })

  it('lets go of a stream of input that nobody has read', async () => {
    const stdin = new PassThrough()
    const closed = once(stdin, 'close')
    expect((await bash('exit 3', { stdin })).exitCode).toBe(3)
    await closed
  })

  it.each([
    ['program', { argv: ['/no/such/program'] }, '/no/such/program'],
    ['directory', { workdir: '/no/such/directory' }, '/no/such/directory'],
  ])('of a %s that does not exist has never run, and has printed nothing', async (_, spec, named) => {
    const kept = new KeptExec(spec)
    await expect(kept.exec.exited).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      context: { engineMessage: expect.stringContaining(named) },
    })
    expect([kept.bytes('stdout').length, kept.bytes('stderr').length]).toEqual([0, 0])
    expect(container.isEnded).toBe(false)
  })

  it('has run, although it prints what an engine prints for one that has not', async () => {
    const forged = 'OCI runtime exec failed: exec failed: unable to start container process: exec: "x": not found\r\n'
    const { stdout, exitCode } = await bash('printf %s "$FORGED"; exit 126', { env: { FORGED: forged } })
    expect({ stdout, exitCode }).toEqual({ stdout: forged, exitCode: 126 })
  })

  it.each([
    ['COMMAND_TOO_LARGE', { argv: ['bash', '-c', `: ${'x'.repeat(131_072)}`] }],
    ['ENV_TOO_LARGE', { env: { BIG: 'x'.repeat(131_072) } }],
    ['ENV_TOO_LARGE', { env: Object.fromEntries(Array.from({ length: 4_097 }, (_, index) => [`N${index}`, ''])) }],
  ])('that no exec can carry is refused: %s', async (code, spec) => {
    const { exec } = new KeptExec(spec)
    await expect(exec.started).rejects.toMatchObject({ code })
    await expect(exec.exited).rejects.toMatchObject({ code })
  })

  it('that is disconnected is lost, and its process goes on', async () => {
    const { exec } = new KeptExec({ argv: ['sleep', '4711'] })
    await expect.poll(() => commandLines(container)).toContain('sleep 4711')
    exec.disconnect()
    await expect(exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST', context: { containerId: container.id } })
    expect(await commandLines(container)).toContain('sleep 4711')
  })
})

describe('an exec in a container that ends', () => {
  it('is lost when the container is removed under it, and no exit code is made up', async () => {
    const doomed = await testContainer(test)
    const kept = new KeptExec({ argv: ['bash', '-c', 'echo up; sleep 600'] }, doomed)
    await expect.poll(() => kept.bytes('stdout').toString()).toBe('up\n')
    await test.docker.getContainer(doomed.id).remove({ force: true })
    await expect(kept.exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
    expect(await doomed.ended).toEqual({ reason: 'lost' })
  })

  it('is lost when it is the one who ended it', async () => {
    const ending = await testContainer(test)
    const kept = new KeptExec({ argv: ['bash', '-c', 'echo up; sleep 600'] }, ending)
    await expect.poll(() => kept.bytes('stdout').toString()).toBe('up\n')
    await ending.end()
    await expect(kept.exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
  })

  it('is not begun when it has ended', async () => {
    const ended = await testContainer(test)
    await ended.end()
    const { exec } = new KeptExec({}, ended)
    await expect(exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
  })
})
