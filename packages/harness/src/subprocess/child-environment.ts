import { type Environment, type Inheritance, inheritedEnvironment } from 'dsh-bash-process'
import { SandboxError } from 'dsh-bash-error'

/** The harness tells its processes who they belong to by these; those of an outer harness do not pass. */
const managedName = /^DSH_/i

/**
 * The environment of one process: the image's and the container's, the harness's own as far as it
 * travels, then the caller's entries, of which `undefined` removes a name.
 *
 * @throws `ENV_INVALID` for what no process can be given
 */
export function childEnvironment(
  base: Readonly<Record<string, string>>,
  ambient: Environment,
  inherit: Inheritance,
  explicit: Environment | undefined,
): Record<string, string> {
  const inherited = Object.entries(inheritedEnvironment(ambient, inherit)).filter(([name]) => !managedName.test(name))
  const environment: Record<string, string> = { ...base, ...Object.fromEntries(inherited) }
  for (const [name, value] of Object.entries(explicit ?? {})) {
    refuseInvalid(name, value)
    if (value === undefined) delete environment[name]
    else environment[name] = value
  }
  return environment
}

/** A NUL would end the string early, and an equals sign move the border between name and value. */
function refuseInvalid(name: string, value: string | undefined): void {
  if (name !== '' && !/[=\0]/.test(name) && value?.includes('\0') !== true) return
  throw new SandboxError('ENV_INVALID', `cannot be a variable: ${JSON.stringify(name)}`, { context: { name } })
}
