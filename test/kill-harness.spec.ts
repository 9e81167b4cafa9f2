import Docker from 'dockerode'
import { collectGarbage, connectEngine } from 'dsh-container'
import { expect, it } from 'vitest'
import { engineSocketPath } from './support/engine.ts'
import { killHarness } from './support/kill-harness.ts'

it('kill -9 of a harness at any moment leaves no container that ran, and gc takes the rest', async () => {
  const docker = new Docker({ socketPath: await engineSocketPath() })
  for (const lifeMs of [0, 40, 80, 160, 240, 320, 480, 800]) {
    const { started } = await killHarness(docker, lifeMs)
    expect({ lifeMs, started }).toEqual({ lifeMs, started: [] })
  }
  const { removed, failed } = await collectGarbage(await connectEngine())
  expect(failed).toEqual([])
  for (const { owner } of removed) expect(owner.state).not.toBe('alive')
}, 180_000)
