export { DockerWorld, type DockerWorldConfig, type ResolvedWorldConfig, type WorldAccess } from './world/index.ts'
export type { WorldSession } from './world/index.ts'
