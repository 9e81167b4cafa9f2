import {
  type Environment,
  scrubCredentialNames,
  scrubCredentialValues,
  scrubHostBound,
  terminalOverrides,
} from 'dsh-bash-process'

/** What a command gets of the harness's own environment. */
export type Inheritance = 'scrubbed' | 'none' | readonly string[]

/**
 * The variables of one command over those of its image: ambient, then what keeps a terminal quiet,
 * then the trusted caller's, which are always honoured.
 */
export function composeEnvironment(
  ambient: Environment,
  inherit: Inheritance,
  trusted: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return { ...inherited(ambient, inherit), ...terminalOverrides, ...trusted }
}

function inherited(ambient: Environment, inherit: Inheritance): Record<string, string> {
  if (inherit === 'none') return {}
  if (inherit === 'scrubbed') return scrubCredentialValues(scrubHostBound(scrubCredentialNames(ambient)))
  const named: Record<string, string> = {}
  for (const name of inherit) {
    const value = ambient[name]
    if (value !== undefined) named[name] = value
  }
  return named
}
