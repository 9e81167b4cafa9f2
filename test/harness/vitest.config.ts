import { defineConfig } from 'vitest/config'

/** The whole program of the harness, which `npm run test:harness` installs first. */
export default defineConfig({
  resolve: { conditions: ['bash-docker-source'] },
  ssr: { resolve: { conditions: ['bash-docker-source'] } },
  test: { include: ['test/harness/*.spec.ts'], testTimeout: 180_000, hookTimeout: 120_000 },
})
