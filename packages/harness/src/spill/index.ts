export { DockerSpill, DockerSpill as default } from './docker-spill.ts'
