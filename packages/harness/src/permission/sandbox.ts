export { DockerSandbox, DockerSandbox as default } from './docker-sandbox.ts'
