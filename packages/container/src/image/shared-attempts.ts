import type { ImageProgress, OnImageProgress } from './image-progress.ts'

/** What an attempt is given. */
export interface AttemptTerms {
  readonly onProgress: OnImageProgress
  /** Aborts when nobody waits for the attempt any more. */
  readonly signal: AbortSignal
}

/** Somebody who waits. */
export interface Waiter {
  readonly onProgress?: OnImageProgress | undefined
  readonly signal?: AbortSignal | undefined
}

interface Attempt {
  readonly done: Promise<void>
  readonly givenUp: AbortController
  readonly waiters: Set<Waiter>
}

/** Whoever asks for an image while it is being had waits for the same attempt, and sees its progress. */
export class SharedAttempts {
  private readonly underWay = new Map<string, Attempt>()

  /**
   * Joins the attempt that is under way, or starts one. Who aborts waits no longer; when that was the
   * last one, the attempt is aborted, and its end awaited, so that nothing of it is left behind.
   *
   * @throws what the attempt throws, and the reason of the waiter's abort
   */
  async join(key: string, waiter: Waiter, start: (terms: AttemptTerms) => Promise<void>): Promise<void> {
    const { signal } = waiter
    signal?.throwIfAborted()
    const attempt = this.underWay.get(key) ?? this.begin(key, start)
    attempt.waiters.add(waiter)
    const left = Promise.withResolvers<never>()
    const leave = (): void => {
      attempt.waiters.delete(waiter)
      if (attempt.waiters.size > 0) return left.reject(signal?.reason)
      if (this.underWay.get(key) === attempt) this.underWay.delete(key) // The next one starts anew.
      attempt.givenUp.abort(signal?.reason)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      await Promise.race([attempt.done, left.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      attempt.waiters.delete(waiter)
    }
  }

  private begin(key: string, start: (terms: AttemptTerms) => Promise<void>): Attempt {
    const waiters = new Set<Waiter>()
    const givenUp = new AbortController()
    const onProgress = (progress: ImageProgress): void => {
      for (const waiter of waiters) waiter.onProgress?.(progress)
    }
    // A turn later, when the first one waits: what it is told at once is for it, too.
    const done = Promise.resolve().then(() => start({ onProgress, signal: givenUp.signal }))
    const attempt = { done, givenUp, waiters }
    this.underWay.set(key, attempt)
    const forget = (): void => {
      if (this.underWay.get(key) === attempt) this.underWay.delete(key)
    }
    done.then(forget, forget)
    return attempt
  }
}
