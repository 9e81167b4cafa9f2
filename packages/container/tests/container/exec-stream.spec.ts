import { once } from 'node:events'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContainerExec, type ExecSpec } from '../../src/container/container-exec.ts'
import type { ExecFacts } from '../../src/engine/answers.ts'
import type { EnginePort } from '../../src/engine/port.ts'
import { frame, frameType } from '../support/frames.ts'

/** What a real engine does on no demand: it answers as the test says, and sends what the test sends. */
class ScriptedEngine {
  /** What it says of the exec, in turn; the last answer stays. */
  answers: ExecFacts[] = []
  /** It answers no sooner. */
  answering: Promise<void> = Promise.resolve()
  /** Its side of the exec's stream. */
  stream: Promise<Socket>
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
    this.stream = once(server, 'connection').then(([socket]) => socket as Socket)
  }

  static async start(): Promise<ScriptedEngine> {
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ScriptedEngine(server)
  }

  exec(spec: Partial<ExecSpec>): ContainerExec {
    const port: Partial<EnginePort> = {
      createExec: async () => 'exec',
      startExec: async () => {
        const { port: number } = this.server.address() as { port: number }
        const socket = connect({ port: number, host: '127.0.0.1', allowHalfOpen: true })
        await once(socket, 'connect')
        return socket
      },
      inspectExec: async () => {
        await this.answering
        return this.answers.length > 1 ? this.answers.shift() : this.answers[0]
      },
    }
    const world = { id: 'container', isEnded: false, isUsable: async () => true }
    const nothing = { argv: ['true'], workdir: '/', env: {}, user: { uid: 1, gid: 1 } }
    const sinks = { stdout: () => undefined, stderr: () => undefined }
    return new ContainerExec(port as EnginePort, world, { ...nothing, ...sinks, ...spec })
  }

  stop(): void {
    this.server.close()
  }
}

const starting: ExecFacts = { running: true, exitCode: null, pid: 0 }
const running: ExecFacts = { running: true, exitCode: null, pid: 5 }
const ended: ExecFacts = { running: false, exitCode: 0, pid: 5 }

/** Waits until a number has stayed the same for a while. */
async function settled(look: () => number): Promise<void> {
  let last = look()
  for (let same = 0; same < 20;) {
    await delay(10)
    same = look() === last ? same + 1 : 0
    last = look()
  }
}

describe('the stream of an exec', () => {
  let engine: ScriptedEngine
  beforeEach(async () => {
    engine = await ScriptedEngine.start()
  })
  afterEach(() => engine.stop())

  it('is delivered at once although the engine has not noted the process yet', async () => {
    engine.answers = [starting, starting, running]
    const printed = Promise.withResolvers<string>()
    const exec = engine.exec({ stdout: (chunk) => printed.resolve(Buffer.from(chunk).toString()) })
    const stream = await engine.stream
    stream.write(frame(frameType.stdout, 'up'))
    expect(await printed.promise).toBe('up')
    engine.answers = [ended]
    stream.end()
    expect(await exec.exited).toEqual({ exitCode: 0 })
  })

  it('is the reason, and no output, when the process was never started', async () => {
    engine.answers = [{ running: false, exitCode: 126, pid: 0 }]
    const printed: Uint8Array[] = []
    const exec = engine.exec({ stdout: (chunk) => void printed.push(chunk) })
    const stream = await engine.stream
    stream.end(frame(frameType.stdout, 'no such file'))
    await expect(exec.exited).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      context: { engineMessage: 'no such file' },
    })
    expect(printed).toEqual([])
  })

  it('is read on while the engine does not answer, and the end says whose it was', async () => {
    const answering = Promise.withResolvers<void>()
    engine.answering = answering.promise
    engine.answers = [ended]
    const printed: Uint8Array[] = []
    const exec = engine.exec({ stdout: (chunk) => void printed.push(chunk) })
    const stream = await engine.stream
    // More than the kernel takes for a reader that does not read.
    const flood = 'x'.repeat(32 * 1024 * 1024)
    stream.end(frame(frameType.stdout, flood))
    await once(stream, 'finish')
    answering.resolve()
    expect(await exec.exited).toEqual({ exitCode: 0 })
    expect(Buffer.concat(printed).toString()).toBe(flood)
  })

  it('is given up before the engine has opened it, and then is lost', async () => {
    engine.answers = [running]
    const exec = engine.exec({})
    exec.disconnect()
    await expect(exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
  })

  it.each([
    ['still runs', [running]],
    ['has no exit code', [{ running: false, exitCode: null, pid: 5 }]],
    ['is not known', []],
  ])('that ends while the process %s is lost, and no exit code is made up', async (_, answers) => {
    engine.answers = answers
    const exec = engine.exec({})
    const stream = await engine.stream
    stream.end()
    await expect(exec.exited).rejects.toMatchObject({ code: 'SESSION_LOST' })
  })

  it.each(['reset', 'cut'])('that is %s is lost or broken, and no exit code is made up', async (how) => {
    engine.answers = [ended]
    const exec = engine.exec({})
    const stream = await engine.stream
    await exec.started
    if (how === 'reset') stream.resetAndDestroy()
    else stream.end(frame(frameType.stdout, 'whole').subarray(0, 10))
    const code = how === 'reset' ? 'SESSION_LOST' : 'ENGINE_PROTOCOL'
    await expect(exec.exited).rejects.toMatchObject({ code })
  })

  it('is not read while the sink asks for a pause', async () => {
    engine.answers = [running]
    const room = Promise.withResolvers<void>()
    const printed: string[] = []
    const first = Promise.withResolvers<void>()
    const exec = engine.exec({
      stdout: (chunk) => {
        printed.push(Buffer.from(chunk).toString())
        first.resolve()
        return printed.length === 1 ? room.promise : undefined
      },
    })
    const stream = await engine.stream
    stream.write(frame(frameType.stdout, 'one'))
    await first.promise
    engine.answers = [ended]
    // More than the kernel takes for a reader that does not read.
    const flood = 'x'.repeat(32 * 1024 * 1024)
    stream.end(frame(frameType.stdout, flood))
    await settled(() => stream.bytesWritten - stream.writableLength)
    expect(printed).toEqual(['one'])
    room.resolve()
    await exec.exited
    expect(printed.slice(1).join('')).toBe(flood)
  })

  it('takes input from a stream, to its end', async () => {
    engine.answers = [running]
    const stdin = new PassThrough()
    const exec = engine.exec({ stdin })
    const stream = await engine.stream
    stdin.write('first ')
    stdin.end('last')
    expect(await text(stream)).toBe('first last')
    engine.answers = [ended]
    stream.end()
    expect(await exec.exited).toEqual({ exitCode: 0 })
  })

  it('takes a failure of its input for the end of it', async () => {
    engine.answers = [running]
    const stdin = new PassThrough()
    engine.exec({ stdin })
    const stream = await engine.stream
    stdin.write('some')
    const read = text(stream)
    await once(stream, 'readable')
    stdin.destroy(new Error('gone'))
    expect(await read).toBe('some')
    engine.answers = [ended]
    stream.end()
  })

  it('lets go of input that the process has not read', async () => {
    engine.answers = [ended]
    const stdin = new PassThrough()
    const exec = engine.exec({ stdin })
    const stream = await engine.stream
    stream.end()
    await exec.exited
    await once(stdin, 'close')
    expect(stdin.destroyed).toBe(true)
  })
})
