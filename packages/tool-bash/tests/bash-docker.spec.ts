import { chown, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import DockerBashExecutor from 'dsh-bash-docker'
import { describeToolIntegration } from './support/describe-tool-integration.ts'

describeToolIntegration('bash-docker', async () => {
  const workdir = await mkdtemp(join(await realpath(tmpdir()), 'tool-bash-'))
  await chown(workdir, 1000, 1000)
  return {
    load: (ctx) => ctx.plugin(DockerBashExecutor, { workspace: { mode: 'bind', path: workdir, access: 'read-write' } }),
    workdir,
    cleanUp: () => rm(workdir, { recursive: true }),
  }
})
