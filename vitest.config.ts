import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['bash-docker-source'] },
  ssr: { resolve: { conditions: ['bash-docker-source'] } },
  test: {
    include: ['packages/*/tests/**/*.spec.ts', 'test/**/*.spec.ts', 'scripts/tests/**/*.spec.mjs'],
    // `npm test` runs it by itself, where the engine is its own.
    exclude: [...configDefaults.exclude, 'test/gvisor/**'],
    globalSetup: 'test/support/temporary-directory.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A bound, not a wait: a machine may be busy, and the default of one second is over soon.
    expect: { poll: { timeout: 20_000 } },
  },
})
