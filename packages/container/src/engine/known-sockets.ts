import { join } from 'node:path'
import { type EngineWorld, setting } from './world.ts'

export interface KnownSocket {
  readonly name: string
  readonly socketPath: string
}

/** Where engines put their socket by default, in the order in which they are tried. */
export function knownSockets(world: EngineWorld): KnownSocket[] {
  const home = world.homeDir
  const runtimeDir = setting(world, 'XDG_RUNTIME_DIR')
  const configHome = setting(world, 'XDG_CONFIG_HOME') ?? join(home, '.config')
  const colimaHomes = [setting(world, 'COLIMA_HOME') ?? join(home, '.colima'), join(configHome, 'colima')]
  return [
    { name: 'Docker', socketPath: '/var/run/docker.sock' },
    ...inDir(runtimeDir, 'Docker (rootless)', 'docker.sock'),
    { name: 'Docker Desktop', socketPath: join(home, '.docker/run/docker.sock') },
    { name: 'Docker Desktop (Linux)', socketPath: join(home, '.docker/desktop/docker.sock') },
    ...colimaHomes.map((dir) => ({ name: 'Colima', socketPath: join(dir, 'default/docker.sock') })),
    { name: 'Rancher Desktop', socketPath: join(home, '.rd/docker.sock') },
    { name: 'Podman', socketPath: '/run/podman/podman.sock' },
    ...inDir(runtimeDir, 'Podman (rootless)', 'podman/podman.sock'),
    { name: 'bash-docker', socketPath: privateEngineSocket(world) },
  ]
}

/** The engine that this project's own set-up starts where there is no other. */
export function privateEngineSocket(world: EngineWorld): string {
  const stateHome = setting(world, 'XDG_STATE_HOME') ?? join(world.homeDir, '.local/state')
  return join(stateHome, 'bash-docker/engine/docker.sock')
}

function inDir(dir: string | undefined, name: string, path: string): KnownSocket[] {
  return dir === undefined ? [] : [{ name, socketPath: join(dir, path) }]
}
