import { gvisorCapabilities } from '../support/capabilities.ts'
import { describeDockerBash } from '../support/describe-docker-bash.ts'

await describeDockerBash('bash-docker by the supervisor on gVisor', gvisorCapabilities, {
  // The name under which the engine of the tests knows it: `scripts/lib/engine-files.mjs`.
  runtime: 'runsc',
  // gVisor's own threads count, several for each process.
  limits: { pidsLimit: 8192 },
})
