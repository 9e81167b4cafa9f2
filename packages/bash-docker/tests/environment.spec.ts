import { describe, expect, it } from 'vitest'
import { composeEnvironment } from '../src/environment.ts'

const overrides = { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' }
const ambient = {
  PLAIN_VAR: 'plain',
  MY_API_KEY: 'by name',
  INNOCENT: `ghp_${'a1'.repeat(18)}`,
  PATH: '/host/bin',
  TERM: 'xterm',
}

describe('the environment of a command in a container', () => {
  it('is the ambient one without credentials and without what belongs to the host', () => {
    expect(composeEnvironment(ambient, 'scrubbed', undefined)).toEqual({ PLAIN_VAR: 'plain', ...overrides })
  })

  it('is nothing of the ambient one where the deployment says so', () => {
    expect(composeEnvironment(ambient, 'none', undefined)).toEqual(overrides)
  })

  it('is the named variables, verbatim, where the deployment names them', () => {
    const composed = composeEnvironment(ambient, ['MY_API_KEY', 'PATH', 'ABSENT'], undefined)
    expect(composed).toEqual({ MY_API_KEY: 'by name', PATH: '/host/bin', ...overrides })
  })

  it('has the trusted variables last, credential-shaped or not', () => {
    const trusted = { MY_API_KEY: 'trusted', TERM: 'xterm-256color', PATH: '/opt/bin' }
    expect(composeEnvironment(ambient, 'scrubbed', trusted)).toEqual({
      PLAIN_VAR: 'plain',
      ...overrides,
      ...trusted,
    })
  })
})
