import { createDockerBash } from 'dsh-bash-docker'
import { hookReadOnlyPaths } from '../src/index.ts'
import { describeExamples } from './support/describe-examples.ts'

describeExamples('bash-docker', (files) =>
  createDockerBash({
    workspace: { mode: 'bind', path: files.project, access: 'read-write' },
    readOnlyPaths: hookReadOnlyPaths(files.config()),
    graceMs: 500,
  }),
)
