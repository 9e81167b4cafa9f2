import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The suite on gVisor wants an engine that knows `runsc`: `npm test` runs it on its own, `npm run test:gvisor` alone. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ['test/gvisor/*.spec.ts'], exclude: configDefaults.exclude },
})
