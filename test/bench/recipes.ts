import { createDockerBash, type DockerBashConfig, DockerProcessHost, resolveConfig } from 'dsh-bash-docker'
import { createLocalBash } from 'dsh-bash-local'
import type { ExecutorRecipe } from './executor-subject.ts'
import { findSession } from './session-container.ts'
import type { SubjectName } from './subject.ts'

/** The executors that are measured; the grace is that of the case `tree-of-50`. */
export function recipes(engineHost: string, socketPath: string): readonly (readonly [SubjectName, ExecutorRecipe])[] {
  const common = { graceMs: 300 }
  const supervisor: DockerBashConfig = { ...common, engine: { host: engineHost } }
  const exec: DockerBashConfig = { ...supervisor, transport: 'exec' }
  return [
    ['bash-local', { create: () => createLocalBash(common) }],
    [
      'bash-docker',
      {
        create: () => createDockerBash(supervisor),
        openHost: () => new DockerProcessHost(resolveConfig(supervisor)),
        findSession: (owner) => findSession(socketPath, owner),
        createWithSpare: () => createDockerBash({ ...supervisor, spareSessions: 1 }),
      },
    ],
    ['bash-docker-exec', { create: () => createDockerBash(exec) }],
  ]
}
