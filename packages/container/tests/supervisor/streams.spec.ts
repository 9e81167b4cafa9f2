import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run, start, SupervisorProcess, until } from './supervisor-process.ts'
import { useSupervisor } from './use-supervisor.ts'

const mib = 1024 * 1024

function sha256(chunks: Iterable<Uint8Array>): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

describe.each(['amd64', 'sanitized'] as const)('streams of a command (%s build)', (target) => {
  let supervisor: SupervisorProcess
  useSupervisor(target, (started) => (supervisor = started))

  it('keeps the two output streams apart, byte for byte', async () => {
    const { stdout, stderr, ends } = await run(supervisor, 'echo out; echo err >&2; printf "\\0\\377"')
    expect([stdout.slice(0, 4), stderr, ends.stdout.totalBytes]).toEqual(['out\n', 'err\n', 6])
    expect(ends.stdout).toMatchObject({ skippedBytes: 0, spill: 'none', spillPath: undefined })
  })

  it('carries 50 MiB in and out again', async () => {
    const bytes = Buffer.alloc(50 * mib)
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE((at * 2654435761) >>> 0, at)
    const { command, stdout } = start(supervisor, 'cat', { hasStdin: true, isLossless: true, maxSpillBytes: 0 })
    for (let at = 0; at < bytes.length; at += 777_777) await command.stdin.write(bytes.subarray(at, at + 777_777))
    command.stdin.end()
    await command.drained
    expect(sha256([stdout.content])).toBe(sha256([bytes]))
  })

  it('does not wait for stdin that nobody reads', async () => {
    const { command } = start(supervisor, 'exec true', { hasStdin: true })
    const written = command.stdin.write(Buffer.alloc(5 * mib))
    await expect(command.exited).resolves.toMatchObject({ exitCode: 0 })
    await written
  })

  it('lets go of stdin when the command closes it and goes on', async () => {
    const { command } = start(supervisor, 'exec <&-; sleep 60', { hasStdin: true })
    await command.stdin.write(Buffer.alloc(5 * mib))
    await command.signalTree(9)
    await expect(command.exited).resolves.toMatchObject({ signal: 'SIGKILL', killedByHost: true })
  })

  it('answers others while one command reads nothing of a full stdin', async () => {
    const { command } = start(supervisor, 'sleep 60', { hasStdin: true })
    void command.stdin.write(Buffer.alloc(5 * mib))
    expect((await run(supervisor, 'echo free')).stdout).toBe('free\n')
    await command.signalTree(9)
  })

  it('ends stdin at once where there is none', async () => {
    expect((await run(supervisor, 'wc -c')).stdout.trim()).toBe('0')
  })

  it('keeps the exact tail and the complete stream in a file of the container', async () => {
    const { ends, stdout } = await run(supervisor, 'seq 1 2000000', { maxOutputBytes: 10_000 })
    const expected = Buffer.from(Array.from({ length: 2_000_000 }, (_, i) => `${i + 1}\n`).join(''))
    expect(ends.stdout).toMatchObject({ totalBytes: expected.length, spill: 'kept' })
    expect(expected.toString('utf8', expected.length - 10_000)).toBe(stdout.slice(-10_000))
    const path = ends.stdout.spillPath!
    expect(readFileSync(path).equals(expected)).toBe(true)
    expect(statSync(path)).toMatchObject({ mode: 0o100444, uid: 65529 })
    const received: Uint8Array[] = []
    for await (const chunk of supervisor.connection.readSpill(path)) received.push(chunk)
    expect(sha256(received)).toBe(sha256([expected]))
  })

  it('keeps of each stream what was asked for it: one whole and never spilled, the other by its end', async () => {
    const stderrTerms = { maxOutputBytes: 1000, maxSpillBytes: mib, isLossless: false }
    const terms = { isLossless: true, maxOutputBytes: 0, maxSpillBytes: 0, stderrTerms }
    const { ends, stdout, stderr } = await run(supervisor, 'seq 1 300000; seq 1 20000 >&2', terms)
    expect(ends.stdout).toMatchObject({ totalBytes: stdout.length, skippedBytes: 0, spill: 'none' })
    expect(stdout.endsWith('\n300000\n')).toBe(true)
    expect(ends.stderr).toMatchObject({ spill: 'kept' })
    expect(stderr.endsWith('\n20000\n')).toBe(true)
    expect(readFileSync(ends.stderr.spillPath!, 'utf8').startsWith('1\n2\n')).toBe(true)
  })

  it('spills each stream by its own length', async () => {
    const stderrTerms = { maxOutputBytes: 100_000, maxSpillBytes: mib, isLossless: false }
    const { ends } = await run(supervisor, 'seq 1 1000; seq 1 1000 >&2', { maxOutputBytes: 1000, stderrTerms })
    expect([ends.stdout.spill, ends.stderr.spill]).toEqual(['kept', 'none'])
  })

  it('lets commands read a spill file and neither write, replace nor remove it', async () => {
    const { ends } = await run(supervisor, 'seq 1 20000')
    const path = ends.stdout.spillPath!
    const attempts = `tail -n1 ${path}; echo x >> ${path}; rm -f ${path}; mv /etc/hostname ${path}; ls ${supervisor.spillDirectory}`
    const { stdout, stderr } = await run(supervisor, attempts)
    expect(stdout).toBe('20000\n')
    expect(stderr.match(/Permission denied/g)).toHaveLength(4)
    expect(readFileSync(path, 'utf8').endsWith('\n20000\n')).toBe(true)
  })

  it.each([4242, 0])('lets a command of uid %i open its standard streams anew', async (uid) => {
    const { command, stdout, stderr } = start(
      supervisor,
      'echo out >/dev/stdout; echo err >/dev/stderr; cat /dev/stdin',
      { hasStdin: true, uid, gid: uid },
    )
    await command.stdin.write(Buffer.from('in\n'))
    command.stdin.end()
    await command.drained
    expect([stdout.text, stderr.text]).toEqual(['out\nin\n', 'err\n'])
  })

  it('makes no file for a stream that fits, to the byte', async () => {
    const fits = await run(supervisor, 'head -c 5000 /dev/zero', { maxOutputBytes: 5000 })
    const spills = await run(supervisor, 'head -c 5001 /dev/zero', { maxOutputBytes: 5000 })
    expect([fits.ends.stdout.spill, spills.ends.stdout.spill]).toEqual(['none', 'kept'])
    expect(statSync(spills.ends.stdout.spillPath!).size).toBe(5001)
  })

  it('removes a file that cannot be complete, and withholds its path', async () => {
    const before = readdirSync(supervisor.spillDirectory).length
    const { ends } = await run(supervisor, 'head -c 3000000 /dev/zero', { maxSpillBytes: 1_000_000 })
    expect(ends.stdout).toMatchObject({ totalBytes: 3_000_000, spill: 'over-cap', spillPath: undefined })
    expect(readdirSync(supervisor.spillDirectory)).toHaveLength(before)
  })

  it('keeps all files within the quota of the session, the oldest giving way', async () => {
    await using small = new SupervisorProcess(supervisor.binary, ['--spill-quota-bytes', `${3 * mib}`])
    const paths: string[] = []
    for (let i = 0; i < 4; i++) {
      const { ends } = await run(small, `head -c ${mib} /dev/zero`)
      paths.push(ends.stdout.spillPath!)
    }
    expect(paths.map((path) => existsSync(path))).toEqual([false, true, true, true])
    await expect(small.connection.readSpill(paths[0]!).next()).rejects.toMatchObject({ code: 'SPILL_UNAVAILABLE' })
    const { ends } = await run(small, `head -c ${4 * mib} /dev/zero`)
    expect(ends.stdout.spill).toBe('over-quota')
  })

  it('reads no other file of the container', async () => {
    for (const path of ['/etc/passwd', `${supervisor.spillDirectory}/../../etc/passwd`]) {
      await expect(supervisor.connection.readSpill(path).next()).rejects.toMatchObject({ code: 'SPILL_UNAVAILABLE' })
    }
  })

  it('stops sending a spill file that is no longer read', async () => {
    const { ends } = await run(supervisor, `head -c ${8 * mib} /dev/zero`)
    for await (const chunk of supervisor.connection.readSpill(ends.stdout.spillPath!)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await supervisor.connection.ping()
  })

  it('skips nothing and counts everything of a lossless stream', async () => {
    const { stdout, command } = start(supervisor, 'seq 1 1000000', { isLossless: true, maxOutputBytes: 100 })
    const ends = await command.drained
    expect(stdout.text).toBe(Array.from({ length: 1_000_000 }, (_, i) => `${i + 1}\n`).join(''))
    expect(ends.stdout).toMatchObject({ skippedBytes: 0, totalBytes: stdout.bytes })
  })

  it('accounts for every byte of a flood: delivered or skipped', async () => {
    const { stdout, command } = start(supervisor, `head -c ${100 * mib} /dev/zero`, { maxSpillBytes: 0 })
    const ends = await command.drained
    expect(stdout.bytes + stdout.skipped).toBe(100 * mib)
    expect(ends.stdout.skippedBytes).toBe(stdout.skipped)
    expect(stdout.skipped).toBeGreaterThan(0)
  })

  it('delivers what a survivor prints later', async () => {
    const { command, stdout } = start(
      supervisor,
      '(setsid bash -c "read -t 0.3 < <(sleep 1); echo late" &) ; echo first',
    )
    await command.exited
    await command.drained
    expect(stdout.text).toBe('first\nlate\n')
    await command.gone
  })

  it('leaves survivors running, and not held up, after a release', async () => {
    const { command } = start(supervisor, '(setsid bash -c "while :; do echo flood; done" &) ; true')
    await command.exited
    command.release()
    await command.drained
    expect(await command.signalTree(0)).toMatchObject({ remaining: 1 })
    expect(await command.signalTree(9)).toMatchObject({ remaining: 0 })
    await until(() => supervisor.connection.ping().then(() => true))
  })
})
