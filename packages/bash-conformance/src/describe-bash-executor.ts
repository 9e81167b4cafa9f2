import { randomInt } from 'node:crypto'
import { type BehaviourName, behaviours } from './behaviours/index.ts'
import type { Capabilities } from './capabilities.ts'
import { ExecutorPool } from './executor-pool.ts'
import type { ExecutorConfig, ExecutorUnderTest } from './executor-under-test.ts'
import type { TestFramework } from './framework.ts'
import type { Suite } from './suite.ts'
import { registerLeftoverTest } from './leftovers.ts'
import { defaultTiming, type Timing } from './timing.ts'

export interface ExecutorDescription {
  /** Heads the report. */
  name: string
  /** Loads an executor with this configuration. May be called many times, and while others are loaded. */
  create(config: ExecutorConfig): Promise<ExecutorUnderTest>
  capabilities: Capabilities
  /** Default: {@link defaultTiming}. */
  timing?: Partial<Timing>
  /** Registers only these behaviours. */
  only?: readonly BehaviourName[]
}

/**
 * Registers the contract of `dsh-bash` as tests of one executor. The tests have to run one after
 * the other, in the order of their registration; the last one checks that nothing is left behind.
 */
export function describeBashExecutor(framework: TestFramework, description: ExecutorDescription): void {
  const { capabilities } = description
  const timing: Timing = { ...defaultTiming, ...description.timing }
  const pool = new ExecutorPool((config) => description.create(config), { graceMs: timing.graceMs })
  const suiteMark = String(randomInt(1e8, 1e9))
  let marks = 0
  const suite: Suite = {
    expect: framework.expect,
    capabilities,
    timing,
    test: (title, run, timeoutMs = timing.testMs) => {
      framework.it(title, run, timeoutMs)
    },
    shared: (config) => pool.shared(config),
    fresh: (config, use) => pool.fresh(config, use),
    mark: () => suiteMark + String(++marks).padStart(4, '0'),
    expectCapability: (name, holds) => {
      framework.expect({ [name]: holds }).toEqual({ [name]: capabilities[name] })
    },
  }

  framework.describe(description.name, () => {
    framework.afterAll?.(() => pool.disposeAll())
    for (const name of description.only ?? (Object.keys(behaviours) as BehaviourName[])) {
      framework.describe(name, () => behaviours[name](suite))
    }
    framework.describe('afterwards', () => registerLeftoverTest(suite, pool, suiteMark))
  })
}
