export { DockerSubprocess, DockerSubprocess as default } from './docker-subprocess.ts'
