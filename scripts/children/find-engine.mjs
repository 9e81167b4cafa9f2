// Asks the built packages for an engine and prints the answer as JSON: a `FoundEngine`. Run by the toolchain's Node.
import { discoverEngine } from 'dsh-container'

const { engine, candidates } = await discoverEngine()
const failed = candidates.filter(({ outcome }) => outcome === 'failed')
/** @type {import('../lib/ensure-engine.mjs').FoundEngine} */
const found = {
  host: engine?.endpoint.host,
  isChosen: candidates.some(({ source, outcome }) => source !== 'known-socket' && outcome !== 'not-tried'),
  tried: failed.map(({ name, reason }) => `${name}: ${reason}`),
}
console.log(JSON.stringify(found))
