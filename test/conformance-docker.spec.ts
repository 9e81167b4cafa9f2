import { dockerCapabilities } from './support/capabilities.ts'
import { describeDockerBash } from './support/describe-docker-bash.ts'

await describeDockerBash('bash-docker over exec', dockerCapabilities, { transport: 'exec' })
