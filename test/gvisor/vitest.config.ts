import { defineConfig } from 'vitest/config'

/** The suite on gVisor takes longer than all other tests, and wants an engine that knows `runsc`. */
export default defineConfig({
  resolve: { conditions: ['bash-docker-source'] },
  ssr: { resolve: { conditions: ['bash-docker-source'] } },
  test: { include: ['test/gvisor/*.spec.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
})
