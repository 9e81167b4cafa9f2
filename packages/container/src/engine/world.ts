import { homedir } from 'node:os'

/** What engine discovery may look at; tests give their own. */
export interface EngineWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly homeDir: string
}

/** The world of this process. */
export function processWorld(): EngineWorld {
  return { env: process.env, homeDir: homedir() }
}

/** The value of a variable; an empty one counts as not set, as in the Docker client. */
export function setting(world: EngineWorld, name: string): string | undefined {
  const value = world.env[name]
  return value === '' ? undefined : value
}
