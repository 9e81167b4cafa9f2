import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, SandboxError } from 'dsh-bash-error'
import { z } from 'zod'
import { type EngineWorld, setting } from './world.ts'

/** What we read of the Docker client's `config.json`; every other field is the client's own. */
const dockerConfigSchema = z.object({
  currentContext: z.string().optional(),
  auths: z
    .record(z.string(), z.object({ auth: z.string().optional(), identitytoken: z.string().optional() }))
    .optional(),
  credsStore: z.string().optional(),
  credHelpers: z.record(z.string(), z.string()).optional(),
})

export type DockerConfig = z.infer<typeof dockerConfigSchema>

/** The Docker client's configuration directory. */
export function dockerConfigDir(world: EngineWorld): string {
  return setting(world, 'DOCKER_CONFIG') ?? join(world.homeDir, '.docker')
}

/**
 * The Docker client's configuration; empty where there is none.
 *
 * @throws `CONTEXT_INVALID` for a file that cannot be read or is not what the Docker client writes
 */
export async function readDockerConfig(world: EngineWorld): Promise<DockerConfig> {
  const path = join(dockerConfigDir(world), 'config.json')
  return (await readJson(path, dockerConfigSchema)) ?? {}
}

/**
 * A JSON file by a schema; undefined where there is no file.
 *
 * @throws `CONTEXT_INVALID`
 */
export async function readJson<Output>(path: string, schema: z.ZodType<Output>): Promise<Output | undefined> {
  const text = await readOptionalText(path)
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw invalid(path, messageOf(error))
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success) throw invalid(path, z.prettifyError(parsed.error))
  return parsed.data
}

/**
 * A text file; undefined where there is none.
 *
 * @throws `CONTEXT_INVALID` when it is there and cannot be read
 */
export async function readOptionalText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw invalid(path, messageOf(error))
  }
}

function invalid(path: string, why: string): SandboxError {
  return new SandboxError('CONTEXT_INVALID', `cannot use ${path}: ${why}`, { context: { path } })
}
