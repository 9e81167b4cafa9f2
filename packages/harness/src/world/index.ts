export type { DockerWorldConfig, ResolvedWorldConfig } from './config.ts'
export { DockerWorld, DockerWorld as default, type WorldAccess } from './docker-world.ts'
export type { WorldSession } from './world-session.ts'
