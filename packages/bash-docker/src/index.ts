export { type DockerBashConfig, homeDirectory } from './config.ts'
export { createDockerBash, DockerBashExecutor, DockerBashExecutor as default } from './docker-bash-executor.ts'
