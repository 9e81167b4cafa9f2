import { supervisorCapabilities } from './support/capabilities.ts'
import { describeDockerBash } from './support/describe-docker-bash.ts'

await describeDockerBash('bash-docker by the supervisor', supervisorCapabilities, { transport: 'supervisor' })
