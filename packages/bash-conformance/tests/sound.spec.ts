import { afterAll, describe, expect, it } from 'vitest'
import { describeBashExecutor, type HostWorld, hostWorld } from '../src/index.ts'
import { loadLocal, localCapabilities } from './support/local.ts'

let world: HostWorld | undefined

describeBashExecutor(
  { describe, it, expect, afterAll },
  {
    name: 'bash-local',
    capabilities: localCapabilities,
    create: async (config) => {
      world ??= await hostWorld()
      return loadLocal(world, config)
    },
  },
)
