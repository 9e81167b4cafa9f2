import { dockerCapabilities } from './support/capabilities.ts'
import { describeDockerBash } from './support/describe-docker-bash.ts'

// The engine waits two seconds for the output of an exec that has ended, which is not prompt.
const timing = { promptMs: 1500 }

await describeDockerBash('bash-docker over exec', dockerCapabilities, { transport: 'exec' }, timing)
