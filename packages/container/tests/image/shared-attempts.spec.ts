import { describe, expect, it } from 'vitest'
import type { ImageProgress } from '../../src/image/image-progress.ts'
import { type AttemptTerms, SharedAttempts } from '../../src/image/shared-attempts.ts'

/** An attempt that ends when the test says so, or a moment after nobody waits for it. */
class Attempt {
  starts = 0
  /** It has cleaned up after itself. */
  isSettled = false
  private terms: AttemptTerms | undefined
  private readonly end = Promise.withResolvers<void>()

  readonly start = async (terms: AttemptTerms): Promise<void> => {
    this.starts += 1
    this.terms = terms
    terms.signal.addEventListener('abort', () => this.end.reject(terms.signal.reason))
    try {
      await this.end.promise
    } finally {
      await new Promise((resolve) => setImmediate(resolve))
      this.isSettled = true
    }
  }

  get isGivenUp(): boolean {
    return this.terms?.signal.aborted === true
  }

  tell(line: string): void {
    this.terms?.onProgress({ step: 'pull', reference: 'image', line })
  }

  finish(error?: Error): void {
    if (error === undefined) this.end.resolve()
    else this.end.reject(error)
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('an attempt that several wait for', () => {
  it('is one, and tells each of them how it goes', async () => {
    const attempts = new SharedAttempts()
    const attempt = new Attempt()
    const told: string[] = []
    const listen = (who: string) => ({ onProgress: ({ line }: ImageProgress) => void told.push(`${who} ${line}`) })
    const both = [
      attempts.join('image', listen('a'), attempt.start),
      attempts.join('image', listen('b'), attempt.start),
    ]
    await turn()
    attempt.tell('half')
    attempt.finish()
    await Promise.all(both)
    expect(attempt.starts).toBe(1)
    expect(told).toEqual(['a half', 'b half'])
  })

  it('fails for each of them, and is made anew by the next', async () => {
    const attempts = new SharedAttempts()
    const first = new Attempt()
    const both = [attempts.join('image', {}, first.start), attempts.join('image', {}, first.start)]
    first.finish(new Error('no'))
    for (const one of both) await expect(one).rejects.toThrow('no')
    const second = new Attempt()
    second.finish()
    await attempts.join('image', {}, second.start)
    expect(second.starts).toBe(1)
  })

  it('goes on when one of them aborts, who waits no longer', async () => {
    const attempts = new SharedAttempts()
    const attempt = new Attempt()
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const aborted = attempts.join('image', { signal: controller.signal }, attempt.start)
    const patient = attempts.join('image', {}, attempt.start)
    await turn()
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    expect(attempt.isGivenUp).toBe(false)
    attempt.finish()
    await patient
  })

  it('is given up when the last of them aborts, who waits until nothing of it is left', async () => {
    const attempts = new SharedAttempts()
    const attempt = new Attempt()
    const controllers = [new AbortController(), new AbortController()]
    const waiting = controllers.map(({ signal }) => attempts.join('image', { signal }, attempt.start))
    const outcomes = Promise.allSettled(waiting)
    await turn()
    for (const controller of controllers) controller.abort(new Error('no longer'))
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([attempt.isGivenUp, attempt.isSettled]).toEqual([true, true])
  })

  it('is not joined by one who comes after it was given up', async () => {
    const attempts = new SharedAttempts()
    const givenUp = new Attempt()
    const controller = new AbortController()
    const first = attempts.join('image', { signal: controller.signal }, givenUp.start)
    first.catch(() => undefined) // looked at below
    await turn()
    controller.abort(new Error('no longer'))
    const next = new Attempt()
    next.finish()
    await attempts.join('image', {}, next.start)
    expect(next.starts).toBe(1)
    await expect(first).rejects.toThrow('no longer')
  })

  it('is not begun by one who has aborted', async () => {
    const attempt = new Attempt()
    const reason = new Error('never wanted')
    const join = new SharedAttempts().join('image', { signal: AbortSignal.abort(reason) }, attempt.start)
    await expect(join).rejects.toBe(reason)
    expect(attempt.starts).toBe(0)
  })
})
