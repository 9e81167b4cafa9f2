export { confinedArgv } from './confined-argv.ts'
export { DockerSubprocess, DockerSubprocess as default } from './docker-subprocess.ts'
