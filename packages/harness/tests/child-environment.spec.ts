import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../src/subprocess/child-environment.ts'

const base = { PATH: '/usr/bin', HOME: '/home/sandbox' }

describe('the environment of a process of the harness', () => {
  it('is the caller’s over the ambient one over the image’s', () => {
    const ambient = { HOME: '/root', PLAIN: 'ambient', MY_TOKEN: 'secret', GIVEN: 'ambient' }
    const explicit = { GIVEN: 'given', MY_TOKEN: 'meant' }
    expect(childEnvironment(base, ambient, 'scrubbed', explicit)).toEqual({
      ...base,
      PLAIN: 'ambient',
      GIVEN: 'given',
      MY_TOKEN: 'meant',
    })
  })

  it('loses what is undefined, wherever it came from', () => {
    const explicit = { HOME: undefined, PLAIN: undefined, ABSENT: undefined }
    expect(childEnvironment(base, { PLAIN: 'ambient' }, 'scrubbed', explicit)).toEqual({ PATH: '/usr/bin' })
  })

  it('has no word of an outer harness, but those that the caller says', () => {
    const ambient = { DSH_SESSION_ID: 'outer', dsh_shell: 'outer' }
    const explicit = { DSH_SHELL: '1' }
    expect(childEnvironment(base, ambient, ['DSH_SESSION_ID', 'dsh_shell'], explicit)).toEqual({
      ...base,
      DSH_SHELL: '1',
    })
  })
})
