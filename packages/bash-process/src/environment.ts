import { z } from 'zod'
import { type Environment, scrubCredentialNames, scrubCredentialValues, scrubHostBound } from './scrub.ts'

/** What commands in a world of their own get of the harness's environment: scrubbed, none, or these names verbatim. */
export const inheritanceSchema = z.union([z.enum(['scrubbed', 'none']), z.array(z.string().min(1))])

export type Inheritance = z.output<typeof inheritanceSchema>

/** The part of the harness's own environment that travels into a world that is not the host. */
export function inheritedEnvironment(ambient: Environment, inherit: Inheritance): Record<string, string> {
  if (inherit === 'none') return {}
  if (inherit === 'scrubbed') return scrubCredentialValues(scrubHostBound(scrubCredentialNames(ambient)))
  const named: Record<string, string> = {}
  for (const name of inherit) {
    const value = ambient[name]
    if (value !== undefined) named[name] = value
  }
  return named
}
