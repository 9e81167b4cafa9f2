import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Progress } from '../../src/output/progress.ts'

const erase = '\r\u001b[K'
const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`

function screen(facts: { isTTY: boolean; columns?: number }): { stream: WriteStream; shown: () => string } {
  const stream = Object.assign(new PassThrough(), {
    columns: 80,
    getColorDepth: WriteStream.prototype.getColorDepth,
    ...facts,
  }) as unknown as WriteStream
  return { stream, shown: () => (stream.read() as Buffer | null)?.toString() ?? '' }
}

describe('Progress', () => {
  afterEach(() => void vi.unstubAllEnvs())

  it('keeps one line up to date on a terminal, and leaves nothing of it', () => {
    vi.stubEnv('NO_COLOR', undefined)
    vi.stubEnv('FORCE_COLOR', '1')
    const { stream, shown } = screen({ isTTY: true })
    const progress = new Progress(stream, false, 'xterm')
    progress.quick('looking')
    progress.slow('pulling debian:12', '40%')
    progress.clear()
    progress.clear()
    expect(shown()).toBe(
      `${erase}${dim('bash-docker: looking …')}${erase}${dim('bash-docker: pulling debian:12: 40% …')}${erase}`,
    )
  })

  it('has no colour where NO_COLOR says so', () => {
    vi.stubEnv('NO_COLOR', '1')
    vi.stubEnv('FORCE_COLOR', undefined)
    const { stream, shown } = screen({ isTTY: true })
    new Progress(stream, false, 'xterm').quick('looking')
    expect(shown()).toBe(`${erase}bash-docker: looking …`)
  })

  it('never draws a line that would wrap', () => {
    vi.stubEnv('NO_COLOR', '1')
    const { stream, shown } = screen({ isTTY: true, columns: 20 })
    new Progress(stream, false, 'xterm').quick('looking for something long')
    expect(shown()).toBe(`${erase}bash-docker: lookin`)
  })

  it.each([
    ['no terminal', { isTTY: false }, 'xterm'],
    ['a dumb terminal', { isTTY: true }, 'dumb'],
  ])('says once, in a plain line, that a slow step is under way, where there is %s', (_what, facts, term) => {
    const { stream, shown } = screen(facts)
    const progress = new Progress(stream, false, term)
    progress.quick('looking')
    progress.slow('pulling debian:12', '1%')
    progress.slow('pulling debian:12', '2%')
    progress.slow('pulling debian:12', '3%')
    progress.slow('building')
    progress.clear()
    expect(shown()).toBe('bash-docker: pulling debian:12\n')
  })

  it('says nothing when it is to be quiet', () => {
    const { stream, shown } = screen({ isTTY: true })
    const progress = new Progress(stream, true, 'xterm')
    progress.quick('looking')
    progress.slow('pulling')
    progress.clear()
    expect(shown()).toBe('')
  })
})
