import { createLocalBash } from 'dsh-bash-local'
import { describeExamples } from './support/describe-examples.ts'

describeExamples('bash-local', (files) => createLocalBash({ cwd: files.project, graceMs: 500 }))
