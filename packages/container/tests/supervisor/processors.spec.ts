import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { protocolVersion } from '../../src/supervisor/protocol.ts'
import { openTerminal } from './open-terminal.ts'
import { buildSupervisor, run, SupervisorProcess } from './supervisor-process.ts'

const kibibyte = 1024

/** Debian's name for QEMU's emulation of a single program. */
const emulator = 'qemu-aarch64'

/** The field `e_machine` of a program's ELF header. */
const elfMachine = { offset: 18, amd64: 62, arm64: 183 }

describe.each([
  ['amd64', 100 * kibibyte, []],
  ['arm64', 1024 * kibibyte, [emulator]],
] as const)('the supervisor for %s', (target, maxBytes, emulation) => {
  let build: ReturnType<typeof buildSupervisor>
  beforeAll(() => {
    build = buildSupervisor(target)
  })
  afterAll(() => build.remove())

  it('is small, and for this processor', () => {
    expect(statSync(build.path).size).toBeLessThan(maxBytes)
    expect(readFileSync(build.path).readUInt16LE(elfMachine.offset)).toBe(elfMachine[target])
  })

  it('names the protocol and its own bytes', () => {
    const [program = '', ...args] = [...emulation, build.path, '--version']
    const hash = createHash('sha256').update(readFileSync(build.path)).digest('hex')
    expect(execFileSync(program, args, { encoding: 'utf8' })).toBe(`${protocolVersion} ${hash}\n`)
  })

  // What needs the memory that a command shares with its keeper until it is one (why a start failed) is not
  // emulated, nor are subreapers; the tests of the machine's own processor cover both.
  it('runs commands as process 1', async () => {
    await using supervisor = new SupervisorProcess(build.path, [], emulation)
    const { exit, stdout, stderr } = await run(supervisor, 'echo out; echo err >&2; id -u; exit 7')
    expect({ code: exit.exitCode, stdout, stderr }).toEqual({ code: 7, stdout: 'out\n4242\n', stderr: 'err\n' })
    expect((await run(supervisor, 'kill -TERM $$')).exit.signal).toBe('SIGTERM')
    const echoed = await run(supervisor, 'seq 1 20000 | tail -n 1')
    expect(echoed.stdout).toBe('20000\n')
  })

  it('opens terminals', async () => {
    await using supervisor = new SupervisorProcess(build.path, [], emulation)
    const { terminal, shows } = await openTerminal(supervisor, ['bash', '-c', 'stty size; read -r line; stty size'])
    await shows(/^24 80\r\n/)
    await terminal.resize({ rows: 40, columns: 120 })
    await terminal.write('typed\n')
    await shows(/^typed\r\n40 120\r\n/)
    await expect(terminal.exited).resolves.toMatchObject({ exitCode: 0 })
  })
})
