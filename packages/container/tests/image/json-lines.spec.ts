import { PassThrough, Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ProgressLine, ProgressError, readProgress } from '../../src/image/json-lines.ts'

async function read(stream: Readable, signal?: AbortSignal): Promise<ProgressLine[]> {
  const lines: ProgressLine[] = []
  await readProgress(stream, (line) => lines.push(line), signal)
  return lines
}

describe('the progress of an engine', () => {
  it('is read line by line, however it is cut', async () => {
    const line = fc.record({ status: fc.string({ unit: 'binary' }), id: fc.string({ unit: 'grapheme' }) })
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(), { maxLength: 20 }), async (lines, places) => {
        const bytes = Buffer.from(lines.map((entry) => `${JSON.stringify(entry)}\r\n`).join(''))
        const edges = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
        expect(await read(Readable.from(chunks))).toEqual(lines)
      }),
    )
  })

  it('may end without a line feed, and have lines of other shapes', async () => {
    const stream = Readable.from([Buffer.from('{"aux":{"ID":"x"}}\n[]\n\n{"status":1}\n{"status":"done"}')])
    expect(await read(stream)).toEqual([{}, { status: 'done' }])
  })

  it('ends at the error that the engine reports, with its words', async () => {
    const stream = Readable.from([Buffer.from('{"status":"a"}\n{"error":"short","errorDetail":{"message":"long"}}\n')])
    await expect(read(stream)).rejects.toThrow(new ProgressError('long'))
  })

  it('that breaks is an error, and not an end', async () => {
    const stream = new PassThrough()
    const reading = read(stream)
    stream.write('{"status":"half"}\n')
    stream.destroy()
    await expect(reading).rejects.toThrow('Premature close')
  })

  it('that is no JSON is an error', async () => {
    await expect(read(Readable.from([Buffer.from('<html>\n')]))).rejects.toThrow(SyntaxError)
  })

  it.each(['before', 'meanwhile'])('is read no further once the caller aborts, %s', async (when) => {
    const stream = new PassThrough()
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    if (when === 'before') controller.abort(reason)
    const reading = read(stream, controller.signal)
    stream.write('{"status":"a"}\n')
    controller.abort(reason)
    await expect(reading).rejects.toBe(reason)
    expect(stream.destroyed).toBe(true)
  })
})
