import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { SandboxError } from 'dsh-bash-error'
import { z } from 'zod'
import { dockerConfigDir, readJson, readOptionalText } from './docker-config.ts'
import { type EngineEndpoint, parseEngineHost, type TlsMaterial } from './endpoint.ts'
import type { EngineWorld } from './world.ts'

const contextMetadataSchema = z.object({
  Name: z.string(),
  Endpoints: z.object({
    docker: z.object({ Host: z.string().min(1), SkipTLSVerify: z.boolean().optional() }),
  }),
})

/** The Docker client's name for "no context": its default socket. */
export const defaultContext = 'default'

/**
 * The endpoint of a Docker context. Layout of the store: `contexts/meta/<sha256 of the
 * name>/meta.json` and `contexts/tls/<the same>/docker/{ca,cert,key}.pem`, as docker/cli writes it.
 *
 * @throws `CONTEXT_INVALID` when there is no such context or its files cannot be used
 */
export async function readContext(world: EngineWorld, name: string): Promise<EngineEndpoint> {
  if (name === defaultContext) return parseEngineHost('unix:///var/run/docker.sock')
  const contexts = join(dockerConfigDir(world), 'contexts')
  const key = createHash('sha256').update(name).digest('hex')
  const path = join(contexts, 'meta', key, 'meta.json')
  const metadata = await readJson(path, contextMetadataSchema)
  if (metadata === undefined) {
    throw new SandboxError('CONTEXT_INVALID', `there is no Docker context "${name}"`, { context: { name, path } })
  }
  const { Host: host, SkipTLSVerify: skipVerify = false } = metadata.Endpoints.docker
  const tls = await readTls(join(contexts, 'tls', key, 'docker'), !skipVerify)
  return parseEngineHost(host, tls ?? (skipVerify ? { verify: false } : undefined))
}

/**
 * The TLS files of a directory: `ca.pem`, `cert.pem`, `key.pem`; undefined when it holds none.
 *
 * @throws `CONTEXT_INVALID` when one is there and cannot be read
 */
export async function readTls(dir: string, verify: boolean): Promise<TlsMaterial | undefined> {
  const [ca, cert, key] = await Promise.all(
    ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readOptionalText(join(dir, name))),
  )
  if (ca === undefined && cert === undefined && key === undefined) return undefined
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), verify }
}
