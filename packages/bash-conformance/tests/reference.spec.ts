import { describe, expect, it } from 'vitest'
import { describeBashExecutor, hostWorld, type World } from '../src/index.ts'
import { GroupHost } from './reference/group-host.ts'
import { loadExecutor, referenceCapabilities } from './reference/reference-executor.ts'

const world: World & { temporaryDirectory: string } = await hostWorld()
process.env['TMPDIR'] = world.temporaryDirectory

describeBashExecutor(
  { describe, it, expect },
  {
    name: 'an executor that keeps the contract',
    capabilities: referenceCapabilities,
    create: (config) => loadExecutor(new GroupHost(), config, world),
  },
)
