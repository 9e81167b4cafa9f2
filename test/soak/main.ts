// npm run soak: kill -9 of a busy harness, a hundred times, at moments spread over its first second.
import Docker from 'dockerode'
import { collectGarbage, connectEngine } from 'dsh-container'
import { killHarness } from '../support/kill-harness.ts'

const attempts = 100
const longestLifeMs = 1000

const engine = await connectEngine()
const docker = new Docker({ socketPath: engine.endpoint.socketPath })
let cleanCount = 0
let createdCount = 0
for (let attempt = 0; attempt < attempts; attempt++) {
  const lifeMs = Math.round((attempt / attempts) * longestLifeMs)
  const { started, created } = await killHarness(docker, lifeMs)
  if (started.length === 0) cleanCount += 1
  else console.log(`after ${lifeMs} ms: left ${started.join(', ')}`)
  createdCount += created.length
}
const { failed } = await collectGarbage(engine)
console.log(`${cleanCount} of ${attempts} left nothing that ran; ${createdCount} were created and not started, for gc`)
process.exitCode = cleanCount === attempts && failed.length === 0 ? 0 : 1
