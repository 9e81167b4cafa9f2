import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Outlet } from '../../src/output/outlet.ts'

const mebibyte = Buffer.alloc(1024 * 1024, 'x')

/** A reader that takes a chunk only when it is told to. */
class SlowReader extends Writable {
  readonly taken: Buffer[] = []
  private readonly waiting: (() => void)[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.waiting.push(() => {
      this.taken.push(chunk)
      done()
    })
  }

  take(): void {
    this.waiting.shift()?.()
  }
}

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown> | void): Promise<boolean> {
  const pending = Symbol('pending')
  const turn = new Promise((resolve) => setImmediate(resolve, pending))
  return (await Promise.race([promise, turn])) !== pending
}

function fail(error: Error): void {
  throw error
}

describe('Outlet', () => {
  it('writes everything in order before it counts as flushed', async () => {
    const reader = new SlowReader()
    const outlet = new Outlet(reader, fail)
    for (const text of ['one', 'two', 'three']) outlet.write(Buffer.from(text))
    const flushed = outlet.flush()
    reader.take()
    reader.take()
    expect(await isSettled(flushed)).toBe(false)
    reader.take()
    await flushed
    expect(Buffer.concat(reader.taken).toString()).toBe('onetwothree')
  })

  it('asks for a pause once 16 MiB wait, until the reader has taken a chunk', async () => {
    const reader = new SlowReader()
    const outlet = new Outlet(reader, fail)
    for (let written = 1; written < 16; written++) expect(outlet.write(mebibyte)).toBeUndefined()
    const room = outlet.write(mebibyte)
    expect(room).toBeInstanceOf(Promise)
    expect(await isSettled(room)).toBe(false)
    reader.take()
    await room
  })

  it('pauses nobody any more once it is lifted', async () => {
    const outlet = new Outlet(new SlowReader(), fail)
    let room: Promise<void> | void = undefined
    for (let written = 0; written < 20; written++) room = outlet.write(mebibyte)
    outlet.lift()
    await room
    expect(outlet.write(mebibyte)).toBeUndefined()
  })

  it('reports the first failure once, drops the rest, and lets everybody go on', async () => {
    const failures: (string | undefined)[] = []
    const broken = new Writable({
      write: (_chunk, _encoding, done) => setImmediate(done, Object.assign(new Error('gone'), { code: 'EPIPE' })),
    })
    const outlet = new Outlet(broken, (error) => failures.push(error.code))
    let room: Promise<void> | void = undefined
    for (let written = 0; written < 20; written++) room = outlet.write(mebibyte)
    await room
    expect(outlet.write(mebibyte)).toBeUndefined()
    await outlet.flush()
    expect(failures).toEqual(['EPIPE'])
  })
})
