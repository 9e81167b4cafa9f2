import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { behaviours, describeBashExecutor, hostWorld } from '../src/index.ts'
import { brokenExecutors } from './support/broken-executors.ts'
import { CollectingFramework } from './support/collecting-framework.ts'
import { loadLocal, localCapabilities } from './support/local.ts'

/** Taken once: each world points TMPDIR at a directory of its own. */
const temporaryDirectory = tmpdir()

/** Short, since a broken executor is mostly waited for in vain. */
const timing = {
  graceMs: 300,
  slackMs: 1500,
  promptMs: 1500,
  settleMs: 4000,
  pollMs: 20,
  testMs: 20_000,
  heavyTestMs: 60_000,
}

describe('the suite rejects an executor that', () => {
  for (const { fault, behaviour, executor, lies, world: added, rejectedBy } of brokenExecutors) {
    it(`${fault}, by ${behaviour}`, async () => {
      process.env['TMPDIR'] = temporaryDirectory
      const framework = new CollectingFramework()
      const world = { ...(await hostWorld()), ...added }
      describeBashExecutor(framework, {
        name: fault,
        capabilities: { ...localCapabilities, ...lies },
        timing,
        only: [behaviour],
        create: (config) => loadLocal(world, config, executor),
      })
      const failures = await framework.failures()
      expect(failures).toEqual(rejectedBy.map((title) => `${behaviour}: ${title}`))
    }, 120_000)
  }

  it('is broken in any one behaviour', () => {
    const broken = new Set(brokenExecutors.map(({ behaviour }) => behaviour))
    expect([...broken].toSorted()).toEqual(Object.keys(behaviours).toSorted())
    for (const { rejectedBy } of brokenExecutors) expect(rejectedBy).not.toEqual([])
  })
})
