import { expect } from 'vitest'
import type { Expect, TestFramework } from '../../src/index.ts'

interface CollectedTest {
  /** `behaviour: title`. */
  id: string
  run: () => Promise<void>
  timeoutMs: number
}

/** A test framework that collects tests and runs them when it is told to, so that the suite is itself a subject. */
export class CollectingFramework implements TestFramework {
  readonly expect = expect as unknown as Expect
  private readonly tests: CollectedTest[] = []
  private readonly groups: string[] = []

  describe(name: string, define: () => void): void {
    this.groups.push(name)
    define()
    this.groups.pop()
  }

  it(title: string, run: () => Promise<void>, timeoutMs = 5_000): void {
    this.tests.push({ id: `${this.groups.at(-1)}: ${title}`, run, timeoutMs })
  }

  /** Runs one test after the other; resolves with the ids of those that failed. */
  async failures(): Promise<string[]> {
    const failed: string[] = []
    for (const test of this.tests) if (!(await passes(test))) failed.push(test.id)
    return failed
  }
}

async function passes({ run, timeoutMs }: CollectedTest): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), timeoutMs)
  try {
    return await Promise.race([
      run().then(
        () => true,
        () => false, // an assertion failed: that is what is asked
      ),
      late.promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}
