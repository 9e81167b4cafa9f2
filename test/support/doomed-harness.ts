import { createDockerBash } from 'dsh-bash-docker'
import { OwnerToken } from 'dsh-bash'

/** A harness that is about to be killed: commands run, start and end in two sessions, without a pause. */
const bash = await createDockerBash({ workspace: { mode: 'none' }, spareSessions: 1 })
process.send?.('begun')
for (let round = 0; ; round++) {
  const owner = OwnerToken(`doomed-${round % 2}`)
  bash.start(bash.resolve({ command: 'sleep 600 & setsid sleep 600 & wait', owner }))
  await bash.run(bash.resolve({ command: 'sleep 0.05; echo $RANDOM', owner }))
}
