/**
 * The assertions that the suite uses: a subset that vitest, jest and the `expect` package share.
 */
export interface Matchers {
  toBe(expected: unknown): unknown
  toEqual(expected: unknown): unknown
  toMatch(expected: RegExp): unknown
  toContain(expected: unknown): unknown
  toBeLessThan(expected: number): unknown
  toBeLessThanOrEqual(expected: number): unknown
  toBeGreaterThanOrEqual(expected: number): unknown
  readonly not: Omit<Matchers, 'not'>
}

export type Expect = (actual: unknown) => Matchers

/**
 * The caller's own test functions. The shapes are those of vitest and jest; for `node:test`, wrap
 * `it` so that the timeout becomes an option, and pass `after` as `afterAll`.
 */
export interface TestFramework {
  describe(name: string, define: () => void): unknown
  it(title: string, run: () => Promise<void>, timeoutMs?: number): unknown
  expect: Expect
  /**
   * Disposes of the shared executors when the last test was filtered out or never came; the suite
   * itself does so in its last test.
   */
  afterAll?(run: () => Promise<void>): unknown
}
