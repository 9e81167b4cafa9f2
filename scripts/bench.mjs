// npm run bench -- [options of test/bench/main.ts]: sets up what is missing, then measures the build.
import { runEntry } from './lib/run-entry.mjs'

await runEntry('test/bench/main.ts')
