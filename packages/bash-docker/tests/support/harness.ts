import { createDockerBash } from '../../src/index.ts'

/** A harness that is about to be killed: it has a session in which a command runs, and says which. */
const path = process.argv[2] ?? ''
const bash = await createDockerBash({ workspace: { mode: 'bind', path } })
bash.start(bash.resolve({ command: 'sleep 86400' }))
const { sandbox } = await bash.run(bash.resolve({ command: 'true' }))
process.send?.(sandbox?.sessionId)
