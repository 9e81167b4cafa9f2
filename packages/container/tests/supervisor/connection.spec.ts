import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SupervisorConnection } from '../../src/supervisor/supervisor-connection.ts'
import { frame, wholeHello } from './protocol-frames.ts'
import { Collector, commandSpec } from './supervisor-process.ts'

function connect() {
  const input = new PassThrough()
  return { input, connection: new SupervisorConnection(input, new PassThrough()) }
}

function helloFrame(changes: object = {}): Buffer {
  return frame(16, 0, 0, Buffer.from(JSON.stringify({ ...wholeHello, ...changes })))
}

function spawnOne(connection: SupervisorConnection) {
  return connection.spawn(commandSpec('true'), { stdout: new Collector(), stderr: new Collector() })
}

describe('a supervisor connection', () => {
  it('loses every running command when the stream ends', async () => {
    const { input, connection } = connect()
    const command = spawnOne(connection)
    const spill = connection.readSpill('/x').next()
    const lost = { code: 'SESSION_LOST' }
    input.write(helloFrame())
    await connection.hello
    input.end()
    await expect(command.started).rejects.toMatchObject(lost)
    await expect(command.exited).rejects.toMatchObject(lost)
    await expect(command.drained).rejects.toMatchObject(lost)
    await expect(spill).rejects.toMatchObject(lost)
    await expect(command.signalTree(9)).resolves.toMatchObject({ remaining: 0 })
    expect(() => spawnOne(connection)).toThrow(expect.objectContaining(lost))
    await expect(connection.ping()).rejects.toMatchObject(lost)
  })

  it.each([
    ['a version that it does not speak', () => [{ protocol: 2 }, undefined] as const],
    ['a hello without facts', () => [{ build: 7 }, undefined] as const],
    [
      'more output than it gave credit for',
      () => [{}, Array.from({ length: 5 }, () => frame(2, 1, 1, Buffer.alloc(65_536)))] as const,
    ],
    ['output on a stream that is none', () => [{}, [frame(2, 7, 1, Buffer.alloc(1))]] as const],
    ['an end before the start', () => [{}, [frame(20, 0, 1, Buffer.alloc(56))]] as const],
    ['a malformed frame', () => [{}, [Buffer.from('OCI runtime exec failed: …')]] as const],
    ['the supervisor’s own refusal', () => [{}, [frame(25, 0, 0, Buffer.alloc(12, 1))]] as const],
  ])('ends with ENGINE_PROTOCOL on %s', async (_, scenario) => {
    const [helloChanges, frames] = scenario()
    const { input, connection } = connect()
    const command = spawnOne(connection)
    input.write(helloFrame(helloChanges))
    for (const bytes of frames ?? []) input.write(bytes)
    await expect(connection.ended).resolves.toMatchObject({ code: 'ENGINE_PROTOCOL' })
    await expect(command.exited).rejects.toMatchObject({ code: 'ENGINE_PROTOCOL' })
  })
})
