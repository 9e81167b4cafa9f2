import type { Capabilities, CapabilityName } from './capabilities.ts'
import type { ExecutorConfig, ExecutorUnderTest } from './executor-under-test.ts'
import type { Expect } from './framework.ts'
import type { Timing } from './timing.ts'

/** What a behaviour gets to register its tests with. */
export interface Suite {
  readonly expect: Expect
  readonly capabilities: Capabilities
  readonly timing: Timing
  /** Registers a test. Its title is its identity: it stays the same whatever the manifest says. */
  test(title: string, run: () => Promise<void>, timeoutMs?: number): void
  /**
   * An executor that other tests use as well, made at its first use, one for each configuration.
   * For tests that leave nothing in it but finished commands.
   */
  shared(config?: ExecutorConfig): Promise<ExecutorUnderTest>
  /** An executor for one test alone, disposed of at its end. */
  fresh(config: ExecutorConfig, use: (executor: ExecutorUnderTest) => Promise<void>): Promise<void>
  /**
   * Digits that nobody else uses: as the fraction of a `sleep`, in a file's name or a value. A
   * process that has them among its arguments belongs to this suite, and must be gone at its end.
   */
  mark(): string
  /** Holds what was measured against the manifest, both ways. */
  expectCapability(name: CapabilityName, holds: boolean): void
}

/** Registers the tests of one behaviour. */
export type Behaviour = (suite: Suite) => void
