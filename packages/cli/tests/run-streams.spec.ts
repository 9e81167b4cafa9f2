import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { cli, endOf, startCli } from './support/cli.ts'
import { EngineWorld } from './support/engine-world.ts'
import { workspaceFolder } from './support/folder.ts'
import { eventually } from './support/poll.ts'

const mebibyte = 1024 * 1024
const engine = await EngineWorld.open()

describe.each(['supervisor', 'exec'])('standard input over %s', (transport) => {
  const options = ['run', `--transport=${transport}`]
  const random = randomBytes(50 * mebibyte)

  it('is passed on byte for byte, 50 MiB there and back', async () => {
    const end = await cli([...options, '--stdin', '-', '--', 'cat'], { cwd: workspaceFolder(), stdin: random })
    expect(end).toMatchObject({ status: 0, stderr: '' })
    expect(sha256(end.stdout)).toBe(sha256(random))
  })

  it('is a file', async () => {
    const cwd = workspaceFolder()
    writeFileSync(join(cwd, 'input'), random)
    const end = await cli([...options, '--stdin', 'input', '--', 'sha256sum'], { cwd })
    expect(end.stdout.toString()).toBe(`${sha256(random)}  -\n`)
  })

  it('is none without --stdin, whatever the caller has', async () => {
    const script = 'cat; [ -c /dev/stdin ] && echo device'
    const end = await cli([...options, '--', script], { cwd: workspaceFolder(), stdin: Buffer.from('never read') })
    expect(end.stdout.toString()).toBe('device\n')
  })

  it('need be neither read nor ended', async () => {
    const child = startCli([...options, '--stdin=-', '--', 'head -c 5'], { cwd: workspaceFolder(), stdin: 'open' })
    child.stdin?.write(random)
    const end = await endOf(child)
    expect(end).toMatchObject({ status: 0, stdout: random.subarray(0, 5) })
  })
})

describe.each(['supervisor', 'exec'])('standard output and error over %s', (transport) => {
  const options = ['run', `--transport=${transport}`]

  it('come as they are written', async () => {
    const script = 'while read -r line; do echo "$line"; done; echo end >&2'
    const child = startCli([...options, '--stdin=-', '--', script], { cwd: workspaceFolder(), stdin: 'open' })
    const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]()
    for (const line of ['one', 'two']) {
      child.stdin?.write(`${line}\n`)
      expect((await lines.next()).value).toBe(line)
    }
    child.stdin?.end()
    expect((await once(child.stderr as Readable, 'data')).toString()).toBe('end\n')
    expect(await once(child, 'close')).toEqual([0, null])
  })

  it('are complete, and kept apart, however long', async () => {
    const end = await cli([...options, '--', 'seq 1 3000000; seq 1 300000 >&2'], { cwd: workspaceFolder() })
    const sequence = (last: number): string => Array.from({ length: last }, (_, index) => `${index + 1}\n`).join('')
    expect(end.stdout.equals(Buffer.from(sequence(3_000_000)))).toBe(true)
    expect(end.stderr).toBe(sequence(300_000))
  })

  it('wait for a slow reader without filling our memory', async () => {
    const child = startCli([...options, '--', 'head -c 300M /dev/zero'], { cwd: workspaceFolder() })
    const stdout = child.stdout as Readable
    await once(stdout, 'readable')
    const peak = await settledPeakBytes(child.pid)
    expect(peak).toBeLessThan(256 * mebibyte)
    const { status, stdout: bytes } = await endOf(child)
    expect(status).toBe(0)
    expect(bytes.length).toBe(300 * mebibyte)
  })

  it('whose reader goes away end the command, quietly, as SIGPIPE would', async () => {
    const cwd = workspaceFolder()
    const child = startCli([...options, '--', 'yes'], { cwd })
    await once(child.stdout as Readable, 'data')
    child.stdout?.destroy()
    const [stderr, [status]] = await Promise.all([
      once(child.stderr as Readable, 'close').then(() => (child.stderr?.read() as Buffer | null)?.toString() ?? ''),
      once(child, 'exit'),
    ])
    expect({ status, stderr }).toEqual({ status: 141, stderr: '' })
    expect(await engine.containersOf(child.pid)).toEqual([])
  })

  it('that cannot be written end the command, and say so', async () => {
    const fd = openSync('/dev/full', 'w')
    const child = startCli([...options, '--', 'yes'], { cwd: workspaceFolder(), stdoutFd: fd })
    closeSync(fd)
    const { status, stderr } = await endOf(child)
    expect(status).toBe(125)
    expect(stderr).toMatch(/^bash-docker: .*ENOSPC.* \(STREAM_FAILED\)\. .+\n$/)
    expect(await engine.containersOf(child.pid)).toEqual([])
  })
})

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Largest resident size of a process, once it grows no more. */
async function settledPeakBytes(pid: number | undefined): Promise<number> {
  const history: number[] = []
  await eventually('it stops to grow', () => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    history.push(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024)
    return history.length > 20 && history.at(-1) === history.at(-20)
  })
  return history.at(-1) as number
}
