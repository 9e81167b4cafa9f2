import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LocalBashExecutor from 'dsh-bash-local'
import { describeToolIntegration } from './support/describe-tool-integration.ts'

describeToolIntegration('bash-local', async () => {
  const workdir = await mkdtemp(join(await realpath(tmpdir()), 'tool-bash-'))
  return {
    load: (ctx) => ctx.plugin(LocalBashExecutor),
    workdir,
    cleanUp: () => rm(workdir, { recursive: true }),
  }
})
