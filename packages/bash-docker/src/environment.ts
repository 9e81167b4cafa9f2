import { type Environment, type Inheritance, inheritedEnvironment, terminalOverrides } from 'dsh-bash-process'

/**
 * The variables of one command over those of its image: ambient, then what keeps a terminal quiet,
 * then the trusted caller's, which are always honoured.
 */
export function composeEnvironment(
  ambient: Environment,
  inherit: Inheritance,
  trusted: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return { ...inheritedEnvironment(ambient, inherit), ...terminalOverrides, ...trusted }
}
