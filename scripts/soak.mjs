// npm run soak: kills a busy harness a hundred times and looks what is left of it.
import { runEntry } from './lib/run-entry.mjs'

await runEntry('test/soak/main.ts')
