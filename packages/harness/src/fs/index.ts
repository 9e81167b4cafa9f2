export { DockerFileSystem, DockerFileSystem as default } from './docker-file-system.ts'
