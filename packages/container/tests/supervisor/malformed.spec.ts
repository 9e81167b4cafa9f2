import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeForeground, encodePing, encodeSpawn, encodeWindow } from '../../src/supervisor/frame-encoder.ts'
import { FrameDecoder } from '../../src/supervisor/frame-decoder.ts'
import { frameType, headerBytes, maxDataBytes, stdinWindowBytes } from '../../src/supervisor/protocol.ts'
import { frame } from './protocol-frames.ts'
import { buildSupervisor, commandSpec, sourceDirectory, spawnAsProcessOne } from './supervisor-process.ts'

const good = encodeSpawn(1, commandSpec('sleep 600'), 0)
/** Also more than the window and what a pipe holds, whose bytes are credited. */
const moreThanWindow = 3 * stdinWindowBytes
const cutString = encodeSpawn(1, commandSpec('true'), 0)
cutString[cutString.length - 1] = 120
const terminal = encodeSpawn(1, commandSpec('sleep 600', { hasStdin: true, isLossless: true }), 0, {
  rows: 24,
  columns: 80,
})
const terminalWithoutRows = encodeSpawn(1, commandSpec('true', { hasStdin: true, isLossless: true }), 0, {
  rows: 0,
  columns: 80,
})

describe.each(['amd64', 'sanitized'] as const)('a host that breaks the protocol (%s build)', (target) => {
  let build: ReturnType<typeof buildSupervisor>
  beforeAll(() => {
    build = buildSupervisor(target)
  })
  afterAll(() => build.remove())

  const converse = async (bytes: Buffer) => {
    const child = spawnAsProcessOne(build.path)
    const decoder = new FrameDecoder()
    const frames: { type: number; code: number }[] = []
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.on('data', (chunk: Buffer) =>
      decoder.push(chunk, ({ type, payload }) =>
        frames.push({ type, code: payload.length >= 4 ? payload.readUInt32LE(0) : 0 }),
      ),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.write(bytes)
    const exitCode = await new Promise((resolve) => child.on('close', resolve))
    return { exitCode, stderr, last: frames.at(-1) }
  }

  it.each([
    ['an unknown type', 1, frame(99, 0, 1, Buffer.alloc(0))],
    ['a frame of its own', 1, frame(frameType.hello, 0, 0, Buffer.alloc(2))],
    ['data that is too long', 2, frame(frameType.data, 0, 1, Buffer.alloc(65_537))],
    ['stdin on stdout', 3, frame(frameType.data, 1, 1, Buffer.alloc(1))],
    ['reserved bytes', 4, frame(frameType.release, 0, 1, Buffer.alloc(0), 1)],
    ['a channel that is in use', 5, Buffer.concat([good, good])],
    ['a spawn on the session', 5, frame(frameType.spawn, 0, 0, good.subarray(headerBytes))],
    ['a string without an end', 6, cutString],
    [
      'more stdin than credit',
      7,
      Buffer.concat([
        encodeSpawn(1, commandSpec('sleep 600', { hasStdin: true }), 0),
        ...Array.from({ length: moreThanWindow / maxDataBytes }, () =>
          frame(frameType.data, 0, 1, Buffer.alloc(maxDataBytes)),
        ),
      ]),
    ],
    ['a signal that is none', 8, Buffer.concat([good, frame(frameType.signal, 0, 1, Buffer.alloc(8, 0xff))])],
    [
      'a terminal without stdin',
      6,
      encodeSpawn(1, commandSpec('true', { isLossless: true }), 0, { rows: 1, columns: 1 }),
    ],
    ['a terminal without rows', 6, terminalWithoutRows],
    ['a window without columns', 9, Buffer.concat([terminal, encodeWindow(1, { rows: 1, columns: 0 })])],
    ['a window that is too long', 2, frame(frameType.window, 0, 1, Buffer.alloc(5, 1))],
    ['a signal that is none to a terminal', 8, Buffer.concat([terminal, encodeForeground(1, 1, 65)])],
    ['noise', 1, Buffer.from('GET / HTTP/1.1\r\n\r\n')],
  ])('is told of %s, and the session ends', async (_, code, bytes) => {
    expect(await converse(bytes)).toEqual({ exitCode: 3, stderr: '', last: { type: frameType.error, code } })
  })

  it('is not refused for frames to a channel that is over', async () => {
    const frames = [2, 3, 6].map((type) => frame(type, 0, 7, type === 2 ? Buffer.alloc(1) : Buffer.alloc(0)))
    const asked = [frameType.signal, frameType.foreground].map((type) => frame(type, 0, 7, Buffer.alloc(8)))
    const window = encodeWindow(7, { rows: 1, columns: 1 })
    const child = spawnAsProcessOne(build.path)
    const types: number[] = []
    const decoder = new FrameDecoder()
    const done = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) =>
        decoder.push(chunk, ({ type }) => {
          types.push(type)
          if (type === frameType.pong) resolve()
        }),
      )
    })
    child.stdin.write(Buffer.concat([...frames, window, ...asked, encodePing(1n)]))
    await done
    child.stdin.end()
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(types).toEqual([frameType.hello, frameType.tree, frameType.foregroundState, frameType.pong])
  })

  it('is not run outside a pid namespace of its own', () => {
    expect(() => execFileSync(build.path, { stdio: 'pipe' })).toThrow('not process 1')
  })
})

it('parses frames and spawns as its own unit tests say', () => {
  const build = buildSupervisor('unit')
  expect(execFileSync(build.path, { encoding: 'utf8' })).toBe('ok\n')
  build.remove()
})

it('parses what fuzzing begins with, whole and cut off anywhere', () => {
  const build = buildSupervisor('corpus')
  const corpus = join(sourceDirectory, 'test/corpus')
  const files = readdirSync(corpus).map((name) => join(corpus, name))
  expect(execFileSync(build.path, files, { encoding: 'utf8' })).toBe('ok\n')
  build.remove()
})
