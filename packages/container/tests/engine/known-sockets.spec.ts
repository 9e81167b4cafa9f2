import { describe, expect, it } from 'vitest'
import { knownSockets } from '../../src/engine/known-sockets.ts'

describe('the known sockets', () => {
  it('are those of the products, in the order in which they are tried', () => {
    const world = { env: { XDG_RUNTIME_DIR: '/run/user/1000' }, homeDir: '/home/me' }
    expect(knownSockets(world).map(({ name, socketPath }) => [name, socketPath])).toEqual([
      ['Docker', '/var/run/docker.sock'],
      ['Docker (rootless)', '/run/user/1000/docker.sock'],
      ['Docker Desktop', '/home/me/.docker/run/docker.sock'],
      ['Docker Desktop (Linux)', '/home/me/.docker/desktop/docker.sock'],
      ['Colima', '/home/me/.colima/default/docker.sock'],
      ['Colima', '/home/me/.config/colima/default/docker.sock'],
      ['Rancher Desktop', '/home/me/.rd/docker.sock'],
      ['Podman', '/run/podman/podman.sock'],
      ['Podman (rootless)', '/run/user/1000/podman/podman.sock'],
      ['bash-docker', '/home/me/.local/state/bash-docker/engine/docker.sock'],
    ])
  })

  it('lie where the environment puts them', () => {
    const env = { COLIMA_HOME: '/colima', XDG_CONFIG_HOME: '/config', XDG_STATE_HOME: '/state' }
    const paths = knownSockets({ env, homeDir: '/home/me' }).map(({ socketPath }) => socketPath)
    expect(paths).toEqual(
      expect.arrayContaining([
        '/colima/default/docker.sock',
        '/config/colima/default/docker.sock',
        '/state/bash-docker/engine/docker.sock',
      ]),
    )
  })

  it('of a runtime directory are none where there is none', () => {
    const names = knownSockets({ env: { XDG_RUNTIME_DIR: '' }, homeDir: '/home/me' }).map(({ name }) => name)
    expect(names.filter((name) => name.includes('rootless'))).toEqual([])
  })
})
