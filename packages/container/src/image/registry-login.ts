import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { type DockerConfig, readDockerConfig } from '../engine/docker-config.ts'
import type { RegistryAuth } from '../engine/port.ts'
import { type EngineWorld, processWorld } from '../engine/world.ts'

/** Docker's own registry goes by this address in the client's configuration. */
const dockerHubAddress = 'https://index.docker.io/v1/'

/**
 * The login that the Docker client would use for a registry; undefined where it has none.
 *
 * @throws `CONTEXT_INVALID` when the client's configuration cannot be read
 */
export async function registryLogin(
  registry: string,
  world: EngineWorld = processWorld(),
): Promise<RegistryAuth | undefined> {
  const config = await readDockerConfig(world)
  const address = registry === 'docker.io' ? dockerHubAddress : registry
  const helper = config.credHelpers?.[address] ?? config.credsStore
  const stored = helper === undefined ? undefined : await askHelper(helper, address)
  return stored ?? configuredLogin(config, address)
}

function configuredLogin(config: DockerConfig, address: string): RegistryAuth | undefined {
  const login = config.auths?.[address] ?? config.auths?.[`https://${address}`]
  if (login?.identitytoken !== undefined) return { identitytoken: login.identitytoken, serveraddress: address }
  if (login?.auth === undefined) return undefined
  const decoded = Buffer.from(login.auth, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1), serveraddress: address }
}

const helperAnswer = z.object({ Username: z.string(), Secret: z.string() })

/** Asks a credential helper of the Docker client; one that has nothing, or is not there, is no obstacle. */
async function askHelper(helper: string, address: string): Promise<RegistryAuth | undefined> {
  if (!/^[\w.-]+$/.test(helper)) return undefined
  const child = spawn(`docker-credential-${helper}`, ['get'], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => undefined) // it may end without reading
  child.stdin.end(address)
  const failed = new Promise<string>((resolve) => child.once('error', () => resolve('')))
  const answer = await Promise.race([text(child.stdout), failed])
  try {
    const { Username, Secret } = helperAnswer.parse(JSON.parse(answer))
    // The helpers' protocol: this user name marks an identity token.
    if (Username === '<token>') return { identitytoken: Secret, serveraddress: address }
    return { username: Username, password: Secret, serveraddress: address }
  } catch {
    return undefined // it has no login for this registry
  }
}
