/** One change of a file at a time, first come, first served, so that of two guarded ones the second is stale. */
export class TargetLock {
  private readonly tails = new Map<string, Promise<unknown>>()

  async hold<Result>(key: string, change: () => Promise<Result>): Promise<Result> {
    const running = (this.tails.get(key) ?? Promise.resolve()).then(change)
    const tail = running.catch(() => undefined) // the caller of the change is told
    this.tails.set(key, tail)
    try {
      return await running
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key)
    }
  }
}
