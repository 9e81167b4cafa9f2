import type { BashExecutor } from 'dsh-bash'
import type { Suite } from '../suite.ts'
import { withAmbient } from '../support/ambient.ts'
import { run } from '../support/commands.ts'
import { environmentOf } from '../support/environment-of.ts'

const terminalVariables = { NO_COLOR: '1', TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat' }

/** The ambient environment after the scrub, then the terminal's variables, then the request's own. */
export function environment(suite: Suite): void {
  const { test, expect, capabilities, shared, fresh, mark } = suite

  test('passes an ambient variable on', async () => {
    await withAmbient({ PLAIN_VAR: 'plain', LANG_OF_TEST: 'ß€ =x' }, () =>
      fresh({}, async ({ bash }) => {
        expect(await valuesOf(bash, ['PLAIN_VAR', 'LANG_OF_TEST'])).toEqual({
          PLAIN_VAR: 'plain',
          LANG_OF_TEST: 'ß€ =x',
        })
      }),
    )
  })

  test('drops ambient variables with a credential-shaped name, in any case', async () => {
    const secret = mark()
    const names = [
      'MY_API_KEY',
      'my_api_key',
      'AWS_SECRET_ACCESS',
      'Client_Secret',
      'GH_TOKEN',
      'DB_PASSWORD',
      'MONKEY',
    ]
    await withAmbient(Object.fromEntries(names.map((name) => [name, secret])), () =>
      fresh({}, async ({ bash }) => {
        const variables = await environmentOf(bash)
        expect([...variables].filter(([, value]) => value.includes(secret))).toEqual([])
      }),
    )
  })

  test('honours the trusted environment whatever its names look like', async () => {
    const { bash } = await shared()
    const env = { MY_API_KEY: 'x', GH_TOKEN: 'y', ORDINARY: 'z' }
    expect(await valuesOf(bash, Object.keys(env), env)).toEqual(env)
  })

  test('sets the terminal variables over the ambient ones', async () => {
    await withAmbient({ NO_COLOR: undefined, TERM: 'xterm-256color', PAGER: 'less', GIT_PAGER: 'delta' }, () =>
      fresh({}, async ({ bash }) => {
        expect(await valuesOf(bash, Object.keys(terminalVariables))).toEqual(terminalVariables)
      }),
    )
  })

  test('sets the request over the terminal variables and over the ambient ones', async () => {
    await withAmbient({ PLAIN_VAR: 'ambient' }, () =>
      fresh({}, async ({ bash }) => {
        const env = { TERM: 'xterm', PAGER: 'more', NO_COLOR: '', PLAIN_VAR: 'own' }
        expect(await valuesOf(bash, Object.keys(env), env)).toEqual(env)
      }),
    )
  })

  test('keeps every value as it is', async () => {
    const { bash } = await shared()
    const env = {
      NEWLINES: '\nfirst\n\nlast\n',
      EQUALS: '=a=b=',
      EMPTY: '',
      SPACES: '  two  ',
      QUOTES: `'"\\\`$(id) $HOME \${x} !! *`,
      UNICODE: 'ß€🐋\u0301',
      CONTROL: '\x01\t\r\x1b[31m',
    }
    expect(await valuesOf(bash, Object.keys(env), env)).toEqual(env)
  })

  test('passes names that bash itself cannot use', async () => {
    const { bash } = await shared()
    const env = { 'dotted.name': '1', 'with-dash': '2', '1digit': '3', lower_case: '4' }
    expect(await valuesOf(bash, Object.keys(env), env)).toEqual(env)
  })

  test('is not kept for the next command', async () => {
    const { bash } = await shared()
    await run(bash, { command: 'true', env: { ONLY_ONCE: 'x' } })
    expect((await environmentOf(bash)).has('ONLY_ONCE')).toBe(false)
  })

  test('gains nothing but the marker that the manifest names', async () => {
    const { bash } = await shared()
    const env = { OF_THE_REQUEST: 'x' }
    const [variables, next] = [await environmentOf(bash, env), await environmentOf(bash, env)]
    const known = new Set([...Object.keys(process.env), ...Object.keys(terminalVariables), ...Object.keys(env)])
    // A world of its own may bring variables, such as those of an image, but the same for every command.
    const isUnexplained = (name: string, value: string): boolean =>
      next.get(name) !== value || (capabilities.inheritsAmbient === 'scrubbed' && !known.has(name))
    const unexplained = [...variables].filter(([name, value]) => isUnexplained(name, value)).map(([name]) => name)
    expect(unexplained.filter((name) => name !== capabilities.commandMarker)).toEqual([])
    expect(capabilities.commandMarker === undefined || variables.has(capabilities.commandMarker)).toBe(true)
  })

  test('leaves out what is bound to the host exactly when the manifest says so', async () => {
    const hostBound = {
      SSH_AUTH_SOCK: '/host/agent.sock',
      EDITOR: '/host/editor',
      'BASH_FUNC_printf%%': '() { echo hijacked; }',
    }
    await withAmbient({ ...hostBound, HOME: '/host/home' }, () =>
      fresh({}, async ({ bash }) => {
        const values = await valuesOf(bash, [...Object.keys(hostBound), 'HOME'])
        const seen = Object.values(values).some((value) => value !== undefined && value.includes('host'))
        expect({ hostBoundSeen: seen }).toEqual({ hostBoundSeen: capabilities.inheritsAmbient === 'scrubbed' })
      }),
    )
  })
}

async function valuesOf(
  bash: BashExecutor,
  names: readonly string[],
  env?: Record<string, string>,
): Promise<Record<string, string | undefined>> {
  const variables = await environmentOf(bash, env)
  return Object.fromEntries(names.map((name) => [name, variables.get(name)]))
}
