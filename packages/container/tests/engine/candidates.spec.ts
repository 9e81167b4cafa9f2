import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EngineChoice, engineChoices } from '../../src/engine/candidates.ts'
import { FakeHome } from '../support/fake-home.ts'

let home: FakeHome
beforeEach(() => {
  home = new FakeHome()
})
afterEach(() => home[Symbol.dispose]())

async function hosts(choices: readonly EngineChoice[]): Promise<string[]> {
  return Promise.all(choices.map(async (choice) => (await choice.endpoint()).host))
}

describe('where an engine may be', () => {
  it('is tried in the order: option, DOCKER_HOST, DOCKER_CONTEXT, current context, known sockets', async () => {
    home.context('there', { Host: 'unix:///there.sock' })
    home.context('now', { Host: 'unix:///now.sock' })
    home.write('.docker/config.json', { currentContext: 'now' })
    const env = { DOCKER_HOST: 'unix:///host.sock', DOCKER_CONTEXT: 'there', XDG_RUNTIME_DIR: '/run/user/7' }
    const choices = await engineChoices({ host: 'unix:///option.sock' }, home.world(env))
    expect(choices.slice(0, 5).map(({ source, name, explicit }) => [source, name, explicit])).toEqual([
      ['option', 'unix:///option.sock', true],
      ['DOCKER_HOST', 'unix:///host.sock', true],
      ['DOCKER_CONTEXT', 'there', true],
      ['current-context', 'now', true],
      ['known-socket', 'Docker', false],
    ])
    const known = (await hosts(choices)).slice(4).map((host) => host.replace('unix://', ''))
    expect(known).toEqual([
      '/var/run/docker.sock',
      '/run/user/7/docker.sock',
      join(home.homeDir, '.docker/run/docker.sock'),
      join(home.homeDir, '.docker/desktop/docker.sock'),
      join(home.homeDir, '.colima/default/docker.sock'),
      join(home.homeDir, '.config/colima/default/docker.sock'),
      join(home.homeDir, '.rd/docker.sock'),
      '/run/podman/podman.sock',
      '/run/user/7/podman/podman.sock',
      join(home.homeDir, '.local/state/bash-docker/engine/docker.sock'),
    ])
    expect(await hosts(choices.slice(0, 4))).toEqual([
      'unix:///option.sock',
      'unix:///host.sock',
      'unix:///there.sock',
      'unix:///now.sock',
    ])
  })

  it('may be a context by option', async () => {
    home.context('mine', { Host: 'tcp://mine:1' })
    const [first] = await engineChoices({ context: 'mine' }, home.world())
    expect(first).toMatchObject({ source: 'option', name: 'mine', explicit: true })
    expect(await first?.endpoint()).toMatchObject({ host: 'tcp://mine:1', tls: undefined })
  })

  it('follows the directories that the environment names', async () => {
    const env = { XDG_STATE_HOME: '/state', COLIMA_HOME: '/colima', DOCKER_CONFIG: join(home.homeDir, 'elsewhere') }
    home.write('elsewhere/config.json', { currentContext: 'default' })
    const known = await hosts(await engineChoices({}, home.world(env)))
    expect(known).toContain('unix:///state/bash-docker/engine/docker.sock')
    expect(known).toContain('unix:///colima/default/docker.sock')
  })

  it.each([{}, { currentContext: '' }, { currentContext: 'default' }, { auths: {}, credsStore: 'x', more: 1 }])(
    'is no current context in %j',
    async (config) => {
      home.write('.docker/config.json', config)
      const choices = await engineChoices({}, home.world({ DOCKER_HOST: '', DOCKER_CONTEXT: '' }))
      expect(new Set(choices.map(({ source }) => source))).toEqual(new Set(['known-socket']))
    },
  )

  it.each(['{', '[]', '{"currentContext": 1}'])('is a choice that fails in a configuration like %s', async (text) => {
    const path = home.write('.docker/config.json', text)
    const [first] = await engineChoices({}, home.world())
    expect(first).toMatchObject({ source: 'current-context', explicit: true })
    await expect(first?.endpoint()).rejects.toMatchObject({ code: 'CONTEXT_INVALID', context: { path } })
  })

  it('has the TLS material of DOCKER_CERT_PATH when DOCKER_TLS_VERIFY is set', async () => {
    for (const file of ['ca', 'cert', 'key']) home.write(`certs/${file}.pem`, `the ${file}`)
    const env = { DOCKER_HOST: 'tcp://far', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: join(home.homeDir, 'certs') }
    const tls = { verify: true, ca: 'the ca', cert: 'the cert', key: 'the key' }
    const [first] = await engineChoices({}, home.world(env))
    expect(await first?.endpoint()).toMatchObject({ hostname: 'far', port: 2376, tls })
    const [plain] = await engineChoices({}, home.world({ ...env, DOCKER_TLS_VERIFY: '' }))
    expect(await plain?.endpoint()).toMatchObject({ port: 2375, tls: undefined })
    const [own] = await engineChoices({}, home.world({ ...env, DOCKER_CERT_PATH: '' }))
    expect(await own?.endpoint()).toMatchObject({ port: 2376, tls: { verify: true } })
  })
})
