import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['bash-docker-source'] },
  ssr: { resolve: { conditions: ['bash-docker-source'] } },
  test: {
    include: ['packages/*/tests/**/*.spec.ts', 'test/**/*.spec.ts', 'scripts/tests/**/*.spec.mjs'],
    // Have commands of their own: `pnpm test:gvisor` and `pnpm test:harness`.
    exclude: [...configDefaults.exclude, 'test/gvisor/**', 'test/harness/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
