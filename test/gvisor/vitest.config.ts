import { defineConfig } from 'vitest/config'

/** The suite on gVisor wants an engine that knows `runsc`: `npm test` runs it on its own, `npm run test:gvisor` alone. */
export default defineConfig({
  resolve: { conditions: ['bash-docker-source'] },
  ssr: { resolve: { conditions: ['bash-docker-source'] } },
  test: {
    include: ['test/gvisor/*.spec.ts'],
    globalSetup: 'test/support/temporary-directory.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
