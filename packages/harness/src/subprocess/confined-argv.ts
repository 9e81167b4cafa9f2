import type { WorldAccess } from '../world/index.ts'

/** Stands where a program does, and is none: what was confined can run nowhere but where this is understood. */
const confinedProgram = 'dsh-sandbox-docker:confined'

/** An argument vector that says in which container of the world it is to run. */
export function confinedArgv(argv: readonly string[], access: WorldAccess): string[] {
  return [confinedProgram, access, ...argv]
}

/** What is to run, and in which container. */
export function unconfinedArgv(argv: readonly string[]): { argv: readonly string[]; access: WorldAccess } {
  if (argv[0] !== confinedProgram) return { argv, access: 'configured' }
  return { argv: argv.slice(2), access: argv[1] === 'configured' ? 'configured' : 'read-only' }
}
